import { describe, expect, test } from 'vitest';
import { seeded } from '../random.ts';
import { hodgesLehmann } from './hodges-lehmann.ts';
import { mannWhitney, midranks } from './mann-whitney.ts';

/** Permeability of membranes, Hollander and Wolfe 1973, page 69: the example of many textbooks. */
const term = [0.8, 0.83, 1.89, 1.04, 1.45, 1.38, 1.91, 1.64, 0.73, 1.46];
const early = [1.15, 0.88, 0.9, 0.74, 1.21];

/** All ways to choose n places of this many. */
function* choices(n: number, of: number, from = 0): Generator<number[]> {
  if (n === 0) yield [];
  else for (let at = from; at <= of - n; at += 1) for (const rest of choices(n - 1, of, at + 1)) yield [at, ...rest];
}

function counting(first: readonly number[], second: readonly number[]): number {
  const { ranks } = midranks([...first, ...second]);
  const middle = (first.length * (ranks.length + 1)) / 2;
  const far = (at: readonly number[]): number => Math.abs(at.reduce((sum, each) => sum + ranks[each]!, 0) - middle);
  const mine = far(first.map((_, at) => at));
  const all = [...choices(first.length, ranks.length)];
  return all.filter((each) => far(each) >= mine).length / all.length;
}

describe('Mann and Whitney', () => {
  test('the example of the textbooks', () => {
    const { u, p, exact } = mannWhitney(term, early);
    expect(u).toBe(35);
    expect(p).toBeCloseTo(0.2544, 4);
    expect(exact).toBe(true);
  });

  test('the least p that so many runs can give', () => {
    const runs = (count: number, from: number) => Array.from({ length: count }, (_, at) => from + at);
    const least = (count: number) => mannWhitney(runs(count, 0), runs(count, 100)).p;
    expect(least(3)).toBeCloseTo(0.1, 10);
    expect(least(4)).toBeCloseTo(2 / 70, 10);
    expect(least(5)).toBeCloseTo(2 / 252, 10);
  });

  test('ties: as all ways counted one by one', () => {
    const random = seeded(5);
    const draw = (count: number) => Array.from({ length: count }, () => Math.floor(random() * 4));
    for (let round = 0; round < 20; round += 1) {
      const [first, second] = [draw(2 + (round % 4)), draw(5)];
      expect(mannWhitney(first, second).p).toBeCloseTo(counting(first, second), 12);
    }
    expect(mannWhitney([1, 1, 1], [1, 1]).p).toBe(1);
    expect(mannWhitney([], [1]).p).toBe(1);
  });

  test('many: the normal approximation, also where all are tied', () => {
    const random = seeded(9);
    const first = Array.from({ length: 40 }, () => random());
    const second = Array.from({ length: 60 }, () => random() + 0.2);
    const { u, p, exact } = mannWhitney(first, second);
    expect(exact).toBe(false);
    const pairs = first.flatMap((a) => second.map((b) => (a > b ? 1 : 0) as number));
    expect(u).toBe(pairs.reduce((sum, each) => sum + each, 0));
    const z = (Math.abs(u - 1200) - 0.5) / Math.sqrt((40 * 60 * 101) / 12);
    expect(z).toBeGreaterThan(2);
    expect(p).toBeLessThan(0.05);
    expect(mannWhitney(new Array(40).fill(1), new Array(40).fill(1)).p).toBe(1);
    expect(mannWhitney(second, first).p).toBeCloseTo(p, 12);
  });

  test('rejects what is true as seldom as it says', () => {
    const random = seeded(17);
    let rejected = 0;
    for (let round = 0; round < 2000; round += 1) {
      const draw = () => Array.from({ length: 6 }, () => random());
      if (mannWhitney(draw(), draw()).p <= 0.05) rejected += 1;
    }
    expect(rejected).toBeLessThan(2000 * 0.05 + 3 * Math.sqrt(2000 * 0.05 * 0.95));
    expect(rejected).toBeGreaterThan(0);
  });
});

describe('Hodges and Lehmann', () => {
  test('the median of all differences, and the ends that the exact test would not reject', () => {
    const shift = hodgesLehmann(early, term);
    const differences = term.flatMap((a) => early.map((b) => a - b)).sort((a, b) => a - b);
    expect(shift.value).toBe((differences[24]! + differences[25]!) / 2);
    expect(shift.value).toBeCloseTo(0.305, 10);
    // 10 and 5 values: the tables give 8 as the largest U that is rejected at five in a hundred.
    expect(shift.low).toBe(differences[8]);
    expect(shift.high).toBe(differences[41]);
  });

  test('its ends are those of the test: a shift just inside is not rejected, one just outside is', () => {
    const { low, high } = hodgesLehmann(early, term);
    const p = (shift: number) =>
      mannWhitney(
        term,
        early.map((each) => each + shift),
      ).p;
    expect(p(low! + 1e-6)).toBeGreaterThan(0.05);
    expect(p(low! - 1e-6)).toBeLessThanOrEqual(0.05);
    expect(p(high! - 1e-6)).toBeGreaterThan(0.05);
    expect(p(high! + 1e-6)).toBeLessThanOrEqual(0.05);
  });

  test('few values have no ends, and many have them by the normal approximation', () => {
    expect(hodgesLehmann([1, 2, 3], [2, 3, 4])).toEqual({ value: 1 });
    expect(hodgesLehmann([], [1]).value).toBeNaN();
    const random = seeded(4);
    const draw = (count: number, more: number) => Array.from({ length: count }, () => random() + more);
    const { low, high } = hodgesLehmann(draw(80, 0), draw(80, 0.3));
    expect(low).toBeLessThan(0.3);
    expect(high).toBeGreaterThan(0.3);
    expect(high! - low!).toBeLessThan(0.3);
  });
});
