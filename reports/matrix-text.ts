/** The matrix on a terminal and as Markdown. */
import type { Verdict } from '../src/vocabulary.ts';
import { code, table, words } from './markdown-text.ts';
import type { Ambiguity, Behaviour, Cell, Column, Matrix, MatrixRow } from './matrix.ts';
import { painter, verdictStyle } from './paint.ts';
import { inline, list, plural, wrap } from './text.ts';

export const marks: Readonly<Record<Verdict, string>> = {
  pass: '✓',
  fail: '✗',
  warn: '!',
  observed: 'i',
  untested: '–',
  inconclusive: '?',
  error: '‼',
};

export const legend = '✓ pass  ✗ fail  ! warn  i observed  – untested  ? inconclusive  ‼ error  ~ waived';

export const markOf = ({ verdict, waived }: Cell): string =>
  verdict === undefined ? ' ' : `${marks[verdict]}${waived ? '~' : ''}`;

export const standing = ({ lawful, outcome, counts }: Column): string =>
  `${lawful && counts.fail === 0 ? 'conforms, as far as tested' : outcome === 'conforms' ? 'only with waivers' : outcome}; ${counts.pass} pass, ${counts.fail} fail, ${counts.warn} warn`;

export const alike = ({ cells }: MatrixRow): boolean => new Set(cells.map(markOf)).size === 1;

/** All runs that have a verdict have the same one, and it is not bad. */
const calm = ({ cells }: MatrixRow): boolean => {
  const told = cells.flatMap(({ verdict }) => (verdict === undefined || verdict === 'untested' ? [] : [verdict]));
  return new Set(told).size < 2 && told.every((verdict) => verdict === 'pass' || verdict === 'observed');
};

const names = (matrix: Matrix, who: readonly number[]): string =>
  list(who.map((at) => inline(matrix.columns[at]?.name ?? '', 60)));

export function matrixConsole(
  matrix: Matrix,
  { colour = false, width = 110 }: { colour?: boolean; width?: number } = {},
): string {
  const paint = painter(colour);
  const { columns, rows } = matrix;
  const shown = rows.filter((row) => !calm(row));
  const partly = rows.filter((row) => calm(row) && !alike(row)).length;
  const widest = Math.max(8, ...shown.map(({ rule }) => rule.length));
  const grid = (row: MatrixRow): string => {
    const cells = row.cells.map((cell) => {
      const mark = markOf(cell).padEnd(2).padStart(4);
      return cell.verdict === undefined ? mark : paint(verdictStyle[cell.verdict], mark);
    });
    const note = row.only === undefined ? '' : paint('bold', `  only ${inline(columns[row.only]?.name ?? '', 40)}`);
    return `${row.rule.padEnd(widest)}${cells.join('')}${note}`;
  };
  const sections = [
    columns.map((each, at) => `[${at + 1}] ${inline(each.name, 40)}: ${standing(each)} (${inline(each.target, 100)})`),
    [
      `${''.padEnd(widest)}${columns.map((_, at) => `[${at + 1}]`.padStart(4)).join('')}`,
      ...shown.map(grid),
      paint(
        'dim',
        `${plural(rows.length - shown.length, 'rule')} have the same verdict${partly > 0 ? `, ${partly} of them not tested everywhere` : ''}`,
      ),
      paint('dim', legend),
    ],
    matrix.ambiguities.length === 0
      ? ['Lawful implementations do not differ in anything observed.']
      : [
          paint(
            'bold',
            `Where the specification is silent: lawful implementations differ (${matrix.ambiguities.length})`,
          ),
          ...matrix.ambiguities.flatMap((each) => [
            ...wrap(`  ${inline(each.section, 60)}: ${inline(each.says, 300)}`, width),
            ...each.behaviours.map(({ does, who }) => `    ${inline(does, 160)}: ${names(matrix, who)}`),
          ]),
        ],
  ];
  return sections.map((lines) => lines.join('\n')).join('\n\n');
}

export function matrixMarkdown(matrix: Matrix): string {
  const { columns, rows, observed } = matrix;
  return [
    '# Implementations side by side',
    '',
    `Rules of version ${words(matrix.rules, 40)}.`,
    '',
    ...columns.map(
      (each, at) =>
        `${at + 1}. **${words(each.name, 80)}**: ${standing(each)}; ${words(each.target, 200)}, ${words(each.started, 40)}`,
    ),
    '',
    ...onlyLines(matrix),
    '## Rules',
    '',
    table(
      ['rule', 'level', ...columns.map((_, at) => String(at + 1)), ''],
      rows.map((row) => [
        code(row.rule),
        row.level,
        ...row.cells.map(markOf),
        row.only === undefined ? '' : `only ${words(columns[row.only]?.name ?? '', 60)}`,
      ]),
    ),
    '',
    legend,
    '',
    '## What each does where the specification is silent',
    '',
    ...observed.flatMap((each) => subject(matrix, each)),
    ...ambiguityLines(matrix),
  ].join('\n');
}

function onlyLines({ columns, rows }: Matrix): string[] {
  const alone = rows.filter(({ only }) => only !== undefined);
  if (alone.length === 0) return [];
  return [
    '## Only this one fails',
    '',
    ...alone.map(
      ({ rule, only = 0, says, cells }) =>
        `- **${words(columns[only]?.name ?? '', 80)}**: ${code(rule)} (${cells[only]?.verdict}): ${words(says)}`,
    ),
    '',
  ];
}

const subject = (matrix: Matrix, { rule, section, says, behaviours }: Ambiguity): string[] => [
  `- ${words(section, 80)}: ${words(says)} (${code(rule)})`,
  ...(behaviours.length === 0
    ? ['  - no implementation was asked']
    : behaviours.map((each) => `  - ${doing(matrix, each)}`)),
];

const doing = (matrix: Matrix, { does, who }: Behaviour): string =>
  `${code(does, 300)}: ${who.length === matrix.columns.length ? 'all' : words(names(matrix, who), 2000)}`;

/** As a text of its own: it is meant to be sent. */
export function ambiguityLines(matrix: Matrix): string[] {
  const lawful = matrix.columns.filter(({ lawful }) => lawful);
  return [
    '',
    '## For the authors of the specification',
    '',
    ...(matrix.ambiguities.length === 0
      ? ['Lawful implementations do not differ in anything observed.']
      : [
          `${plural(lawful.length, 'implementation')} that ${lawful.length === 1 ? 'breaks' : 'break'} none of the required rules that they were asked (${words(list(lawful.map(({ name }) => name)), 1000)}) differ in the following. Clients cannot rely on any of it until the specification decides.`,
          '',
          ...matrix.ambiguities.flatMap((each, at) => [
            `### ${at + 1}. ${words(each.section, 80)}`,
            '',
            `${words(each.says)}${each.level === 'expected' ? ' (The standards say so; the specification itself does not.)' : ''}`,
            '',
            ...each.behaviours.map(({ does, who }) => `- ${code(does, 300)}: ${words(names(matrix, who), 2000)}`),
            '',
          ]),
        ]),
    '',
  ];
}
