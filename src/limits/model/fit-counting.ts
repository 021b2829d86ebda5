/** A log that keeps refused calls too: found by silence, because a caller that keeps calling is never admitted again. */

import { exactly, type Fitted } from '../../model/limit-model.ts';
import { limitsSeen, tooShort } from './fit-windows.ts';
import { usualWithin } from './lengths.ts';
import { logOverfull } from './replay-windows.ts';
import { countBelow, type Seen } from './seen.ts';

export function fitCountingLog(seen: Seen): Fitted | undefined {
  if (seen.admitted === 0 || seen.size === seen.admitted) return undefined;
  const hiSorted = Float64Array.from(seen.hi).sort();
  let best: Fitted | undefined;
  for (const limit of limitsSeen(seen, 3)) {
    const shortest = tooShort(seen);
    const low = Math.max(
      shortest,
      longest((windowMs) => withRoom(seen, hiSorted, limit, windowMs, 1) > 0),
    );
    const high = Math.max(
      shortest,
      longest((windowMs) => overfull(seen, hiSorted, limit, windowMs, 1) === 0),
    );
    const windowMs = low <= high ? (usualWithin(low, high, 1)[0] ?? (low + high) / 2) : Math.sqrt(low * high);
    const against = withRoom(seen, hiSorted, limit, windowMs) + overfull(seen, hiSorted, limit, windowMs);
    if (best !== undefined && against >= best.against) continue;
    best = {
      kind: 'sliding log',
      burst: exactly(limit),
      windowMs: { value: windowMs, low: Math.min(low, high), high: Math.max(low, high) },
      countsRefusals: true,
      against,
    };
  }
  return best;
}

/** Refused although fewer calls than the limit, refused ones counted, can have come within a window before. */
function withRoom(seen: Seen, hiSorted: Float64Array, limit: number, windowMs: number, enough = Infinity): number {
  let against = 0;
  for (let at = 0; at < seen.size && against < enough; at += 1) {
    if (seen.ok[at] === 1) continue;
    const before = countBelow(seen.lo, seen.hi[at]!) - 1;
    if (before - countBelow(hiSorted, seen.lo[at]! - windowMs) < limit) against += 1;
  }
  return against;
}

/** Admitted although as many calls as the limit surely came within a window before. */
function overfull(seen: Seen, hiSorted: Float64Array, limit: number, windowMs: number, enough = Infinity): number {
  let against = logOverfull(seen, limit, windowMs, enough);
  for (let at = 0; at < seen.size && against < enough; at += 1) {
    if (seen.ok[at] !== 1) continue;
    const before = countBelow(hiSorted, seen.lo[at]!);
    if (before - countBelow(seen.lo, seen.hi[at]! - windowMs) >= limit) against += 1;
  }
  return against;
}

function longest(holds: (windowMs: number) => boolean): number {
  let from = 0;
  let to = Math.log(1e9);
  for (let round = 0; round < 22; round += 1) {
    const middle = (from + to) / 2;
    if (holds(Math.exp(middle))) from = middle;
    else to = middle;
  }
  return Math.exp((from + to) / 2);
}
