/**
 * Percentiles with the interval that order statistics give them, whatever the distribution. A percentile whose upper end
 * lies beyond the largest sample is not one: nothing says how much slower the slowest can be.
 */
import { binomialAtMost } from './binomial.ts';
import type { Estimate } from './interval.ts';

/** Values in ascending order, by rank from 1: an array, or a histogram. */
export interface Ranked {
  readonly count: number;
  at(rank: number): number;
}

/** How sure each end of an interval is, by itself. */
export const confidence = 0.95;

export const ranked = (sorted: ArrayLike<number>): Ranked => ({
  count: sorted.length,
  at: (rank) => sorted[rank - 1]!,
});

/** Of values that were counted, lowest first, as a histogram has them. */
export function counted(values: readonly { readonly us: number; readonly count: number }[]): Ranked {
  const upTo: number[] = [];
  for (const { count } of values) upTo.push((upTo.at(-1) ?? 0) + count);
  return {
    count: upTo.at(-1) ?? 0,
    at: (rank) => values[least(values.length - 1, (at) => upTo[at]! >= rank)]!.us,
  };
}

/** The fewest samples from which a percentile has an upper end: 59 for the 95th, 299 for the 99th. */
export const leastSamples = (percent: number): number =>
  Math.ceil(Math.log(1 - confidence) / Math.log(Math.min(percent, 100 - 1e-9) / 100) - 1e-9);

/** Undefined if the sample does not support it. The lower end may be absent. */
export function percentile(values: Ranked, percent: number): (Estimate & { readonly high: number }) | undefined {
  const ranks = ranksOf(values.count, percent);
  if (ranks === undefined) return undefined;
  return {
    value: values.at(ranks.value),
    ...(ranks.low === undefined ? {} : { low: values.at(ranks.low) }),
    high: values.at(ranks.high),
  };
}

export interface Ranks {
  readonly value: number;
  readonly low?: number;
  readonly high: number;
}

/** Which of this many sorted values stand for the percentile and for the ends of its interval. */
export function ranksOf(count: number, percent: number): Ranks | undefined {
  if (!(percent > 0 && percent < 100) || count < leastSamples(percent)) return undefined;
  const share = percent / 100;
  // The share below the percentile is binomial: too few of them say that it lies higher, too many that it lies lower.
  const high = 1 + least(count, (below) => binomialAtMost(below, count, share) >= confidence);
  const low = least(count, (below) => binomialAtMost(below, count, share) > 1 - confidence);
  if (high > count) return undefined;
  const value = Math.min(count, Math.max(1, Math.ceil(share * count - 1e-9)));
  return { value, ...(low < 1 ? {} : { low }), high };
}

/** The least whole number up to a limit for which something holds that goes on to hold. */
function least(limit: number, holds: (value: number) => boolean): number {
  let [low, high] = [0, limit];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
