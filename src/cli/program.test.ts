/** The command line as a whole: former names of options still work, and every command shows how it is used. */
import type { Command } from 'commander';
import { describe, expect, test } from 'vitest';
import { program } from './program.ts';

/** The program without its deeds. */
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

test('every command has a sentence and three examples', () => {
  for (const command of still().commands) {
    expect(command.description(), command.name()).not.toBe('');
    let text = '';
    command.configureOutput({ writeOut: (more) => (text += more) }).outputHelp();
    const least = { keys: 1, tools: 2 }[command.name()] ?? 3;
    expect(text.match(/^ {2}\$ /gm)?.length ?? 0, command.name()).toBeGreaterThanOrEqual(least);
  }
});
