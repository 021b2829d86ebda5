import { describe, expect, test } from 'vitest';
import { seeded } from '../random.ts';
import { bootstrap } from './bootstrap.ts';
import { median } from './interval.ts';

describe('the bootstrap', () => {
  const ratio = (first: readonly number[], second: readonly number[]): number => median(second) / median(first);

  test('the same seed gives the same interval, and another nearly so', () => {
    const [before, after] = [
      [10, 11, 12, 13, 14, 15, 16],
      [20, 22, 24, 26, 28, 30, 32],
    ];
    const once = bootstrap(before, after, ratio, { seed: 3 });
    expect(bootstrap(before, after, ratio, { seed: 3 })).toEqual(once);
    expect(once.value).toBe(2);
    expect(once.low).toBeLessThan(2);
    expect(once.high).toBeGreaterThan(2);
    expect(once.low).toBeGreaterThan(20 / 16);
    expect(once.high).toBeLessThan(32 / 10);
  });

  test('a mean of many: as wide as theory says', () => {
    const random = seeded(8);
    const draw = () => Array.from({ length: 200 }, () => random());
    const mean = (values: readonly number[]): number => values.reduce((sum, each) => sum + each, 0) / values.length;
    const { low, high } = bootstrap(draw(), draw(), (a, b) => mean(b) - mean(a), { seed: 1 });
    const expected = 2 * 1.96 * Math.sqrt((2 * (1 / 12)) / 200);
    expect((high - low) / expected).toBeGreaterThan(0.85);
    expect((high - low) / expected).toBeLessThan(1.15);
  });

  test('what does not vary has no width', () => {
    expect(bootstrap([5, 5, 5], [5, 5, 5], ratio)).toEqual({ value: 1, low: 1, high: 1 });
  });
});
