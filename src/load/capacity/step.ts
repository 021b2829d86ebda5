/** The result of one step of a search: the figures that are compared with a promise. */
import type { Measurement, Validity } from '../../model/measurement.ts';
import { Histogram } from '../../statistics/histogram.ts';
import type { Estimate } from '../../statistics/interval.ts';
import { counted, leastSamples, percentile } from '../../statistics/percentile.ts';
import { theilSen } from '../../statistics/theil-sen.ts';
import { isOnlyLate } from '../validity.ts';

/** What a rate has to keep: a percentile of latency from the intended start, and a share of errors. */
export interface Promised {
  readonly percent: number;
  readonly withinMs: number;
  /** From 0 to 1. */
  readonly errors: number;
}

export interface StepResult {
  /** Of the 2xx, in milliseconds; absent if the samples do not support the percentile. */
  readonly latency?: Estimate;
  /** By how much the median rises, in milliseconds a second; absent if there were too few seconds. */
  readonly growth?: Estimate;
  readonly answers: number;
  readonly successes: number;
  readonly errors: number;
  readonly validity: Validity;
  /** The generator was short of VUs and of nothing else: all of them wait for answers. */
  readonly allWaiting: boolean;
  /** Requests began late, and nothing else is wrong. */
  readonly onlyLate: boolean;
  /** By how many milliseconds the latest request began late. */
  readonly lateByMs: number;
}

/** The share of its cores from which on a generator is not believed. */
const busy = 0.8;

export function stepOf(measurement: Measurement, { percent }: Pick<Promised, 'percent'>): StepResult {
  const { latencies, series, validity, generator } = measurement;
  const found = percentile(counted(Histogram.of(latencies.ok).values()), percent);
  const seconds = series.filter(({ at, p50Us }) => at >= 0 && p50Us !== undefined);
  return {
    ...(found === undefined ? {} : { latency: inMs(found) }),
    ...(seconds.length < 8 ? {} : { growth: inMs(theilSen(seconds.map(({ at, p50Us }) => ({ at, value: p50Us! })))) }),
    answers: latencies.ok.count + latencies.limited.count + latencies.other.count,
    successes: latencies.ok.count,
    errors: latencies.other.count,
    validity,
    allWaiting: isAllWaiting(measurement),
    onlyLate: isOnlyLate(measurement, validity),
    lateByMs: Histogram.of(generator.lag).maxUs / 1000,
  };
}

function isAllWaiting({ generator: { vus, samples, cores, exhausted } }: Measurement): boolean {
  const most = Math.max(0, ...samples.map(({ cpuCores }) => cpuCores));
  return exhausted === 0 && vus.usedAtMost >= 0.9 * vus.allowed && most < busy * cores;
}

const inMs = ({ value, low, high }: Estimate): Estimate => ({
  value: value / 1000,
  ...(low === undefined ? {} : { low: low / 1000 }),
  ...(high === undefined ? {} : { high: high / 1000 }),
});

/** How long a step must measure at a rate, so that the percentile has a useful interval. */
export const secondsFor = (perSecond: number, percent: number, atLeast: number): number =>
  Math.max(atLeast, Math.ceil((3.4 * leastSamples(percent)) / perSecond));
