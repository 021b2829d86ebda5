/** Everything that can be completed, read off the commands themselves. */
import type { Argument, Command, Option } from 'commander';
import { formatNames } from '../../../reports/index.ts';
import { keptSets } from '../../../suites/sets/kept.ts';
import { areas } from '../../model/rule.ts';
import { clientIds, ids } from '../catalogue.ts';

export interface OptionWords {
  readonly long: string;
  readonly says: string;
  /** Undefined: it takes no value. None: it takes one that nobody can guess. `file`: the shell knows. */
  readonly values?: readonly string[] | 'file';
  /** Several, with commas between them. */
  readonly list?: true;
}

export interface CommandWords {
  readonly name: string;
  readonly says: string;
  readonly options: readonly OptionWords[];
  readonly values: readonly string[] | 'file';
}

const rulesAndAreas = [...areas, ...ids, ...clientIds];

/** Of options and arguments that don't say their choices themselves. */
const known: Readonly<Record<string, readonly string[] | 'file'>> = {
  '--only': rulesAndAreas,
  '--skip': rulesAndAreas,
  '--area': areas,
  '--rules': keptSets.map(({ version }) => version),
  '--format': formatNames,
  '--profile': 'file',
  '--output': 'file',
  '--database': 'file',
  rule: [...ids, ...clientIds],
  run: 'file',
};

const lists = new Set(['--only', '--skip', '--area', '--format']);

export function wordsOf(root: Command): CommandWords[] {
  return root
    .createHelp()
    .visibleCommands(root)
    .filter((command) => command.name() !== 'help')
    .map((command) => {
      const [argument] = command.registeredArguments;
      return {
        name: command.name(),
        says: firstClause(command.description()),
        options: [
          ...command.options.filter(({ hidden }) => !hidden).map(optionWords),
          { long: '--help', says: 'print help' },
        ],
        values: argument === undefined ? command.commands.map((each) => each.name()) : valuesOfArgument(argument),
      };
    });
}

const valuesOfArgument = (argument: Argument): readonly string[] | 'file' =>
  argument.argChoices ?? known[argument.name()] ?? [];

function optionWords({ long, short, description, required, optional, argChoices }: Option): OptionWords {
  const name = long ?? short ?? '';
  const takes = required || optional;
  return {
    long: name,
    says: firstClause(description),
    ...(takes ? { values: argChoices ?? known[name] ?? [] } : {}),
    ...(lists.has(name) ? { list: true as const } : {}),
  };
}

/** Short enough for a line next to the word, and free of what a shell reads. */
const firstClause = (text: string): string => (text.split(/[,;:(]/)[0] ?? '').replaceAll(/[^\w .-]/g, '').trim();
