/** How much something rises over time, whatever its outliers: the median of all slopes, with Sen's interval. */
import { ascending, type Estimate, medianOf } from './interval.ts';
import { normalQuantile } from './normal.ts';

export interface Point {
  readonly at: number;
  readonly value: number;
}

/** The value is not a number where there are no two points at different times. */
export function theilSen(points: readonly Point[], confidence = 0.95): Estimate {
  const slopes: number[] = [];
  for (let first = 0; first < points.length; first += 1)
    for (let second = first + 1; second < points.length; second += 1) {
      const apart = points[second]!.at - points[first]!.at;
      if (apart !== 0) slopes.push((points[second]!.value - points[first]!.value) / apart);
    }
  const sorted = ascending(slopes);
  const value = medianOf(sorted);
  const half = normalQuantile(1 - (1 - confidence) / 2) * Math.sqrt(variance(points));
  const low = Math.floor((sorted.length - half) / 2) - 1;
  const high = Math.ceil((sorted.length + half) / 2);
  // Fewer than some five points bound nothing.
  if (low < 0 || high >= sorted.length) return { value };
  return { value, low: sorted[low]!, high: sorted[high]! };
}

/** Of Kendall's score, corrected for values that are equal. */
function variance(points: readonly Point[]): number {
  const spread = (n: number): number => n * (n - 1) * (2 * n + 5);
  const equals = new Map<number, number>();
  for (const { value } of points) equals.set(value, (equals.get(value) ?? 0) + 1);
  const tied = [...equals.values()].reduce((total, each) => total + spread(each), 0);
  return (spread(points.length) - tied) / 18;
}
