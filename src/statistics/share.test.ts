import { expect, test } from 'vitest';
import { clopperPearson, wilson } from './share.ts';

/** Newcombe 1998, table I: hits, of, Clopper–Pearson, Wilson. */
const published = [
  [81, 263, 0.2527, 0.3676, 0.2553, 0.3662],
  [15, 148, 0.0578, 0.1617, 0.0624, 0.1605],
  [0, 20, 0, 0.1684, 0, 0.1611],
  [1, 29, 0.0009, 0.1776, 0.0061, 0.1718],
] as const;

test.each(published)('%d of %d, as published', (hits, of, exactLow, exactHigh, low, high) => {
  const exact = clopperPearson(hits, of);
  expect(exact.value).toBe(hits / of);
  expect(exact.low).toBeCloseTo(exactLow, 4);
  expect(exact.high).toBeCloseTo(exactHigh, 4);
  expect(wilson(hits, of).low).toBeCloseTo(low, 4);
  expect(wilson(hits, of).high).toBeCloseTo(high, 4);
});

test('all, none, and nothing asked', () => {
  for (const interval of [wilson, clopperPearson]) {
    expect(interval(0, 0)).toEqual({ value: Number.NaN, low: 0, high: 1 });
    expect(interval(0, 50).low).toBe(0);
    expect(interval(50, 50).high).toBe(1);
    const [none, all] = [interval(0, 50), interval(50, 50)];
    expect(none.high).toBeCloseTo(1 - all.low, 10);
  }
  // The rule of three: none of a thousand is at most three in a thousand, with 95 % on that side.
  expect(clopperPearson(0, 1000, 0.9).high).toBeCloseTo(0.003, 4);
});

test('a million, in no time', () => {
  const { low, high } = clopperPearson(1_000, 1_000_000);
  // Poisson's interval of a thousand, a millionth each, is from 939 to 1064.
  expect(low).toBeCloseTo(0.000939, 6);
  expect(high).toBeCloseTo(0.001064, 6);
});
