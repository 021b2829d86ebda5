import { expect, test } from 'vitest';
import type { MeasuredGroup, MeasuredSecond } from '../model/measurement.ts';
import { percentileOf, thresholdsOf } from '../statistics/figures.ts';
import { conclusionsOf } from './conclusions.ts';
import { clean, histogramOf, latenciesOf } from './testing.ts';

const none = { count: 0 };
const group = (name: string, from: number, to: number, ok: readonly [number, number], limited = 0): MeasuredGroup => ({
  name,
  plannedPerSecond: 10,
  from,
  to,
  latencies: { ok: latenciesOf(ok), limited: limited === 0 ? none : latenciesOf([300, limited]), other: none },
});

test('admitted calls are compared with the declared limit, with one more at the edge', () => {
  const measured = {
    ...clean,
    scenario: 'limits' as const,
    plan: { ...clean.plan, keys: 1 },
    groups: [group('1.5 × the limit', 0, 10, [1000, 61], 9)],
  };
  const limits = (burst: number) => ({ key: { perSecond: 5, burst } });
  expect(conclusionsOf(measured, limits(10))).toEqual([
    '1.5 × the limit: 10 a second offered, 6.1 admitted, 9 refused, as declared',
  ]);
  expect(conclusionsOf(measured, limits(9))[0]).toContain('more than the 60 that the declared limit allows in 10 s');
  expect(conclusionsOf(measured, {})[0]).not.toContain('declared');
});

test('a quiet key is harmed by being refused, or by being shown to become slower', () => {
  const isolation = (beside: MeasuredGroup, noisy = group('noisy', 10, 20, [900, 100], 500)) =>
    conclusionsOf(
      { ...clean, scenario: 'isolation', groups: [group('quiet, alone', 0, 10, [1000, 100]), beside, noisy] },
      {},
    ).join('; ');
  expect(isolation(group('beside', 10, 20, [1000, 100]))).toBe(
    'the noisy key was refused 500 times; the quiet key was never refused; it was not shown to become slower: 95 of 100 within 1 ms, and 1 ms when alone',
  );
  expect(isolation(group('beside', 10, 20, [1000, 90], 10))).toContain('refused 10 times for what the noisy one did');
  expect(isolation(group('beside', 10, 20, [9000, 100]))).toContain('it became slower: 95 of 100 within 9');
  expect(isolation(group('beside', 10, 20, [1000, 20]))).toContain('too few answers');
  expect(isolation(group('beside', 10, 20, [1000, 100]), group('noisy', 10, 20, [900, 600]))).toContain(
    'nothing was tried',
  );
});

test('after a spike, the seconds until it answers as before are counted, or it never did', () => {
  const second = (at: number, p99Us: number, limited = 0): MeasuredSecond => ({
    at,
    counts: { ok: 9, limited, other: 0 },
    p50Us: 1,
    p99Us,
    maxUs: p99Us,
    lagP99Us: 0,
  });
  const groups = [
    group('before', 0, 5, [1000, 50]),
    group('spike', 5, 10, [9000, 200]),
    group('after', 10, 20, [1000, 100]),
  ];
  const spike = (after: (at: number) => MeasuredSecond) =>
    conclusionsOf(
      {
        ...clean,
        scenario: 'spike',
        groups,
        series: Array.from({ length: 20 }, (_, at) =>
          at < 5 ? second(at, 1000) : at < 10 ? second(at, 90_000) : after(at),
        ),
      },
      {},
    )[0];
  expect(spike((at) => second(at, 1500))).toContain('from the first second on');
  expect(spike((at) => second(at, at < 13 ? 50_000 : 1500))).toBe('after the spike it took 3 s to recover');
  expect(spike((at) => second(at, 1500, at < 12 ? 1 : 0))).toContain('took 2 s');
  expect(spike((at) => second(at, 50_000))).toBe('it did not recover within 10 s after the spike');
});

test('a ramp says from which rate on answers become slower, where that lasts to its end', () => {
  const ramp = (of: (at: number) => number | undefined, failed = (_: number) => 0, length = 40) =>
    conclusionsOf(
      {
        ...clean,
        scenario: 'ramp',
        plan: { ...clean.plan, perSecond: 100 },
        series: Array.from({ length }, (_, at): MeasuredSecond => {
          const p50Us = of(at);
          const counts = { ok: 20 + 2 * at, limited: 0, other: failed(at) };
          const figures = p50Us === undefined ? {} : { p50Us, p99Us: p50Us, maxUs: p50Us };
          return { at, counts, intended: 20 + 2 * at, ...figures, lagP99Us: 0 };
        }),
      },
      {},
    )[0];
  expect(ramp(() => 1000)).toBe(
    'up to 100 a second answers stayed as fast: half of them within 1 ms at the beginning, 1 ms at the end',
  );
  expect(ramp((at) => (at < 25 ? 5000 : 40_000))).toBe(
    'from about 70 a second on answers became slower: half of them within 5 ms at the beginning, 40 ms from there on',
  );
  // What passes again is no end of what it can do, and neither is a moment at the very end.
  expect(ramp((at) => (at === 20 || at > 37 ? 90_000 : 5000))).toContain('stayed as fast');
  expect(
    ramp(
      (at) => (at < 25 ? 5000 : 6000),
      (at) => (at < 30 ? 0 : 40),
    ),
  ).toContain('from about 80 a second on');
  expect(
    ramp(
      (at) => (at < 25 ? 5000 : undefined),
      (at) => (at < 25 ? 0 : 70),
    ),
  ).toContain('none answered');
  expect(
    ramp(
      () => 1000,
      () => 0,
      9,
    ),
  ).toContain('too short');
});

test('percentiles stand where the sample supports them, with an interval', () => {
  const values = (count: number) =>
    histogramOf(...Array.from({ length: count }, (_, at): [number, number] => [at + 1, 1]));
  expect(percentileOf(values(298), 99)).toBeUndefined();
  expect(percentileOf(values(299), 99)).toMatchObject({ us: 297, highUs: 299 });
  const { us, lowUs, highUs } = percentileOf(values(1000), 50)!;
  expect([us, lowUs, highUs]).toEqual([500, 474, 527]);
});

test('thresholds: met, missed, and undetermined', () => {
  const bounds = [
    { name: 'latency.p50', demanded: '2ms', bound: 2000 },
    { name: 'latency.p99.9', demanded: '2ms', bound: 2000 },
    { name: 'latency.max', demanded: '1ms', bound: 1000 },
    { name: 'errors', demanded: '1%', bound: 0.01 },
    { name: 'admitted', demanded: '99%', bound: 0.99 },
  ];
  const outcomes = (latencies: Parameters<typeof thresholdsOf>[1]) =>
    thresholdsOf(bounds, latencies).map(({ outcome }) => outcome);
  expect(outcomes(clean.latencies)).toEqual(['met', 'unknown', 'missed', 'met', 'met']);
  expect(outcomes({ ok: latenciesOf([1000, 90]), limited: latenciesOf([1, 5]), other: latenciesOf([1, 5]) })).toEqual([
    'met',
    'unknown',
    'met',
    'missed',
    'missed',
  ]);
  expect(outcomes({ ok: none, limited: none, other: none })).toEqual([
    'unknown',
    'unknown',
    'unknown',
    'unknown',
    'unknown',
  ]);
});
