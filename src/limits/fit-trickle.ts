/** The numbers of stepped refills and of sliding counters that a trace leaves possible. */

import { lengthAround, limitsSeen } from './fit-windows.ts';
import { lengthsWithin, phasesOf, spansBetween } from './lengths.ts';
import { exactly, type Fitted } from './model.ts';
import { admittedWithout, type Inflow, refusedWith } from './replay-bucket.ts';
import { againstCounter } from './replay-windows.ts';
import type { Edge, Seen } from './seen.ts';

const steps =
  (quantum: number, everyMs: number, phaseMs: number): Inflow =>
  (time) =>
    quantum * Math.floor((time - phaseMs) / everyMs);

/** A step that is hardly longer than the way to the service looks like a steady inflow to everybody. */
const tooFine = (seen: Seen): number => 3 * seen.wayMs;

export function fitStepped(seen: Seen): Fitted | undefined {
  if (seen.edges.length < 2) return undefined;
  const most = Math.max(seen.opening, 1) + (seen.later[seen.ok.indexOf(0)] ?? 0);
  const quanta = quantaSeen(seen.edges);
  const stretches = seen.edges.filter(({ from, shut, to }) => to - shut > tooFine(seen) || from === shut);
  let best: Fitted | undefined;
  for (const everyMs of lengthsWithin(spansBetween(stretches))) {
    if (everyMs < tooFine(seen)) continue;
    const phase = phasesOf(stretches, everyMs);
    const phaseMs = (phase.low + phase.high) / 2;
    for (const quantum of quanta) {
      const inflow = steps(quantum, everyMs, phaseMs);
      const enough = (best?.against ?? seen.size) + 1;
      const burst = steppedBurst(seen, inflow, most, enough);
      // A step that fills everything is a window of the clock.
      if (burst === undefined || burst.against >= enough - 1 || burst.value <= quantum) continue;
      best = {
        kind: 'stepped refill',
        burst: { value: burst.value, low: burst.low, high: burst.high },
        windowMs: { value: everyMs, low: everyMs, high: everyMs },
        perSecond: exactly((quantum * 1000) / everyMs),
        phaseMs: { value: phaseMs % everyMs, low: phase.low % everyMs, high: phase.high % everyMs },
        quantum,
        against: burst.against,
      };
    }
  }
  return best === undefined ? undefined : withIntervals(seen, best, stretches);
}

function quantaSeen(edges: readonly Edge[]): number[] {
  const times = new Map<number, number>();
  for (const { gained } of edges) times.set(gained, (times.get(gained) ?? 0) + 1);
  const common = [...times]
    .sort((a, b) => b[1] - a[1])
    .slice(0, 5)
    .map(([gained]) => gained);
  return [...new Set([...common, ...common.map((each) => each - 1)])].filter((each) => each > 0).slice(0, 8);
}

function steppedBurst(
  seen: Seen,
  inflow: Inflow,
  most: number,
  enough: number,
): { value: number; low: number; high: number; against: number } | undefined {
  const search = (holds: (burst: number) => boolean): number => {
    let from = 1;
    let to = most;
    while (from < to) {
      const middle = (from + to) >> 1;
      if (holds(middle)) to = middle;
      else from = middle + 1;
    }
    return from;
  };
  const low = search((burst) => admittedWithout(seen, burst, inflow, 1) === 0);
  const above = search((burst) => refusedWith(seen, burst, inflow, 1) > 0);
  const high = refusedWith(seen, above, inflow, 1) > 0 ? above - 1 : above;
  if (low <= high)
    return { value: low, low, high, against: admittedWithout(seen, low, inflow) + refusedWith(seen, low, inflow) };
  let best: { value: number; low: number; high: number; against: number } | undefined;
  for (const value of new Set([low, Math.max(1, high), Math.max(1, (low + high) >> 1)])) {
    const against = admittedWithout(seen, value, inflow, enough) + refusedWith(seen, value, inflow, enough);
    if (best === undefined || against < best.against) best = { value, low: high, high: low, against };
  }
  return best;
}

function withIntervals(seen: Seen, best: Fitted, edges: readonly Edge[]): Fitted {
  const quantum = best.quantum!;
  const measure = (everyMs: number): number => {
    const { low, high } = phasesOf(edges, everyMs);
    const inflow = steps(quantum, everyMs, (low + high) / 2);
    return admittedWithout(seen, best.burst.value, inflow) + refusedWith(seen, best.burst.value, inflow);
  };
  const windowMs = lengthAround(
    { limit: best.burst.value, windowMs: best.windowMs!.value, against: best.against },
    measure,
  );
  const rate = (ms: number): number => (quantum * 1000) / ms;
  return {
    ...best,
    windowMs,
    perSecond: { value: rate(windowMs.value), low: rate(windowMs.high), high: rate(windowMs.low) },
  };
}

/** `perSecond`: what a bucket would be that explains the same trickle; the counter's length follows from it. */
export function fitCounter(seen: Seen, perSecond: number | undefined): Fitted | undefined {
  if (seen.edges.length === 0) return undefined;
  const long = [...seen.edges].sort((a, b) => b.to - b.shut - (a.to - a.shut)).slice(0, 3);
  const trial = { limit: 0, windowMs: 0, phaseMs: 0, loose: false, against: Number.POSITIVE_INFINITY };
  const tryOne = (limit: number, windowMs: number, phaseMs: number, loose: boolean): void => {
    const against = againstCounter(seen, limit, windowMs, phaseMs, loose, trial.against);
    if (against < trial.against) Object.assign(trial, { limit, windowMs, phaseMs, loose, against });
  };
  for (const limit of limitsSeen(seen, 4)) {
    for (const windowMs of counterLengths(seen, long, limit, perSecond)) {
      for (const { from, to } of long) {
        const begin = from - windowMs / limit;
        for (let part = 0; part <= 10; part += 1) {
          tryOne(limit, windowMs, begin + ((to - begin) * part) / 10, false);
          if (limit > 1) tryOne(limit, windowMs, begin + ((to - begin) * part) / 10, true);
        }
      }
    }
  }
  if (trial.limit === 0) return undefined;
  for (let reach = 0.05; reach > 1e-4 && trial.against > 0; reach /= 2) {
    for (const sign of [-1, 1]) {
      const { limit, windowMs, phaseMs, loose } = trial;
      tryOne(limit, windowMs, phaseMs + sign * reach * windowMs, loose);
      tryOne(limit, windowMs * (1 + sign * reach * 0.5), phaseMs, loose);
    }
  }
  const { limit, windowMs, phaseMs, loose, against } = trial;
  return {
    kind: 'sliding counter',
    burst: exactly(limit),
    windowMs: lengthAround({ limit, windowMs, against }, (length) =>
      againstCounter(seen, limit, length, phaseMs, loose, against + 1),
    ),
    phaseMs: exactly(((phaseMs % windowMs) + windowMs) % windowMs),
    against,
  };
}

function counterLengths(seen: Seen, long: readonly Edge[], limit: number, perSecond: number | undefined): number[] {
  const spans = spansBetween([...long].sort((a, b) => a.from - b.from));
  const first = seen.inLo[0] ?? 0;
  // The first burst ends with its window at the latest one window after it began.
  const least = Math.max(1, (seen.edges[0]?.from ?? first) - first);
  if (perSecond !== undefined) {
    const middle = (limit * 1000) / perSecond;
    spans.push({ low: middle * 0.8, high: middle * 1.25 });
    for (const off of [0.94, 0.97, 1, 1.03, 1.06]) spans.push({ low: middle * off, high: middle * off });
  }
  return lengthsWithin(spans, 24).filter(
    (length) => length > 4 * seen.wayMs && length * (1 + 1 / limit) >= least * 0.5,
  );
}
