/** What a reader wants to know of latencies: percentiles that the sample supports, each with its interval. */
import type { Latencies, ThresholdOutcome } from '../model/measurement.ts';
import { Histogram } from './histogram.ts';
import { counted, percentile } from './percentile.ts';

export { leastSamples as fewestFor } from './percentile.ts';

export const shownPercentiles = [50, 90, 95, 99, 99.9, 99.99] as const;

export interface Percentile {
  readonly percent: number;
  readonly us: number;
  /** By order statistics, whatever the distribution; each end holds 95 times of 100. */
  readonly lowUs: number;
  readonly highUs: number;
}

/** Undefined if the samples do not support it. */
export function percentileOf(histogram: Histogram, percent: number): Percentile | undefined {
  const found = percentile(counted(histogram.values()), percent);
  return found === undefined ? undefined : { percent, us: found.value, lowUs: found.low ?? 0, highUs: found.high };
}

type Bound = { readonly name: string; readonly demanded: string; readonly bound: number };
type Counted = Readonly<Record<'ok' | 'limited' | 'other', Latencies>>;

/** A percentile that the sample does not support is neither met nor missed. `outside`: answers without a latency that counts. */
export function thresholdsOf(
  bounds: readonly Bound[],
  latencies: Counted,
  outside = { ok: 0, limited: 0, other: 0 },
): ThresholdOutcome[] {
  const [limited, other] = [latencies.limited.count + outside.limited, latencies.other.count + outside.other];
  const total = latencies.ok.count + outside.ok + limited + other;
  const ok = Histogram.of(latencies.ok);
  return bounds.map(({ name, demanded, bound }): ThresholdOutcome => {
    if (name === 'errors' || name === 'admitted') {
      if (total === 0) return { name, demanded, outcome: 'unknown' };
      const share = name === 'errors' ? other / total : 1 - limited / total;
      const met = name === 'errors' ? share <= bound : share >= bound;
      return { name, demanded, came: `${Number((100 * share).toPrecision(3))}%`, outcome: met ? 'met' : 'missed' };
    }
    const percent = name.slice('latency.p'.length);
    const us = name === 'latency.max' ? maxOf(ok) : percentileOf(ok, Number(percent))?.us;
    if (us === undefined) return { name, demanded, outcome: 'unknown' };
    return { name, demanded, came: inMs(us), outcome: us <= bound ? 'met' : 'missed' };
  });
}

const maxOf = (histogram: Histogram): number | undefined => (histogram.count === 0 ? undefined : histogram.maxUs);

export const inMs = (us: number): string => {
  const ms = us / 1000;
  return ms >= 10_000 ? `${Number((ms / 1000).toPrecision(3))} s` : `${Number(ms.toPrecision(3))} ms`;
};
