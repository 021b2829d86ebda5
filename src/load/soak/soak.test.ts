import { describe, expect, test } from 'vitest';
import { measurementOf } from '../../../reports/testing.ts';
import type { Measurement, ProcessSample } from '../../model/measurement.ts';
import { seeded } from '../../random.ts';
import { normalQuantile } from '../../statistics/normal.ts';
import { type Trend, trendsOf } from './trends.ts';
import { sayTrend, soakConclusions } from './words.ts';

interface Drawn {
  readonly seconds?: number;
  /** Milliseconds at a second. */
  readonly ms?: (at: number) => number;
  /** How much seconds differ. */
  readonly spread?: number;
  readonly errors?: (at: number) => number;
  readonly mb?: (at: number) => number;
}

const random = seeded(31);
const jitter = (spread: number): number => 1 + spread * normalQuantile(0.001 + 0.998 * random());

function soak({ seconds = 1200, ms = () => 20, spread = 0.05, errors = () => 0, mb }: Drawn = {}): Measurement {
  const series = Array.from({ length: seconds + 3 }, (_, at) => at - 3).map((at) => {
    const p50Us = 1000 * ms(at) * jitter(spread);
    const other = errors(at);
    return {
      at,
      counts: { ok: 1000 - other, limited: 0, other },
      p50Us,
      p99Us: 3 * p50Us,
      maxUs: 9 * p50Us,
      lagP99Us: 300,
    };
  });
  const samples = (of: (at: number) => number): ProcessSample[] =>
    Array.from({ length: seconds }, (_, at) => ({
      at,
      cpuCores: 0.3,
      rssBytes: Math.round(1e6 * of(at) * jitter(0.02)),
    }));
  const { generator } = measurementOf();
  return measurementOf({
    series,
    generator: { ...generator, samples: samples(() => 60) },
    ...(mb === undefined ? {} : { service: { cpuSeconds: 10, samples: samples(mb) } }),
  });
}

const verdictOf = (of: string, how: Drawn): Trend['verdict'] =>
  trendsOf(soak(how)).find((each) => each.of === of)!.verdict;

describe('trends', () => {
  test('nothing happens: all is flat', () => {
    const trends = trendsOf(soak({ mb: () => 200 }));
    expect(trends.map(({ of, verdict }) => [of, verdict])).toEqual([
      ['p50', 'flat'],
      ['p99', 'flat'],
      ['the share of errors', 'flat'],
      ['memory of the service', 'flat'],
      ['memory of the generator', 'flat'],
    ]);
  });

  test('a leak, a queue that grows, errors that come: rises', () => {
    expect(verdictOf('memory of the service', { mb: (at) => 200 + at / 20 })).toBe('rises');
    expect(verdictOf('p50', { ms: (at) => 20 + at / 200 })).toBe('rises');
    expect(verdictOf('the share of errors', { errors: (at) => Math.floor(at / 100) })).toBe('rises');
    expect(verdictOf('p50', { ms: (at) => 30 - at / 100 })).toBe('falls');
  });

  test('the slope is shown with its interval', () => {
    const [p50] = trendsOf(soak({ ms: (at) => 20 + at / 200 }));
    expect(p50!.slope.low).toBeLessThan(18);
    expect(p50!.slope.high).toBeGreaterThan(18);
    expect(p50!.slope.value).toBeGreaterThan(17);
    expect(p50!.slope.value).toBeLessThan(19);
  });

  test('what fills at first is no leak, and a stall in the middle no trend', () => {
    expect(verdictOf('memory of the service', { mb: (at) => 200 + 100 * Math.min(1, at / 50) })).toBe('flat');
    expect(verdictOf('p50', { ms: (at) => (at > 600 && at < 660 ? 900 : 20) })).toBe('flat');
  });

  test('a last minute that is bad by chance is no trend either', () => {
    expect(verdictOf('p50', { ms: (at) => (at > 1150 ? 60 : 20) })).toBe('flat');
  });

  test('too noisy to decide', () => {
    expect(verdictOf('p50', { seconds: 300, ms: (at) => 20 * (1.6 + Math.sin(at / 25)), spread: 0.3 })).toBe(
      'cannot tell',
    );
  });

  test('too short for any', () => {
    expect(trendsOf(soak({ seconds: 20 }))).toEqual([]);
    expect(soakConclusions(soak({ seconds: 20 }))).toEqual([
      'it was too short for any trend: at least a minute is needed',
    ]);
    expect(trendsOf(measurementOf({ series: [] }))).toEqual([]);
    expect(trendsOf(soak({ seconds: 90 })).length).toBeGreaterThan(0);
  });

  test('seconds in which nothing came have no latency, and count all the same', () => {
    const silent = soak();
    const series = silent.series.map(({ at, counts, lagP99Us, ...rest }) =>
      at % 2 === 0 ? { at, counts, lagP99Us, ...rest } : { at, counts: { ok: 0, limited: 0, other: 0 }, lagP99Us },
    );
    expect(trendsOf({ ...silent, series }).map(({ verdict }) => verdict)).toEqual(['flat', 'flat', 'flat', 'flat']);
  });

  test('a flat line is seldom said to rise', () => {
    const rises = Array.from({ length: 60 }, () => verdictOf('p50', { seconds: 400, spread: 0.4 })).filter(
      (each) => each === 'rises',
    );
    expect(rises.length).toBeLessThanOrEqual(5);
  });
});

test('words', () => {
  const says = (how: Drawn) => soakConclusions(soak(how));
  expect(says({ ms: (at) => 20 + at / 200 })[0]).toMatch(
    /^p50 rises by 1[78](\.\d)? ms an hour \(.* to .* ms\), around 2\d(\.\d)? ms$/,
  );
  expect(says({})[0]).toMatch(
    /^p50 is flat over 19 min, around 20(\.\d)? ms \(slope -?[\d.]+ ms to [\d.]+ ms an hour\)$/,
  );
  expect(says({})[2]).toBe('the share of errors is flat over 19 min, around 0 % (slope 0 % to 0 % an hour)');
  expect(sayTrend({ of: 'p50', verdict: 'cannot tell', usual: 3, slope: { value: 1 }, seconds: 80, unit: 'ms' })).toBe(
    'whether p50 rises is undetermined after 80 s: it varies too much (slope ? to ? an hour, around 3 ms)',
  );
});
