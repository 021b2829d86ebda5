/**
 * Whether two samples come from one distribution, by the ranks of their values (two-sided). Exact where the samples are
 * small, ties included: all ways to deal the ranks are counted. Otherwise the normal approximation, corrected for ties.
 */
import { normalBelow } from './normal.ts';

export interface MannWhitney {
  /** How often a value of the first is larger than one of the second; a tie is a half. */
  readonly u: number;
  readonly p: number;
  readonly exact: boolean;
}

/** Up to so many values together, all ways are counted. */
const exactUpTo = 50;

export function mannWhitney(first: readonly number[], second: readonly number[]): MannWhitney {
  const [n, m] = [first.length, second.length];
  if (n === 0 || m === 0) return { u: Number.NaN, p: 1, exact: true };
  const { ranks, ties } = midranks([...first, ...second]);
  const sum = ranks.slice(0, n).reduce((total, rank) => total + rank, 0);
  const u = sum - (n * (n + 1)) / 2;
  return n + m <= exactUpTo
    ? { u, p: exactly(ranks, n, sum), exact: true }
    : { u, p: nearly(u, n, m, ties), exact: false };
}

/** The rank of each value; equal ones share the mean of theirs. And how many are equal, for each that has equals. */
export function midranks(values: readonly number[]): { readonly ranks: number[]; readonly ties: number[] } {
  const order = values.map((_, at) => at).sort((a, b) => values[a]! - values[b]!);
  const ranks = new Array<number>(values.length);
  const ties: number[] = [];
  for (let from = 0; from < order.length; ) {
    let to = from;
    while (to + 1 < order.length && values[order[to + 1]!] === values[order[from]!]) to += 1;
    for (let at = from; at <= to; at += 1) ranks[order[at]!] = (from + to) / 2 + 1;
    if (to > from) ties.push(to - from + 1);
    from = to + 1;
  }
  return { ranks, ties };
}

/** The share of all ways to choose n of the ranks whose sum is at least as far from the middle. */
function exactly(ranks: readonly number[], n: number, sum: number): number {
  // Midranks are halves: doubled they are whole, and count as places of a table.
  const doubled = ranks.map((rank) => Math.round(2 * rank));
  const most = doubled.reduce((total, rank) => total + rank, 0);
  const ways = Array.from({ length: n + 1 }, () => new Float64Array(most + 1));
  ways[0]![0] = 1;
  for (const rank of doubled)
    for (let chosen = n; chosen >= 1; chosen -= 1) {
      const [to, from] = [ways[chosen]!, ways[chosen - 1]!];
      for (let total = most; total >= rank; total -= 1) to[total]! += from[total - rank]!;
    }
  const middle = n * (ranks.length + 1);
  const far = Math.abs(2 * sum - middle);
  let all = 0;
  let farther = 0;
  ways[n]!.forEach((count, total) => {
    all += count;
    if (Math.abs(total - middle) >= far) farther += count;
  });
  return Math.min(1, farther / all);
}

function nearly(u: number, n: number, m: number, ties: readonly number[]): number {
  const all = n + m;
  const tied = ties.reduce((total, each) => total + each ** 3 - each, 0);
  const variance = ((n * m) / 12) * (all + 1 - tied / (all * (all - 1)));
  if (variance <= 0) return 1;
  const distance = Math.max(0, Math.abs(u - (n * m) / 2) - 0.5);
  return Math.min(1, 2 * normalBelow(-distance / Math.sqrt(variance)));
}
