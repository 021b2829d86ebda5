/** What the doctor prints: what needs attention first, then what can run, then the lines that unlock most. */
import { inline, list, plural, wrap } from '../../reports/text.ts';
import type { Point, State } from '../doctor/point.ts';
import { type AreaRow, lockedIn, type Unlock, unlocksOf } from '../doctor/table.ts';
import { areaOf } from '../model/rule.ts';

const signs: Readonly<Record<State, string>> = { problem: '✗', warning: '!', note: '·', ok: '✓' };
const order = Object.keys(signs);

const unlocksShown = 8;

export interface DoctorText {
  readonly width: number;
  readonly exitCode: number;
  /** Each rule by name. */
  readonly verbose: boolean;
}

export function doctorText(
  points: readonly Point[],
  table: readonly AreaRow[],
  { width, exitCode, verbose }: DoctorText,
): string {
  const can = table.reduce((sum, row) => sum + row.can.length, 0);
  const locked = table.reduce((sum, row) => sum + lockedIn(row), 0);
  const problems = points.filter(({ state }) => state === 'problem').length;
  return [
    ...pointLines(points, width),
    '',
    ...wrap(table.map((row) => `${row.area} ${row.can.length}/${row.can.length + lockedIn(row)}`).join(' · '), width),
    ...(locked === 0 ? [] : ['', ...unlockLines(unlocksOf(table), width, verbose)]),
    '',
    `${plural(can, 'rule')} can run, ${locked} cannot. ${plural(problems, 'problem')}: exit code ${exitCode}.`,
  ].join('\n');
}

function pointLines(points: readonly Point[], width: number): string[] {
  const sorted = [...points].sort((a, b) => order.indexOf(a.state) - order.indexOf(b.state));
  const widest = Math.max(...points.map(({ name }) => name.length));
  const indent = ' '.repeat(widest + 4);
  const wrapped = (text: string): string[] =>
    wrap(inline(text, 600), width - indent.length).map((line) => `${indent}${line}`);
  return sorted.flatMap(({ name, state, says, next }) => {
    const [first = '', ...more] = wrapped(says);
    return [
      `${signs[state]} ${name.padEnd(widest)}  ${first.trim()}`,
      ...more,
      ...(next === undefined ? [] : wrapped(`→ ${next}`)),
    ];
  });
}

function unlockLines(unlocks: readonly Unlock[], width: number, verbose: boolean): string[] {
  const indent = ' '.repeat(10);
  const shown = verbose ? unlocks : unlocks.slice(0, unlocksShown);
  const left = unlocks.slice(shown.length);
  const lines = shown.flatMap(({ add, because, rules }) => [
    `${plural(rules.length, 'rule').padStart(8)}  ${add === undefined ? 'need more than a line of the profile' : inline(add, 400)}`,
    ...wrap(inline(`${verbose ? rules.join(', ') : areasOf(rules)}: ${because.join('; ')}`, 4000), width - 10).map(
      (line) => `${indent}${line}`,
    ),
  ]);
  return [
    'Add to the profile, to run more:',
    ...lines,
    ...(left.length === 0
      ? []
      : [`${plural(left.length, 'more line')} for ${plural(left.flatMap(({ rules }) => rules).length, 'rule')}`]),
    ...(verbose ? [] : ['All of them, with the names of the rules: touchstone doctor --verbose']),
  ];
}

function areasOf(rules: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const rule of rules) counts.set(areaOf(rule), (counts.get(areaOf(rule)) ?? 0) + 1);
  return list([...counts].map(([area, count]) => (counts.size === 1 ? area : `${area} ${count}`)));
}
