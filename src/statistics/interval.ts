/** A number that was estimated, and the ends between which it lies; an end that the sample does not support is absent. */
export interface Estimate {
  readonly value: number;
  readonly low?: number;
  readonly high?: number;
}

/** An estimate that has both its ends. */
export interface Bounded extends Estimate {
  readonly low: number;
  readonly high: number;
}

export const ascending = (values: Iterable<number>): Float64Array => Float64Array.from(values).sort();

/** Of values in ascending order; of none it is not a number. */
export function medianOf(sorted: ArrayLike<number>): number {
  const { length } = sorted;
  if (length === 0) return Number.NaN;
  const middle = length >> 1;
  return length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

export const median = (values: Iterable<number>): number => medianOf(ascending(values));
