/** Windows, logs and counters replayed over a trace: how many decisions they cannot have made. */
import { countBelow, type Seen } from './seen.ts';

/** Windows of the clock: within one there are never more, and nobody is refused while there are fewer. */
export function againstAligned(
  seen: Seen,
  limit: number,
  windowMs: number,
  phaseMs: number,
  enough = Number.POSITIVE_INFINITY,
): number {
  const { lo, hi, ok, size, inLo, inLoHi } = seen;
  const indexOf = (time: number): number => Math.floor((time - phaseMs) / windowMs);
  const surely = new Map<number, number>();
  const maybe = new Map<number, number>();
  let against = 0;
  let next = 0;
  for (let at = 0; at < size; at += 1) {
    const from = indexOf(lo[at]!);
    const to = indexOf(hi[at]!);
    if (ok[at] === 1) {
      if (from === to) {
        const count = (surely.get(from) ?? 0) + 1;
        surely.set(from, count);
        if (count > limit) against += 1;
      }
    } else {
      while (next < inLo.length && inLo[next]! < hi[at]!) {
        const last = indexOf(inLoHi[next]!);
        for (let index = indexOf(inLo[next]!); index <= last; index += 1) maybe.set(index, (maybe.get(index) ?? 0) + 1);
        next += 1;
      }
      let full = false;
      for (let index = from; index <= to && !full; index += 1) full = (maybe.get(index) ?? 0) >= limit;
      if (!full) against += 1;
    }
    if (against >= enough) return against;
  }
  return against;
}

/**
 * A window opens with the first call after the last one has closed. Calls around its end may belong to it or to the
 * next one, which any of them may have opened: they are pending until a call is surely in the next.
 */
export function againstFirstCall(
  seen: Seen,
  limit: number,
  windowMs: number,
  enough = Number.POSITIVE_INFINITY,
): number {
  const { lo, hi, ok, size, later } = seen;
  let [opensLo, opensHi] = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY];
  let [surely, maybe] = [0, 0];
  let [pending, pendingLo] = [0, Number.POSITIVE_INFINITY];
  let fullUntil = Number.NEGATIVE_INFINITY;
  let against = 0;
  for (let at = 0; at < size && against < enough; at += 1) {
    const [from, to] = [lo[at]!, hi[at]!];
    const [endLo, endHi] = [opensLo + windowMs, opensHi + windowMs];
    if (ok[at] === 0) {
      const inThis = from < endHi && maybe + pending + later[at]! >= limit;
      const inNext = to >= endLo && pending + later[at]! >= limit;
      // Of the wave that opened this window, some calls may still have met the last one.
      if (!inThis && !inNext && from >= fullUntil) against += 1;
    } else if (to < endLo) {
      surely += 1;
      maybe += 1;
      // Any call of the wave that opened the window may have been the first.
      if (from < opensHi) opensHi = Math.min(opensHi, to);
      if (surely > limit) against += 1;
    } else if (from >= endHi || surely >= limit) {
      if (maybe + pending >= limit) fullUntil = endHi;
      // What was pending for longer than a window was in one that has passed.
      if (pendingLo + windowMs <= from) [pending, pendingLo] = [0, Number.POSITIVE_INFINITY];
      [opensLo, opensHi] = [Math.max(endLo, Math.min(from, pendingLo)), to];
      [surely, maybe] = [1, 1 + pending];
      [pending, pendingLo] = [0, Number.POSITIVE_INFINITY];
    } else {
      pending += 1;
      pendingLo = Math.min(pendingLo, from);
    }
  }
  return against;
}

/** More admitted within a window's length than there may be. A longer window only makes it more. */
export function logOverfull(seen: Seen, limit: number, windowMs: number, enough = Number.POSITIVE_INFINITY): number {
  const { inLo, inHi } = seen;
  let against = 0;
  let upTo = 0;
  for (let at = 0; at + limit < inLo.length; at += 1) {
    while (upTo < inHi.length && inHi[upTo]! < inLo[at]! + windowMs) upTo += 1;
    if (upTo - at > limit) {
      against += 1;
      if (against >= enough) return against;
    }
  }
  return against;
}

/** Refused although too few were admitted within a window's length. A shorter window only makes it more. */
export function logWithRoom(seen: Seen, limit: number, windowMs: number, enough = Number.POSITIVE_INFINITY): number {
  const { lo, ok, size, inHi, later } = seen;
  let against = 0;
  let before = 0;
  let gone = 0;
  for (let at = 0; at < size; at += 1) {
    if (ok[at] === 1) {
      before += 1;
      continue;
    }
    while (gone < inHi.length && inHi[gone]! <= lo[at]! - windowMs) gone += 1;
    if (before + later[at]! - gone < limit) {
      against += 1;
      if (against >= enough) return against;
    }
  }
  return against;
}

/** Calls in flight. What is on its way to the limiter or back from it is not surely in flight there. */
export function againstConcurrency(
  trace: readonly { readonly sentAt: number; readonly headAt: number; readonly admitted: boolean }[],
  limit: number,
  wayMs: number,
): number {
  const ins = trace.filter(({ admitted }) => admitted);
  const starts = Float64Array.from(ins, ({ sentAt }) => sentAt).sort();
  const ends = Float64Array.from(ins, ({ headAt }) => headAt).sort();
  const sureStarts = Float64Array.from(ins, ({ sentAt }) => sentAt + wayMs).sort();
  const sureEnds = Float64Array.from(ins, ({ sentAt, headAt }) => Math.max(sentAt, headAt - wayMs)).sort();
  let against = 0;
  for (const each of trace) {
    if (each.admitted) {
      const time = each.sentAt + wayMs;
      const surely = countBelow(sureStarts, time + 1e-9) - countBelow(sureEnds, time + 1e-9);
      if (each.headAt - wayMs > time && surely > limit) against += 1;
    } else if (countBelow(starts, each.headAt) - countBelow(ends, each.sentAt) < limit) against += 1;
  }
  return against;
}
