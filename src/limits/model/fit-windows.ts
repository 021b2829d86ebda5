/** The numbers of windows and logs that a trace leaves possible. */

import { exactly, type Fitted, type Measured } from '../../model/limit-model.ts';
import { lengthsWithin, phasesOf, type Span, spansBetween, usualWithin, within } from './lengths.ts';
import { againstAligned, againstFirstCall, logOverfull, logWithRoom } from './replay-windows.ts';
import type { Seen } from './seen.ts';

/** Admitted before the first refusal, or possibly so. */
export const mostAtFirst = (seen: Seen): number => seen.opening + (seen.later[seen.ok.indexOf(0)] ?? 0);

/** The calls admitted in one burst are candidates for the limit. */
export function limitsSeen(seen: Seen, most = 8): number[] {
  const times = new Map<number, number>();
  const count = (value: number, weight: number): void => {
    if (value > 0) times.set(value, (times.get(value) ?? 0) + weight);
  };
  count(seen.opening, 3);
  count(mostAtFirst(seen), 3);
  for (const { gained } of seen.edges) {
    count(gained, 2);
    count(gained + 1, 1);
  }
  return [...times]
    .sort((a, b) => b[1] - a[1] || b[0] - a[0])
    .slice(0, most)
    .map(([value]) => value);
}

/** Within a window that is shorter than the way, nothing that was admitted can speak against it. */
export const tooShort = (seen: Seen): number => 2 * seen.wayMs;

interface Best {
  limit: number;
  windowMs: number;
  phase?: Span;
  against: number;
}

export function fitAligned(seen: Seen): Fitted | undefined {
  if (seen.edges.length === 0) return undefined;
  const best: Best = { limit: 0, windowMs: 0, against: Number.POSITIVE_INFINITY };
  const limits = limitsSeen(seen);
  const tryOne = (windowMs: number, limit: number, parts: number): number => {
    let least = Number.POSITIVE_INFINITY;
    for (const phaseMs of within(phasesOf(seen.edges, windowMs), parts)) {
      const enough = Math.min(least, best.against + 9);
      least = Math.min(least, againstAligned(seen, limit, windowMs, phaseMs, enough));
      if (least === 0) break;
    }
    return least;
  };
  for (const windowMs of lengthsWithin(spansBetween(seen.edges))) {
    if (windowMs < tooShort(seen)) continue;
    for (const limit of limits) {
      const rough = tryOne(windowMs, limit, 1);
      const against = rough > 0 && rough <= best.against + 8 ? tryOne(windowMs, limit, 9) : rough;
      if (against < best.against) Object.assign(best, { limit, windowMs, against });
    }
  }
  if (best.limit === 0) return undefined;
  const { low, high } = phasesOf(seen.edges, best.windowMs);
  const begin = ((low % best.windowMs) + best.windowMs) % best.windowMs;
  return {
    kind: 'window aligned',
    burst: limitAround(best, (limit) => tryOne(best.windowMs, limit, 3)),
    windowMs: lengthAround(best, (windowMs) => tryOne(windowMs, best.limit, 5)),
    phaseMs: { value: begin + (high - low) / 2, low: begin, high: begin + high - low },
    against: best.against,
  };
}

export function fitFirstCall(seen: Seen): Fitted | undefined {
  if (seen.edges.length === 0) return undefined;
  const best: Best = { limit: 0, windowMs: 0, against: Number.POSITIVE_INFINITY };
  const limits = limitsSeen(seen);
  for (const windowMs of lengthsWithin(spansFromStarts(seen))) {
    if (windowMs < tooShort(seen)) continue;
    for (const limit of limits) {
      const against = againstFirstCall(seen, limit, windowMs, best.against + 1);
      if (against < best.against) Object.assign(best, { limit, windowMs, against });
    }
  }
  if (best.limit === 0) return undefined;
  return {
    kind: 'window from first call',
    burst: limitAround(best, (limit) => againstFirstCall(seen, limit, best.windowMs)),
    windowMs: lengthAround(best, (windowMs) => againstFirstCall(seen, best.limit, windowMs, best.against + 1)),
    against: best.against,
  };
}

/** From a call that may have opened a window to an edge that may have been its end. */
function spansFromStarts({ inLo, inLoHi, edges }: Seen): Span[] {
  const gaps = Array.from(inLo.keys())
    .slice(1)
    .sort((a, b) => inLo[b]! - inLoHi[b - 1]! - (inLo[a]! - inLoHi[a - 1]!));
  const starts = [0, ...gaps.slice(0, 10)].sort((a, b) => a - b);
  const spans: Span[] = [];
  for (const start of starts) {
    const next = edges.filter(({ to }) => to > inLoHi[start]!).slice(0, 2);
    for (const { from, to } of next) {
      const low = Math.max(1, from - inLoHi[start]!);
      spans.push({ low, high: Math.max(low, to - inLo[start]!) });
    }
  }
  return spans;
}

/** The limit is certain when one more and one less explain less. */
function limitAround({ limit, against }: Best, measure: (limit: number) => number): Measured {
  let low = limit;
  let high = limit;
  while (low > 1 && limit - low < 5 && measure(low - 1) <= against) low -= 1;
  while (high - limit < 5 && measure(high + 1) <= against) high += 1;
  return { value: limit, low, high };
}

/** How far a length can be changed before it explains less. */
export function lengthAround(best: Best, measure: (windowMs: number) => number): Measured {
  const reach = (sign: 1 | -1): number => {
    let fits = 0;
    let fails = best.windowMs * 0.5;
    for (let round = 0; round < 12; round += 1) {
      const middle = (fits + fails) / 2;
      if (measure(best.windowMs + sign * middle) <= best.against) fits = middle;
      else fails = middle;
    }
    return fits;
  };
  const low = best.windowMs - reach(-1);
  const high = best.windowMs + reach(1);
  // People write round numbers: one that explains as much is more likely than the middle of what is possible.
  const value = usualWithin(low, high, 8).find((each) => measure(each) <= best.against) ?? best.windowMs;
  return { value, low, high };
}

export function fitLog(seen: Seen): Fitted | undefined {
  if (seen.admitted === 0 || seen.size === seen.admitted) return undefined;
  let best: Fitted | undefined;
  for (const limit of limitsSeen(seen)) {
    const shortest = tooShort(seen);
    const least = Math.max(
      shortest,
      bisect((windowMs) => logWithRoom(seen, limit, windowMs, 1) > 0),
    );
    const most = Math.max(
      shortest,
      bisect((windowMs) => logOverfull(seen, limit, windowMs, 1) === 0),
    );
    const windowMs = least <= most ? likely(least, most) : leastBad(seen, limit, least, most);
    const against = logWithRoom(seen, limit, windowMs) + logOverfull(seen, limit, windowMs);
    if (best === undefined || against < best.against) {
      const [low, high] = least <= most ? [least, most] : [most, least];
      best = { kind: 'sliding log', burst: exactly(limit), windowMs: { value: windowMs, low, high }, against };
    } else if (against === best.against && Math.abs(limit - best.burst.value) <= 5) {
      const { value, low, high } = best.burst;
      best = { ...best, burst: { value, low: Math.min(low, limit), high: Math.max(high, limit) } };
    }
  }
  return best;
}

const likely = (low: number, high: number): number =>
  usualWithin(low, high, 1)[0] ?? (Number.isFinite(high) ? (low + high) / 2 : low);

const longestMs = 1e9;

/** The greatest length for which it holds, on a scale of factors. */
function bisect(holds: (windowMs: number) => boolean): number {
  let from = 0;
  let to = Math.log(longestMs);
  for (let round = 0; round < 34; round += 1) {
    const middle = (from + to) / 2;
    if (holds(Math.exp(middle))) from = middle;
    else to = middle;
  }
  return Math.exp((from + to) / 2);
}

function leastBad(seen: Seen, limit: number, least: number, most: number): number {
  let found = { windowMs: most, against: Number.POSITIVE_INFINITY };
  const spans = [{ low: Math.min(least, most), high: Math.max(least, most) }];
  for (const windowMs of [least, most, ...lengthsWithin(spans, 6)]) {
    const against = logWithRoom(seen, limit, windowMs) + logOverfull(seen, limit, windowMs);
    if (against < found.against) found = { windowMs, against };
  }
  return found.windowMs;
}
