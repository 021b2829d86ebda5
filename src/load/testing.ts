/** Measurements made by hand: a clean one, in which tests change one thing. */
import type { Histogram } from '../statistics/histogram.ts';
import { Histogram as Make } from '../statistics/histogram.ts';
import type { Unjudged } from './validity.ts';

/** A histogram of this many values of this many microseconds. */
export function histogramOf(...values: readonly (readonly [us: number, times: number])[]): Histogram {
  const histogram = Make.empty();
  for (const [us, times] of values) histogram.add(us, times);
  return histogram;
}

export const latenciesOf = (...values: readonly (readonly [number, number])[]) => histogramOf(...values).toLatencies();

const none = { count: 0 };

/** 500 requests in 10 s, each answered within 2 ms, by a generator that had little to do. */
export const clean: Unjudged = {
  id: 'latency',
  scenario: 'latency',
  engine: { name: 'k6', version: '2.2.0', model: 'open', workers: 1 },
  target: 'http://127.0.0.1:8080',
  seed: 7,
  started: '2026-11-20T21:00:00.000Z',
  plan: { perSecond: 50, warmUpSeconds: 3, seconds: 10, keys: 2, addresses: 1, refusalsExpected: false },
  achieved: { intended: 500, begun: 500, seconds: 10 },
  from: 'intended-start',
  latencies: { ok: latenciesOf([1000, 490], [2000, 10]), limited: none, other: none },
  series: [],
  groups: [],
  others: [],
  answers: { checked: 200, wrong: 0, examples: [] },
  generator: {
    cpuSeconds: 1.2,
    samples: [
      { at: -2, cpuCores: 2, rssBytes: 50_000_000, sockets: 60 },
      { at: 1, cpuCores: 0.1, rssBytes: 60_000_000, sockets: 120 },
    ],
    cores: 2,
    dropped: 0,
    lag: latenciesOf([300, 495], [4900, 5]),
    vus: { allowed: 120, usedAtMost: 3 },
    stallP99Ms: 20,
    exhausted: 0,
  },
  machine: { cpu: 'any', cores: 2, memoryBytes: 8e9, system: 'linux', node: 'v24.21.0' },
};
