/**
 * Whether one side is faster than another. The unit is a run, never a request: requests of one run depend on each other. A
 * difference counts where it is shown (by rank and by interval) and matters; the absence of one needs evidence as well.
 */
import { bootstrap } from '../../statistics/bootstrap.ts';
import { hodgesLehmann } from '../../statistics/hodges-lehmann.ts';
import { type Bounded, median } from '../../statistics/interval.ts';
import { mannWhitney } from '../../statistics/mann-whitney.ts';
import { leastRuns, type Side } from './comparable.ts';
import { type Figure, figuresOf, type Series } from './figures.ts';

export interface ComparedFigure {
  readonly figure: Figure;
  readonly base: number;
  readonly now: number;
  /** From the base to now: a ratio, or a difference of shares. Both ends where there are runs enough. */
  readonly shift: { readonly value: number } | Bounded;
  /** Corrected for the number of figures. */
  readonly p: number;
  readonly verdict: 'better' | 'worse' | 'same' | 'cannot tell';
}

export type ComparisonVerdict = 'faster' | 'slower' | 'same' | 'cannot tell';

export interface Comparison {
  readonly base: string;
  readonly now: string;
  readonly runs: readonly [number, number];
  readonly verdict: ComparisonVerdict;
  readonly figures: readonly ComparedFigure[];
}

export interface CompareOptions {
  /** As a share; if omitted, 5 % of p50 and of rates, 10 % of p95 and p99. */
  readonly within?: number;
  readonly seed?: number;
}

const significant = 0.05;

export function compareSides(base: Side, now: Side, { within, seed = 1 }: CompareOptions = {}): Comparison {
  const before = figuresOf(base.measurements, within);
  const after = figuresOf(now.measurements, within);
  const pairs = before.flatMap((each) => {
    const other = after.find(({ figure }) => figure.name === each.figure.name);
    return other === undefined ? [] : [[each, other] as const];
  });
  const ps = corrected(pairs.map(([each, other]) => mannWhitney(each.values, other.values).p));
  const figures = pairs.map(([each, other], at) => compareFigure(each, other, ps[at]!, seed));
  return {
    base: base.name,
    now: now.name,
    runs: [base.measurements.length, now.measurements.length],
    verdict: overall(figures),
    figures,
  };
}

/** By Holm: several figures give chance several tries. Those that never vary give it none. */
function corrected(ps: readonly number[]): number[] {
  const tries = ps.filter((p) => p < 1).length;
  const order = ps.map((_, at) => at).sort((a, b) => ps[a]! - ps[b]!);
  const result = [...ps];
  let least = 0;
  order.forEach((at, rank) => {
    least = Math.max(least, Math.min(1, ps[at]! * Math.max(1, tries - rank)));
    result[at] = least;
  });
  return result;
}

function compareFigure(
  { figure, values: before }: Series,
  { values: after }: Series,
  p: number,
  seed: number,
): ComparedFigure {
  const shift = shiftOf(figure, before, after, seed);
  return { figure, base: median(before), now: median(after), shift, p, verdict: verdictOf(figure, shift, p) };
}

/** Estimated by Hodges and Lehmann; each end is the farther one of theirs and of the bootstrap, which is too sure of few runs. */
function shiftOf(
  figure: Figure,
  before: readonly number[],
  after: readonly number[],
  seed: number,
): ComparedFigure['shift'] {
  const shares = figure.unit === 'share';
  const scale = (values: readonly number[]): readonly number[] => (shares ? values : values.map(Math.log));
  const back = (value: number): number => (shares ? value : Math.exp(value));
  const exact = hodgesLehmann(scale(before), scale(after));
  const value = back(exact.value);
  if (exact.low === undefined || exact.high === undefined || Math.min(before.length, after.length) < leastRuns)
    return { value };
  const drawn = bootstrap(scale(before), scale(after), (from, to) => hodgesLehmann(from, to).value, {
    seed,
    times: 1000,
  });
  return { value, low: back(Math.min(exact.low, drawn.low)), high: back(Math.max(exact.high, drawn.high)) };
}

function verdictOf(
  { unit, better, matters }: Figure,
  shift: ComparedFigure['shift'],
  p: number,
): ComparedFigure['verdict'] {
  if (!('low' in shift)) return 'cannot tell';
  const { value, low, high } = shift;
  const none = unit === 'share' ? 0 : 1;
  const [least, most] = unit === 'share' ? [-matters, matters] : [1 / (1 + matters), 1 + matters];
  if (low >= least && high <= most) return 'same';
  if (p > significant) return 'cannot tell';
  if (low > none && value > most) return better === 'lower' ? 'worse' : 'better';
  if (high < none && value < least) return better === 'lower' ? 'better' : 'worse';
  return 'cannot tell';
}

/** Worse anywhere is slower; undetermined anywhere is undetermined. */
function overall(figures: readonly ComparedFigure[]): ComparisonVerdict {
  const has = (verdict: ComparedFigure['verdict']): boolean => figures.some((each) => each.verdict === verdict);
  if (figures.length === 0) return 'cannot tell';
  if (has('worse')) return 'slower';
  if (has('cannot tell')) return 'cannot tell';
  return has('better') ? 'faster' : 'same';
}
