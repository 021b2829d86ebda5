/** The numbers of stepped refills that a trace leaves possible. */

import { lengthAround } from './fit-windows.ts';
import { lengthsWithin, phasesOf, spansBetween } from './lengths.ts';
import { exactly, type Fitted } from './model.ts';
import { admittedWithout, type Inflow, refusedWith } from './replay-bucket.ts';
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
