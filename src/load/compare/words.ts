/** A comparison as lines of text. */
import { leastRuns } from './comparable.ts';
import type { ComparedFigure, Comparison } from './compare.ts';
import type { Figure } from './figures.ts';

const digits = (value: number): string =>
  value >= 1000 ? String(Math.round(value)) : String(Number(value.toPrecision(3)));

const percentOf = (share: number): string => `${digits(100 * share)} %`;

const valueIn = ({ unit }: Figure, value: number): string =>
  unit === 'share' ? percentOf(value) : `${digits(value)} ${unit}`;

const signed = (value: number): string => `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(1)}`;

/** `+3.1 % (+0.4 … +5.9)`. */
function shiftOf({ figure, shift }: ComparedFigure): string {
  const percent = (value: number): number => 100 * (figure.unit === 'share' ? value : value - 1);
  const unit = figure.unit === 'share' ? 'points' : '%';
  const ends = 'low' in shift ? ` (${signed(percent(shift.low))} … ${signed(percent(shift.high))})` : '';
  return `${signed(percent(shift.value))} ${unit}${ends}`;
}

function verdictOf({ figure, verdict }: ComparedFigure): string {
  const within = figure.unit === 'share' ? `${digits(100 * figure.matters)} points` : percentOf(figure.matters);
  const words: Readonly<Record<Figure['unit'], readonly [string, string]>> = {
    ms: ['faster', 'slower'],
    'a second': ['more', 'less'],
    share: ['fewer errors', 'more errors'],
  };
  const [better, worse] = words[figure.unit];
  return { better, worse, same: `same within ${within}`, 'cannot tell': 'cannot tell' }[verdict];
}

export function linesOf(comparison: Comparison): string[] {
  const { figures, runs } = comparison;
  const rows = figures.map((each) => [
    each.figure.name,
    valueIn(each.figure, each.base),
    valueIn(each.figure, each.now),
    shiftOf(each),
    Math.min(...runs) < leastRuns ? '' : `p ${each.p < 0.001 ? '< 0.001' : each.p.toFixed(3)}`,
    verdictOf(each),
  ]);
  return [headline(comparison), ...table(rows), ...advice(comparison)];
}

function headline({ verdict, figures, runs, base, now }: Comparison): string {
  const widest = Math.max(
    0,
    ...figures.filter(({ figure }) => figure.unit !== 'share').map(({ figure }) => figure.matters),
  );
  const says = verdict === 'same' ? `same within ${percentOf(widest)}` : verdict;
  return `${says.toUpperCase()}: ${now} (${runs[1]} runs) against ${base} (${runs[0]} runs)`;
}

const table = (rows: readonly (readonly string[])[]): string[] => {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  return rows.map((row) => `  ${row.map((cell, column) => cell.padEnd(widths[column]!)).join('  ')}`.trimEnd());
};

function advice({ verdict, runs, figures }: Comparison): string[] {
  if (verdict !== 'cannot tell') return [];
  if (Math.min(...runs) < leastRuns)
    return [`  At least ${leastRuns} runs on each side are needed: \`--repeat ${leastRuns}\` makes them.`];
  if (figures.length === 0) return ['  No figure is supported by the samples of every run: measure for longer.'];
  return ['  The runs differ among themselves by more than that: use more runs, longer runs, or a quieter machine.'];
}
