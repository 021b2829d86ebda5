/** What the definitions of commands share. */
import { Option } from 'commander';
import { formatNames } from '../../reports/index.ts';
import { words } from './values.ts';

export const examples = (...lines: readonly string[]): string =>
  `\nExamples:\n${lines.map((line) => `  $ ${line}\n`).join('')}`;

export const format = (): Option =>
  new Option('-f, --format <formats>', `${formatNames.join(', ')}; each with =file or =- (repeatable)`).argParser(
    words,
  );

export const target = (): Option =>
  new Option('--target <kind>', 'start what stands after --, ask it, and stop it').choices([
    'command',
    'container',
    'compose',
  ]);
