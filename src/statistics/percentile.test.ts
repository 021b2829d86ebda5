import { expect, test } from 'vitest';
import { seeded } from '../random.ts';
import { counted, leastSamples, percentile, ranked, ranksOf } from './percentile.ts';

const upTo = (count: number) => ranked(Array.from({ length: count }, (_, at) => at + 1));

test('the fewest samples that bound a percentile from above', () => {
  expect([50, 95, 99, 99.9, 99.99].map(leastSamples)).toEqual([5, 59, 299, 2995, 29_956]);
  for (const percent of [50, 95, 99, 99.9]) {
    expect(percentile(upTo(leastSamples(percent) - 1), percent)).toBeUndefined();
    expect(percentile(upTo(leastSamples(percent)), percent)?.high).toBe(leastSamples(percent));
  }
  expect(percentile(upTo(0), 50)).toBeUndefined();
  expect(percentile(upTo(1000), 100)).toBeUndefined();
});

test('the ranks of the tables', () => {
  // Ninety of a hundred: the median of 100 lies from the 42nd to the 59th.
  expect(ranksOf(100, 50)).toEqual({ value: 50, low: 42, high: 59 });
  expect(ranksOf(10, 50)).toEqual({ value: 5, low: 2, high: 9 });
  expect(ranksOf(299, 99)).toMatchObject({ value: 297, high: 299 });
  expect(ranksOf(1000, 99)).toEqual({ value: 990, low: 985, high: 996 });
});

test('each end holds as often as it says, for a distribution with a long tail', () => {
  const random = seeded(3);
  const truth = -Math.log(0.05);
  let [below, above] = [0, 0];
  const rounds = 2000;
  for (let round = 0; round < rounds; round += 1) {
    const sample = Float64Array.from({ length: 400 }, () => -Math.log(1 - random())).sort();
    const found = percentile(ranked(sample), 95)!;
    if (truth < found.low!) below += 1;
    if (truth > found.high) above += 1;
  }
  // One in twenty at most, and three standard errors of the count.
  const most = rounds * 0.05 + 3 * Math.sqrt(rounds * 0.05 * 0.95);
  expect(below).toBeLessThan(most);
  expect(above).toBeLessThan(most);
  expect(below + above).toBeGreaterThan(rounds * 0.05);
});

test('what was counted is what was sorted', () => {
  const values = [
    { us: 10, count: 3 },
    { us: 20, count: 1 },
    { us: 70, count: 296 },
  ];
  const flat = values.flatMap(({ us, count }) => new Array<number>(count).fill(us));
  for (const percent of [1, 2, 50, 99])
    expect(percentile(counted(values), percent)).toEqual(percentile(ranked(flat), percent));
  expect(counted(values).at(4)).toBe(20);
  expect(counted([]).count).toBe(0);
});

test('an end may be missing', () => {
  expect(percentile(upTo(20), 5)).not.toHaveProperty('low');
  expect(percentile(upTo(20), 50)).toHaveProperty('low');
});
