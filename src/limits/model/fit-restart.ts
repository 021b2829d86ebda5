/** A window that restarts with every refused call: a refused caller must be silent for a whole one. */

import { exactly, type Fitted } from '../../model/limit-model.ts';
import { limitsSeen, tooShort } from './fit-windows.ts';
import { usualWithin } from './lengths.ts';
import type { Seen } from './seen.ts';

export function fitRestarting(seen: Seen): Fitted | undefined {
  if (seen.edges.length === 0 || seen.size === seen.admitted) return undefined;
  const { low, high } = silences(seen);
  const shortest = tooShort(seen);
  if (!Number.isFinite(high) || high < shortest) return undefined;
  const from = Math.max(low, shortest);
  const windowMs = from <= high ? (usualWithin(from, high, 1)[0] ?? (from + high) / 2) : high;
  let best: Fitted | undefined;
  for (const limit of limitsSeen(seen, 3)) {
    const against = againstRestarting(seen, limit, windowMs, best?.against);
    if (best !== undefined && against >= best.against) continue;
    best = {
      kind: 'window from first call',
      burst: exactly(limit),
      windowMs: { value: windowMs, low: Math.min(from, high), high: Math.max(from, high) },
      countsRefusals: true,
      against,
    };
  }
  return best;
}

/** The longest silence after a refusal that was not enough, and the shortest that was. */
function silences({ lo, hi, ok, size }: Seen): { readonly low: number; readonly high: number } {
  let [low, high] = [0, Number.POSITIVE_INFINITY];
  let [refusedLo, refusedHi] = [Number.NaN, Number.NEGATIVE_INFINITY];
  for (let at = 0; at < size; at += 1) {
    const isNext = !Number.isNaN(refusedLo) && lo[at]! >= refusedHi;
    if (ok[at] === 0) {
      if (isNext) low = Math.max(low, lo[at]! - refusedHi);
      refusedLo = lo[at]!;
      refusedHi = Math.max(refusedHi, hi[at]!);
    } else if (isNext) {
      high = Math.min(high, hi[at]! - refusedLo);
      refusedLo = Number.NaN;
    }
  }
  return { low, high };
}

export function againstRestarting(seen: Seen, limit: number, windowMs: number, enough = Infinity): number {
  const { lo, hi, ok, size, later } = seen;
  let [openLo, openHi] = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY];
  let [banLo, banHi] = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY];
  let [surely, maybe] = [0, 0];
  let against = 0;
  const open = (at: number): void => {
    [openLo, openHi] = [lo[at]!, hi[at]!];
    [surely, maybe] = [1, 1];
  };
  for (let at = 0; at < size && against < enough; at += 1) {
    const [from, to] = [lo[at]!, hi[at]!];
    if (ok[at] === 0) {
      const isBanned = from < banHi + windowMs;
      const isFull = from < openHi + windowMs && maybe + later[at]! >= limit;
      if (!isBanned && !isFull && later[at]! < limit) against += 1;
      [banLo, banHi] = [Math.max(banLo, from), Math.max(banHi, to)];
    } else if (openLo < banLo && from >= banHi) {
      // The first call admitted after a ban; a call sent alongside the refused ones may have arrived before them.
      if (to < banLo + windowMs) against += 1;
      open(at);
    } else if (from >= openHi + windowMs) open(at);
    else {
      maybe += 1;
      if (to < openLo + windowMs) surely += 1;
      if (surely > limit) against += 1;
    }
  }
  return against;
}
