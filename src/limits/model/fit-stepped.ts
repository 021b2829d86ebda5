/** The numbers of stepped refills that a trace leaves possible. */

import { exactly, type Fitted, type Measured } from '../../model/limit-model.ts';
import { lengthAround } from './fit-windows.ts';
import { lengthsWithin, phasesOf, type Span, spansBetween, within } from './lengths.ts';
import { admittedWithout, type Inflow, offInTheMiddle, refusedWith } from './replay-bucket.ts';
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
  const quanta = quantaSeen(seen.edges, most);
  const stretches = seen.edges.filter(({ from, shut, to }) => to - shut > tooFine(seen) || from === shut);
  // First roughly, by the middle of the possible phases; then the few that come close, phase by phase.
  const rough: { everyMs: number; quantum: number; against: number }[] = [];
  let close = seen.size;
  for (const everyMs of lengthsWithin(spansBetween(stretches), 48)) {
    if (everyMs < tooFine(seen)) continue;
    const { low, high } = phasesOf(stretches, everyMs);
    for (const quantum of quanta) {
      const sized = steppedBurst(seen, steps(quantum, everyMs, (low + high) / 2), most, close + far);
      // A step that fills everything is a window of the clock.
      if (sized === undefined || sized.value <= quantum) continue;
      rough.push({ everyMs, quantum, against: sized.against });
      close = Math.min(close, sized.against);
    }
  }
  rough.sort((a, b) => a.against - b.against);
  let best: Fitted | undefined;
  for (const { everyMs, quantum } of rough.slice(0, 12)) {
    const span = phasesOf(stretches, everyMs);
    for (const phaseMs of within(span, 15)) {
      if (best?.against === 0) break;
      const least: number = best?.against ?? seen.size;
      const sized = steppedBurst(seen, steps(quantum, everyMs, phaseMs), most, least);
      if (sized !== undefined && sized.against < least) best = steppedOf(sized, quantum, everyMs, phaseMs, span);
    }
  }
  return best === undefined ? undefined : withIntervals(seen, best, stretches);
}

/** More contradictions than this are not fixed by a small shift. */
const far = 10;

const steppedOf = (burst: Sized, quantum: number, everyMs: number, phaseMs: number, span: Span): Fitted => ({
  kind: 'stepped refill',
  burst: { value: burst.value, low: burst.low, high: burst.high },
  windowMs: exactly(everyMs),
  perSecond: exactly((quantum * 1000) / everyMs),
  phaseMs: { value: phaseMs % everyMs, low: span.low % everyMs, high: (span.low % everyMs) + span.high - span.low },
  quantum,
  against: burst.against,
});

interface Sized extends Measured {
  readonly against: number;
}

function quantaSeen(edges: readonly Edge[], most: number): number[] {
  const times = new Map<number, number>();
  for (const { gained } of edges) times.set(gained, (times.get(gained) ?? 0) + 1);
  const common = [...times]
    .sort((a, b) => b[1] - a[1])
    .slice(0, 5)
    .map(([gained]) => gained);
  const least = [...times.keys()].sort((a, b) => a - b).slice(0, 2);
  return [...new Set([...common.slice(0, 3), ...least, ...common, ...common.map((each) => each - 1)])]
    .filter((each) => each > 0 && each < most)
    .slice(0, 6);
}

/** The least burst that explains all admissions; more only lets it be refused less. */
function steppedBurst(seen: Seen, inflow: Inflow, most: number, enough: number): Sized | undefined {
  const search = (from: number, holds: (burst: number) => boolean): number => {
    let to = most;
    while (from < to) {
      const middle = (from + to) >> 1;
      if (holds(middle)) to = middle;
      else from = middle + 1;
    }
    return from;
  };
  const low = search(1, (burst) => admittedWithout(seen, burst, inflow, 1) === 0);
  const against = admittedWithout(seen, low, inflow, enough) + refusedWith(seen, low, inflow, enough);
  if (against > 0) {
    const less = Math.max(1, Math.floor(low * 0.9));
    const its =
      against >= enough
        ? against
        : admittedWithout(seen, less, inflow, enough) + refusedWith(seen, less, inflow, enough);
    const value = its < against ? less : low;
    return { value, low: less, high: low, against: Math.min(its, against) };
  }
  const above = search(low, (burst) => refusedWith(seen, burst, inflow, 1) > 0);
  const high = refusedWith(seen, above, inflow, 1) > 0 ? above - 1 : above;
  let value = low;
  for (let other = low + 1; other <= Math.min(high, low + 12); other += 1) {
    if (offInTheMiddle(seen, other, inflow) < offInTheMiddle(seen, value, inflow)) value = other;
  }
  return { value, low, high, against: 0 };
}

function withIntervals(seen: Seen, best: Fitted, edges: readonly Edge[]): Fitted {
  const quantum = best.quantum!;
  const measure = (everyMs: number): number => {
    let least = Number.POSITIVE_INFINITY;
    for (const phaseMs of within(phasesOf(edges, everyMs), 7)) {
      const inflow = steps(quantum, everyMs, phaseMs);
      const against = admittedWithout(seen, best.burst.value, inflow) + refusedWith(seen, best.burst.value, inflow);
      least = Math.min(least, against);
      if (least <= best.against) break;
    }
    return least;
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
