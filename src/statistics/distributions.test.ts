import { expect, test } from 'vitest';
import { binomialAtMost, incompleteBeta } from './binomial.ts';
import { normalBelow, normalQuantile } from './normal.ts';

test('the normal distribution, as the tables have it', () => {
  expect(normalBelow(0)).toBe(0.5);
  expect(normalBelow(1.96)).toBeCloseTo(0.97500210485178, 12);
  expect(normalBelow(-3)).toBeCloseTo(0.00134989803163009, 14);
  expect(normalBelow(-10) / 7.61985302416053e-24).toBeCloseTo(1, 9);
  expect(normalBelow(8)).toBeCloseTo(1, 14);
  expect(normalQuantile(0.975)).toBeCloseTo(1.95996398454005, 12);
  expect(normalQuantile(0.05)).toBeCloseTo(-1.64485362695147, 12);
  expect([normalQuantile(0), normalQuantile(1)]).toEqual([Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY]);
});

test('the binomial distribution is the sum of its terms', () => {
  for (const [draws, chance] of [
    [1, 0.3],
    [10, 0.5],
    [37, 0.95],
    [120, 0.01],
  ] as const) {
    let sum = 0;
    let term = (1 - chance) ** draws;
    for (let hits = 0; hits < draws; hits += 1) {
      sum += term;
      term *= ((draws - hits) / (hits + 1)) * (chance / (1 - chance));
      expect(binomialAtMost(hits, draws, chance)).toBeCloseTo(sum, 11);
    }
  }
  expect(binomialAtMost(-1, 5, 0.5)).toBe(0);
  expect(binomialAtMost(5, 5, 0.5)).toBe(1);
  // Half of a million: close to the middle of a normal distribution.
  expect(binomialAtMost(500_000, 1_000_000, 0.5)).toBeCloseTo(0.5 + 0.5 * Math.sqrt(2 / (Math.PI * 1_000_000)), 7);
});

test('the incomplete beta function in closed forms', () => {
  expect(incompleteBeta(0.3, 1, 1)).toBeCloseTo(0.3, 13);
  expect(incompleteBeta(0.25, 0.5, 0.5)).toBeCloseTo((2 / Math.PI) * Math.asin(0.5), 12);
  expect(incompleteBeta(0.4, 2, 3)).toBeCloseTo(0.5248, 12);
  expect([incompleteBeta(0, 2, 2), incompleteBeta(1, 2, 2)]).toEqual([0, 1]);
});
