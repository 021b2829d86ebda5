/** What the definitions of commands share. */
import { type Command, Option } from 'commander';
import { formatNames } from '../../reports/index.ts';
import { reports } from './values.ts';

export const examples = (...lines: readonly string[]): string =>
  `\nExamples:\n${lines.map((line) => `  $ ${line}\n`).join('')}`;

export const format = (): Option =>
  new Option('-f, --format <formats>', `${formatNames.join(', ')}; each with =file or =- (repeatable)`).argParser(
    reports,
  );

export const target = (): Option =>
  new Option('--target <kind>', 'start what follows --, check it, and stop it').choices([
    'command',
    'container',
    'compose',
  ]);

/** An option by its former name: it works for one version more, and help does not show it. */
export function formerly(command: Command, flags: string, now: string, read?: (text: string) => unknown): void {
  const old = new Option(flags).hideHelp();
  if (read !== undefined) old.argParser(read);
  command.addOption(old);
  command.on(`option:${old.name()}`, () =>
    command.setOptionValueWithSource(now, command.getOptionValue(old.attributeName()), 'cli'),
  );
}
