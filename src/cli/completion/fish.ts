/** Completion for fish: a line for each word. */
import type { CommandWords, OptionWords } from './words.ts';

const quoted = (text: string): string => `'${text.replaceAll("'", '')}'`;

const takes = ({ values, list }: OptionWords): string => {
  if (values === undefined) return '';
  if (values === 'file') return ' -r -F';
  if (values.length === 0) return ' -x';
  const words = quoted(values.join(' '));
  return list ? ` -x -a "(__fish_append , (string split ' ' ${words}))"` : ` -x -a ${words}`;
};

const linesOf = ({ name, says, options, values }: CommandWords): string[] => {
  const here = `complete -c touchstone -n '__fish_seen_subcommand_from ${name}'`;
  const argument =
    values === 'file' ? [`${here} -F`] : values.length === 0 ? [] : [`${here} -a ${quoted(values.join(' '))}`];
  return [
    `complete -c touchstone -n __fish_use_subcommand -a ${name} -d ${quoted(says)}`,
    ...argument,
    ...options.map((option) => `${here} -l ${option.long.slice(2)} -d ${quoted(option.says)}${takes(option)}`),
  ];
};

export const fishCompletion = (commands: readonly CommandWords[]): string =>
  [
    '# fish completion for touchstone: touchstone completion fish > ~/.config/fish/completions/touchstone.fish',
    'complete -c touchstone -f',
    ...commands.flatMap(linesOf),
    '',
  ].join('\n');
