/**
 * Buckets replayed over a trace. Two replays bound the truth: one charges every admitted call as late as it can have
 * been, so it has at least as many tokens as the limiter had, and an admission without a token speaks against the model;
 * one charges as early as it can have been, and a refusal while a token is left speaks against it.
 */
import type { Seen } from './seen.ts';

/** Tokens that have come in by a moment. */
export type Inflow = (time: number) => number;

const rounding = 1e-6;

/** Admissions for which the model had no token. Less of everything only makes it more. */
export function admittedWithout(seen: Seen, burst: number, inflow: Inflow, enough = Number.POSITIVE_INFINITY): number {
  const { inHi, inHiNextLo } = seen;
  let tokens = burst;
  let before = inHi.length > 0 ? inflow(inHiNextLo[0]!) : 0;
  let against = 0;
  for (let at = 0; at < inHi.length; at += 1) {
    const now = inflow(inHi[at]!);
    tokens += now - before;
    // A full bucket gains nothing; but it may have been charged earlier than this replay does, and gained since.
    if (tokens > burst) tokens = Math.min(tokens, burst + now - inflow(inHiNextLo[at]!));
    before = now;
    tokens -= 1;
    if (tokens < -rounding) {
      against += 1;
      if (against >= enough) return against;
      tokens = 0;
    }
  }
  return against;
}

/** Refusals although the model had a token left. More of anything only makes it more. */
export function refusedWith(seen: Seen, burst: number, inflow: Inflow, enough = Number.POSITIVE_INFINITY): number {
  const { lo, ok, size, later, inLoNextHi } = seen;
  let tokens = burst;
  let before = size > 0 ? inflow(lo[0]!) : 0;
  let against = 0;
  let next = 0;
  for (let at = 0; at < size; at += 1) {
    const now = inflow(lo[at]!);
    tokens += now - before;
    before = now;
    if (ok[at] === 1) {
      // A bucket that is charged later than this replay does may be full by then, and misses what comes in after that.
      tokens = Math.min(tokens, burst - (inflow(inLoNextHi[next]!) - now));
      tokens -= 1;
      next += 1;
      continue;
    }
    const left = Math.min(burst, tokens) - later[at]!;
    if (left >= 1) {
      against += 1;
      if (against >= enough) return against;
      tokens = 1 + later[at]!;
    }
  }
  return against;
}

/** How wrong a bucket is, in decisions and in tokens, if all were made in the middle of their intervals. */
export function offInTheMiddle(seen: Seen, burst: number, inflow: Inflow): number {
  const { middle, byMiddle, ok } = seen;
  let tokens = burst;
  let before = byMiddle.length > 0 ? inflow(middle[byMiddle[0]!]!) : 0;
  let off = 0;
  for (const at of byMiddle) {
    const now = inflow(middle[at]!);
    tokens = Math.min(burst, tokens + now - before);
    before = now;
    if (ok[at] === 1) {
      if (tokens < 1 - rounding) off += 1.5 - tokens;
      tokens = Math.max(0, tokens - 1);
    } else if (tokens >= 1) {
      off += tokens - 0.5;
      tokens = 1;
    }
  }
  return off;
}
