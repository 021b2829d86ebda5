import { expect, test } from 'vitest';
import { Histogram, longestUs } from './histogram.ts';

const of = (...values: readonly number[]): Histogram => {
  const histogram = Histogram.empty();
  for (const value of values) histogram.add(value);
  return histogram;
};

test('three digits, whatever the size', () => {
  const histogram = of(1, 999, 12_345, 1_234_567, 99e9, -500);
  expect(histogram.values().map(({ us }) => us)[0]).toBe(0);
  expect(Math.abs(histogram.percentileUs(50) / 999 - 1)).toBeLessThan(0.001);
  expect(histogram.maxUs).toBeGreaterThanOrEqual(longestUs);
  expect(histogram.count).toBe(6);
  expect(histogram.countUpTo(1_000)).toBe(3);
});

test('there and back through a run file, and merged, it is the histogram of the union', () => {
  const values = Array.from({ length: 4_000 }, (_, at) => (at * 7919) % 3_000_000);
  const whole = of(...values);
  expect(Histogram.of(whole.toLatencies()).toLatencies()).toEqual(whole.toLatencies());
  const merged = Histogram.empty();
  for (let part = 0; part < 4; part += 1)
    merged.merge(Histogram.of(of(...values.filter((_, at) => at % 4 === part)).toLatencies()));
  expect(merged.toLatencies()).toEqual(whole.toLatencies());
});

test('nothing is nothing', () => {
  expect(of().toLatencies()).toEqual({ count: 0 });
  expect(Histogram.of({ count: 0 }).percentileUs(99)).toBe(0);
});
