/** The command line as a whole: former names of options still work, and the help of every command is complete. */
import type { Command } from 'commander';
import { describe, expect, test } from 'vitest';
import { clientRules } from '../../suites/client/index.ts';
import { catalogue } from '../../suites/index.ts';
import { program } from './program.ts';

/** The program without its actions. */
function still(): Command {
  const root = program();
  const calm = (command: Command): void => {
    command.action(() => {});
    for (const each of command.commands) calm(each);
  };
  for (const each of root.commands) calm(each);
  return root;
}

const commandOf = (root: Command, name: string): Command => root.commands.find((each) => each.name() === name)!;

describe('former names', () => {
  test.each([
    ['load', ['latency', '--slowest', '4s'], 'maxResponseTime', 4000],
    ['load', ['limits', '--rest', '1s'], 'pause', 1000],
    ['load', ['latency', '--i-may-load', 'host.example'], 'allowRemoteLoad', 'host.example'],
    ['limits', ['--yes-probe-limits'], 'allowRemoteLimits', true],
    ['check', ['--yes-probe-limits'], 'allowRemoteLimits', true],
  ])('%s %j means %s', async (name, args, now, value) => {
    const root = still();
    await root.parseAsync([name, ...args], { from: 'user' });
    expect(commandOf(root, name).opts()[now]).toEqual(value);
  });

  test('are in no help', () => {
    const text = still()
      .commands.map((command) => command.helpInformation())
      .join('\n');
    for (const old of ['--slowest', '--rest', '--i-may-load', '--yes-probe-limits']) expect(text).not.toContain(old);
  });
});

describe('every command', () => {
  const all = (command: Command): Command[] => command.commands.flatMap((each) => [each, ...all(each)]);
  const helpOf = (command: Command): string => {
    let text = '';
    command.configureOutput({ writeOut: (more) => (text += more) }).outputHelp();
    return text;
  };
  // `keys` is the hidden former name of `certificate new-key`, `help` is commander's.
  const shown = all(still()).filter((command) => !['keys', 'help'].includes(command.name()));

  test.each(shown.map((command) => [command.name(), command] as const))(
    '%s: what for, three examples',
    (_, command) => {
      expect(command.description()).not.toBe('');
      expect(helpOf(command).match(/^ {2}\$ /gm)?.length ?? 0).toBeGreaterThanOrEqual(3);
    },
  );

  test('with more than six options has them in groups', () => {
    for (const command of shown.filter(({ options }) => options.length > 6))
      expect(helpOf(command).match(/^\S.*:$/gm)?.length ?? 0, command.name()).toBeGreaterThan(3);
  });

  test('names only rules and areas that exist in its examples', () => {
    const known = [...catalogue, ...clientRules].map(({ id }) => id);
    const named = shown.flatMap(
      (command) => helpOf(command).match(/(?<=^ {2}\$ .*)\b[a-z]+\.[a-z]+(-[a-z]+)+\b/gm) ?? [],
    );
    const rules = named.filter((each) => known.some((id) => id.startsWith(`${each.split('.')[0]}.`)));
    expect(rules.length).toBeGreaterThan(5);
    expect(rules.filter((each) => !known.some((id) => id.startsWith(each)))).toEqual([]);
  });

  test('is in a group of the program', () => {
    expect(helpOf(still())).not.toContain('\nCommands:\n');
  });
});
