/** By how much the values of one sample lie above those of another: the median of all differences, and its interval. */
import { ascending, type Estimate, medianOf } from './interval.ts';
import { normalQuantile } from './normal.ts';

export function hodgesLehmann(from: readonly number[], to: readonly number[], confidence = 0.95): Estimate {
  const differences = ascending(to.flatMap((after) => from.map((before) => after - before)));
  const value = medianOf(differences);
  const cut = cutOf(from.length, to.length, (1 - confidence) / 2);
  // Too few runs to bound it: no way to deal the ranks is rare enough.
  if (cut === 0) return { value };
  return { value, low: differences[cut - 1]!, high: differences[differences.length - cut]! };
}

/** How many differences may be cut off at each end: as many as the Mann–Whitney test would still reject. */
function cutOf(n: number, m: number, tail: number): number {
  if (n === 0 || m === 0) return 0;
  if (n * m > 2500) {
    const half = normalQuantile(1 - tail) * Math.sqrt((n * m * (n + m + 1)) / 12);
    return Math.max(0, Math.floor((n * m) / 2 - half));
  }
  const ways = waysOfU(n, m);
  const all = ways.reduce((total, each) => total + each, 0);
  let [below, cut] = [0, 0];
  while (cut < ways.length && below + ways[cut]! <= tail * all) {
    below += ways[cut]!;
    cut += 1;
  }
  return cut;
}

/** In how many ways each U comes about: the coefficients of the Gaussian binomial. */
function waysOfU(n: number, m: number): Float64Array {
  const ways = new Float64Array(n * m + 1);
  ways[0] = 1;
  for (let each = 1; each <= n; each += 1) {
    const up = m + each;
    for (let at = ways.length - 1; at >= up; at -= 1) ways[at]! -= ways[at - up]!;
    for (let at = each; at < ways.length; at += 1) ways[at]! += ways[at - each]!;
  }
  return ways;
}
