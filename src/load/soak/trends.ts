/** What rises over hours: by the slope of the whole, never by the difference of its ends. */
import type { MeasuredSecond, Measurement, ProcessSample } from '../../model/measurement.ts';
import { type Estimate, median } from '../../statistics/interval.ts';
import { type Point, theilSen } from '../../statistics/theil-sen.ts';

export interface Trend {
  readonly of: string;
  readonly verdict: 'rises' | 'falls' | 'flat' | 'cannot tell';
  /** Of the middle of it. */
  readonly usual: number;
  /** An hour. */
  readonly slope: Estimate;
  readonly seconds: number;
  readonly unit: 'ms' | 'MB' | 'share';
}

/** How many parts of the time: fewer say nothing, and neighbouring seconds are too much alike to count each. */
const parts = 60;
const leastParts = 10;
const leastPartSeconds = 5;
/** Caches and heaps fill at first. */
const settlingSeconds = 60;

/** What change over the whole matters: a share of the usual value, or of all requests. */
const matters = { ms: 0.1, MB: 0.1, share: 0.001 } as const;

type Judged = Pick<Measurement, 'series' | 'generator'> & Partial<Pick<Measurement, 'service' | 'calm'>>;

/** Where only calm time counts: a second in which requests began later than this says nothing about the service. */
const lateUs = 5000;

export function trendsOf({ series, generator, service, calm }: Judged): Trend[] {
  const end = Math.max(0, ...series.map(({ at }) => at + 1));
  const from = end > 5 * settlingSeconds ? settlingSeconds : end / 5;
  const seconds = end - from;
  const measured = series.filter(({ at }) => at >= from);
  const timely = calm === undefined ? measured : measured.filter(({ lagP99Us }) => lagP99Us <= lateUs);
  const trend = (of: string, unit: Trend['unit'], points: readonly Point[], join = medians): Trend[] => {
    const joined = join(points, from, seconds);
    return joined.length < leastParts ? [] : [trendOf(of, unit, joined, seconds)];
  };
  const memory = (of: string, samples: readonly ProcessSample[] = []) =>
    trend(
      of,
      'MB',
      samples.flatMap(({ at, rssBytes }) => (at >= from ? [{ at, value: rssBytes / 1e6 }] : [])),
    );
  return [
    ...trend('p50', 'ms', timely.flatMap(inMs('p50Us'))),
    ...trend('p99', 'ms', timely.flatMap(inMs('p99Us'))),
    ...trend(
      'the share of errors',
      'share',
      measured.map(({ at, counts }) => ({
        at,
        value: counts.other / Math.max(1, counts.ok + counts.limited + counts.other),
      })),
      means,
    ),
    ...memory('memory of the service', service?.samples),
    ...memory('memory of the generator', generator.samples),
  ];
}

const inMs =
  (member: 'p50Us' | 'p99Us') =>
  (second: MeasuredSecond): Point[] => {
    const us = second[member];
    return us === undefined ? [] : [{ at: second.at, value: us / 1000 }];
  };

/** Errors are rare: the median of most parts would be none. */
const means = joining((values) => values.reduce((sum, each) => sum + each, 0) / values.length);
const medians = joining(median);

function joining(of: (values: readonly number[]) => number) {
  return (points: readonly Point[], from: number, seconds: number): Point[] => {
    const length = Math.max(leastPartSeconds, seconds / parts);
    const groups = new Map<number, number[]>();
    for (const { at, value } of points) {
      const part = Math.floor((at - from) / length);
      const group = groups.get(part);
      if (group === undefined) groups.set(part, [value]);
      else group.push(value);
    }
    return [...groups]
      .map(([part, values]) => ({ at: from + (part + 0.5) * length, value: of(values) }))
      .sort((a, b) => a.at - b.at);
  };
}

function trendOf(of: string, unit: Trend['unit'], points: readonly Point[], seconds: number): Trend {
  const perSecond = theilSen(points);
  const usual = median(points.map(({ value }) => value));
  const bound = (unit === 'share' ? matters.share : matters[unit] * usual) / seconds;
  return { of, verdict: verdictOf(perSecond, bound), usual, slope: anHour(perSecond), seconds, unit };
}

/** It rises where that is shown and where it matters; it is flat where it is shown that nothing that matters can be there. */
function verdictOf({ value, low, high }: Estimate, bound: number): Trend['verdict'] {
  if (low === undefined || high === undefined) return 'cannot tell';
  if (low > 0 && value > bound) return 'rises';
  if (high < 0 && value < -bound) return 'falls';
  return low >= -bound && high <= bound ? 'flat' : 'cannot tell';
}

const anHour = ({ value, low, high }: Estimate): Estimate => ({
  value: 3600 * value,
  ...(low === undefined ? {} : { low: 3600 * low }),
  ...(high === undefined ? {} : { high: 3600 * high }),
});
