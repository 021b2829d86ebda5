/**
 * A sliding counter replayed over a trace: the last window's count fades while this one's grows. As with buckets, one
 * replay has at most what the limiter had counted and one at least that; a call at a window's edge is counted in the
 * window in which it weighs less, or more.
 */
import type { Seen } from './seen.ts';

export interface Counter {
  readonly limit: number;
  readonly windowMs: number;
  readonly phaseMs: number;
  /** A call fits as long as the sum is below the limit; otherwise only if it is with the call itself no more than it. */
  readonly loose: boolean;
}

/** Counts of the last windows, as a moment has them. */
interface Counts {
  index: number;
  before: number;
  now: number;
  next: number;
}

function sumAt(counts: Counts, position: number): number {
  const index = Math.floor(position);
  if (index > counts.index) {
    const passed = index - counts.index;
    const { now, next } = counts;
    counts.before = passed === 1 ? now : passed === 2 ? next : 0;
    counts.now = passed === 1 ? next : 0;
    counts.next = 0;
    counts.index = index;
  }
  // What may be of the next window already may as well be of this one still.
  return counts.before * (1 - (position - index)) + counts.now + counts.next;
}

function count(counts: Counts, index: number): void {
  if (index > counts.index) counts.next += 1;
  else if (index === counts.index) counts.now += 1;
  else if (index === counts.index - 1) counts.before += 1;
}

const slack = 1e-6;

/** `weighed`: by how much each decision is wrong, for a search that needs a slope. */
export function againstCounter(
  seen: Seen,
  counter: Counter,
  enough = Number.POSITIVE_INFINITY,
  weighed = false,
): number {
  const { limit, windowMs, phaseMs, loose } = counter;
  const { lo, hi, ok, size, inHi, inHiLo, later } = seen;
  const most = loose ? limit : limit - 1;
  const low: Counts = { index: Number.NEGATIVE_INFINITY, before: 0, now: 0, next: 0 };
  let against = 0;
  for (let call = 0; call < inHi.length; call += 1) {
    const over = sumAt(low, (inHi[call]! - phaseMs) / windowMs) - most;
    if (over > slack) against += weighed ? over : 1;
    if (against >= enough) return against;
    count(low, Math.floor((inHiLo[call]! - phaseMs) / windowMs));
  }
  const high: Counts = { index: Number.NEGATIVE_INFINITY, before: 0, now: 0, next: 0 };
  for (let call = 0; call < size; call += 1) {
    const sum = sumAt(high, (lo[call]! - phaseMs) / windowMs);
    if (ok[call] === 1) count(high, Math.floor((hi[call]! - phaseMs) / windowMs));
    else {
      const under = most - sum - later[call]!;
      if (loose ? under > slack : under >= -slack) against += weighed ? under + slack : 1;
    }
    if (against >= enough) return against;
  }
  return against;
}
