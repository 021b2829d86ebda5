/** The numbers of a sliding counter that a trace leaves possible. */

import { exactly, type Fitted } from '../../model/limit-model.ts';
import { lengthAround, limitsSeen, mostAtFirst } from './fit-windows.ts';
import { lengthsWithin, type Span, spansBetween, usualWithin } from './lengths.ts';
import { againstCounter, type Counter } from './replay-counter.ts';
import type { Edge, Seen } from './seen.ts';

/**
 * `perSecond`: what a bucket would be that explains the same trickle; the counter's length follows from it. `others`:
 * how badly the best of all other kinds fits, for one that fits must be challenged only by lengths that suggest themselves.
 */
export function fitCounter(seen: Seen, perSecond: number | undefined, others: number): Fitted | undefined {
  if (seen.edges.length === 0) return undefined;
  const long = [...seen.edges].sort((a, b) => b.to - b.shut - (a.to - a.shut)).slice(0, 4);
  let best: Counter | undefined;
  let least = Number.POSITIVE_INFINITY;
  // After a rest the whole limit was free, so what was admitted first comes first.
  for (const limit of new Set([Math.max(1, mostAtFirst(seen)), ...limitsSeen(seen, 3)])) {
    const wide = limit <= 4 || others > 1;
    for (const windowMs of lengthsOf(seen, long, limit, perSecond, wide)) {
      if (least === 0) break;
      for (const loose of limit > 1 ? [false, true] : [false]) {
        const found = bestPhase(seen, { limit, windowMs, phaseMs: 0, loose }, long, least);
        const against = againstCounter(seen, found, least);
        if (against < least) [best, least] = [found, against];
        if (least === 0) break;
      }
    }
  }
  if (best === undefined) return undefined;
  if (least > 0) [best, least] = refined(seen, best, least);
  const { limit, windowMs, phaseMs } = best;
  const found = best;
  return {
    kind: 'sliding counter',
    burst: exactly(limit),
    windowMs: lengthAround({ limit, windowMs, against: least }, (length) =>
      // Windows of another length that agree in the middle of the trace.
      againstCounter(seen, { ...found, windowMs: length, phaseMs: moved(seen, found, length) }, least + 1),
    ),
    phaseMs: exactly(((phaseMs % windowMs) + windowMs) % windowMs),
    against: least,
  };
}

function moved(seen: Seen, { phaseMs, windowMs }: Counter, length: number): number {
  const middle = seen.lo[seen.size >> 1] ?? 0;
  return middle - ((middle - phaseMs) / windowMs) * length;
}

/** Calls' worth of error at which no sliding of the phase helps any more. */
const hopeless = 60;

/**
 * A window ended shortly before calls came back after a long while. From each such moment the phase is let slide to
 * where it explains most.
 */
function bestPhase(seen: Seen, counter: Counter, long: readonly Edge[], least: number): Counter {
  const { windowMs, limit } = counter;
  let best = { phaseMs: 0, cost: hopeless };
  // A replay is broken off as soon as it is worse than the best so far.
  const cost = (phaseMs: number): number => againstCounter(seen, { ...counter, phaseMs }, best.cost, true);
  const parts = limit <= 4 ? 16 : 6;
  for (const { from, to } of least === 0 ? [] : long) {
    const begin = from - windowMs / limit;
    for (let part = 0; part <= parts; part += 1) {
      const phaseMs = begin + ((to - begin) * part) / parts;
      const its = cost(phaseMs);
      if (its < best.cost) best = { phaseMs, cost: its };
    }
  }
  for (let step = windowMs / 12; step > 0.2 && best.cost > 0 && best.cost < hopeless; step /= 2) {
    for (const sign of [-1, 1]) {
      const phaseMs = best.phaseMs + sign * step;
      const its = cost(phaseMs);
      if (its < best.cost) best = { phaseMs, cost: its };
    }
  }
  return { ...counter, phaseMs: best.phaseMs };
}

/** Length and phase together, for an unusual length. */
function refined(seen: Seen, first: Counter, against: number): [Counter, number] {
  let best = first;
  let least = againstCounter(seen, first, Number.POSITIVE_INFINITY, true);
  const tryOne = (counter: Counter): void => {
    const its = againstCounter(seen, counter, Number.POSITIVE_INFINITY, true);
    if (its < least) [best, least] = [counter, its];
  };
  for (let reach = 0.04; reach > 2e-4 && least > 0; reach /= 1.6) {
    for (const sign of [-1, 1]) {
      tryOne({ ...best, phaseMs: best.phaseMs + sign * reach * best.windowMs });
      const windowMs = best.windowMs * (1 + sign * reach);
      tryOne({ ...best, windowMs, phaseMs: moved(seen, best, windowMs) });
    }
  }
  const now = againstCounter(seen, best);
  return now < against ? [best, now] : [first, against];
}

function lengthsOf(
  seen: Seen,
  long: readonly Edge[],
  limit: number,
  perSecond: number | undefined,
  wide: boolean,
): number[] {
  const spans: Span[] = [];
  if (perSecond !== undefined) {
    const middle = (limit * 1000) / perSecond;
    for (const off of [1, 0.97, 1.03, 0.9, 1.1]) spans.push({ low: middle * off - 1, high: middle * off + 1 });
    spans.push({ low: middle * 0.97, high: middle * 1.03 }, { low: middle * 0.75, high: middle * 1.3 });
  }
  // While calls trickle in, a whole limit would take one window.
  const paces = seen.edges
    .slice(1)
    .map((edge, at) => (limit * (edge.to - seen.edges[at]!.to)) / seen.edges[at]!.gained)
    .sort((a, b) => a - b);
  for (const part of [0.5, 0.3, 0.7]) {
    const pace = paces[Math.floor(part * paces.length)];
    if (pace !== undefined)
      spans.push({ low: pace * 0.97, high: pace * 1.03 }, { low: pace * 0.85, high: pace * 1.15 });
  }
  spans.push(...spansBetween([...long].sort((a, b) => a.from - b.from)));
  const first = seen.inLo[0] ?? 0;
  // The first burst ends with its window at the latest one window after it began.
  const least = Math.max(1, (seen.edges[0]?.from ?? first) - first);
  const likely = lengthsWithin(spans, 28);
  const all = wide ? [...likely, ...usualWithin(1000, 60_000, 60)] : likely;
  return [...new Set(all)].filter((length) => length > 4 * seen.wayMs && length * (1 + 1 / limit) >= least * 0.5);
}
