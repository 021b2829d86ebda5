/** For tests: a service with a known knee, in virtual time, and what is in its way. */
import { measurementOf } from '../../../reports/testing.ts';
import type { InvalidCause, MeasuredSecond, Measurement } from '../../model/measurement.ts';
import { type Random, seeded } from '../../random.ts';
import { Histogram } from '../../statistics/histogram.ts';
import { normalQuantile } from '../../statistics/normal.ts';
import { lateStarts } from '../validity.ts';

export interface Simulated {
  readonly slots: number;
  readonly serviceMs: number;
  /** `drawn`: exponential, so that queues come and go below the knee too. */
  readonly service?: 'fixed' | 'drawn';
  /** The machine stops for a moment, once in this many seconds. */
  readonly hiccups?: { readonly everySeconds: number; readonly ms: number };
  /** Requests a second that the limiter lets through. */
  readonly limiter?: number;
  /** Requests a second that the generator can send. */
  readonly generator?: number;
  /** The generator is kept from the processor for a moment, once in this many seconds, and sends late what was due then. */
  readonly stalls?: { readonly everySeconds: number; readonly ms: number };
  /** How many requests in flight the generator can handle. */
  readonly vus?: number;
  /** The share of answers that are errors, at any rate. */
  readonly errors?: number;
}

export const kneeOf = ({ slots, serviceMs }: Simulated): number => (slots * 1000) / serviceMs;

export interface Asked {
  readonly perSecond: number;
  readonly warmUpSeconds: number;
  readonly seconds: number;
}

/** One step: evenly spaced arrivals at slots that serve them in order. */
export function simulate(service: Simulated, asked: Asked, seed: number): Measurement {
  const random = seeded(seed);
  const { perSecond, warmUpSeconds, seconds } = asked;
  const free = new Float64Array(service.slots);
  const ends: number[] = [];
  const hiccup = hiccups(service.hiccups, warmUpSeconds + seconds, random);
  const stall = hiccups(service.stalls, warmUpSeconds + seconds, random);
  const lag = Histogram.empty();
  const ok = Histogram.empty();
  const bySecond: number[][] = Array.from({ length: Math.ceil(seconds) }, () => []);
  let [dropped, failed, limited, used, oldest] = [0, 0, 0, 0, 0];
  const begun = Math.floor((warmUpSeconds + seconds) * perSecond);
  for (let slot = 0; slot < begun; slot += 1) {
    const intended = (slot * 1000) / perSecond;
    const measured = intended >= warmUpSeconds * 1000;
    if (service.limiter !== undefined && random() > service.limiter / perSecond) {
      limited += measured ? 1 : 0;
      continue;
    }
    while (oldest < ends.length && ends[oldest]! <= intended) oldest += 1;
    const underWay = ends.length - oldest;
    used = Math.max(used, Math.min(underWay + 1, service.vus ?? 1e6));
    if (underWay >= (service.vus ?? 1e6) || random() > (service.generator ?? Number.POSITIVE_INFINITY) / perSecond) {
      dropped += 1;
      continue;
    }
    let first = 0;
    for (let each = 1; each < free.length; each += 1) if (free[each]! < free[first]!) first = each;
    const sent = stall(intended);
    const from = hiccup(Math.max(sent, free[first]!));
    const end = from + timeOf(service, random);
    free[first] = end;
    insert(ends, end, oldest);
    if (!measured) continue;
    lag.add(1000 * (sent - intended) + 300);
    if (random() < (service.errors ?? 0)) failed += 1;
    else {
      const us = 1000 * (end - intended + 0.5 - 0.5 * Math.log(1 - random()));
      ok.add(us);
      bySecond[Math.floor(intended / 1000 - warmUpSeconds)]?.push(us);
    }
  }
  const reasons: { cause: InvalidCause; says: string; change: string }[] = [];
  if (dropped > 0) reasons.push({ cause: 'generator', says: `${dropped} requests were not sent`, change: 'more VUs' });
  if (limited > 0) reasons.push({ cause: 'limiter', says: `${limited} were refused with 429`, change: 'more keys' });
  const other = Histogram.empty();
  if (failed > 0) other.add(1000, failed);
  const { generator } = measurementOf();
  const weak = (service.generator ?? Number.POSITIVE_INFINITY) < perSecond;
  const simulated = measurementOf({
    latencies: { ok: ok.toLatencies(), limited: { count: 0 }, other: other.toLatencies() },
    series: bySecond.flatMap((each, at) => (each.length === 0 ? [] : [second(at, each)])),
    generator: {
      ...generator,
      lag: lag.toLatencies(),
      dropped,
      samples: [{ at: 0, cpuCores: weak ? 1.9 : 0.4, rssBytes: 4e7 }],
      vus: { allowed: service.vus ?? 1e6, usedAtMost: used },
    },
  });
  reasons.push(...lateStarts(simulated));
  const validity = reasons.length === 0 ? { verdict: 'valid', reasons } : { verdict: 'invalid', reasons };
  return { ...simulated, validity } as Measurement;
}

function timeOf({ serviceMs, service = 'fixed' }: Simulated, random: Random): number {
  if (service === 'drawn') return -serviceMs * Math.log(1 - random());
  return serviceMs * (1 + 0.03 * normalQuantile(0.001 + 0.998 * random()));
}

/** When something can go on that would begin now. */
function hiccups(of: Simulated['hiccups'], seconds: number, random: Random): (at: number) => number {
  const { everySeconds, ms } = of ?? { everySeconds: Number.POSITIVE_INFINITY, ms: 0 };
  const stops: number[] = [];
  for (let at = 0; at < seconds; at += 1) if (random() < 1 / everySeconds) stops.push(1000 * (at + random()));
  return (at) => stops.reduce((now, stop) => (now >= stop && now < stop + ms ? stop + ms : now), at);
}

/** Ends are nearly in order; the few that are not are put in their place. */
function insert(ends: number[], end: number, from: number): void {
  let at = ends.length;
  while (at > from && ends[at - 1]! > end) at -= 1;
  ends.splice(at, 0, end);
}

function second(at: number, values: readonly number[]): MeasuredSecond {
  const sorted = [...values].sort((a, b) => a - b);
  const pick = (share: number): number =>
    Math.round(sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]!);
  return {
    at,
    counts: { ok: values.length, limited: 0, other: 0 },
    p50Us: pick(0.5),
    p99Us: pick(0.99),
    maxUs: pick(1),
    lagP99Us: 300,
  };
}
