import { describe, expect, test } from 'vitest';
import { seeded } from '../random.ts';
import { normalQuantile } from './normal.ts';
import { theilSen } from './theil-sen.ts';

describe('Theil and Sen', () => {
  test('a line is a line', () => {
    const line = Array.from({ length: 12 }, (_, at) => ({ at, value: 3 * at + 1 }));
    expect(theilSen(line)).toEqual({ value: 3, low: 3, high: 3 });
  });

  test('a quarter of outliers moves nothing', () => {
    const points = Array.from({ length: 40 }, (_, at) => ({ at, value: at % 4 === 1 ? 1e6 : 0.5 * at }));
    const { value, low, high } = theilSen(points);
    expect(value).toBeCloseTo(0.5, 10);
    expect(low).toBeLessThanOrEqual(0.5);
    expect(high).toBeGreaterThanOrEqual(0.5);
  });

  test('too few points have a slope and no ends, or not even that', () => {
    expect(theilSen([])).toEqual({ value: Number.NaN });
    expect(
      theilSen([
        { at: 1, value: 1 },
        { at: 1, value: 9 },
      ]),
    ).toEqual({ value: Number.NaN });
    expect(
      theilSen([
        { at: 0, value: 1 },
        { at: 1, value: 2 },
        { at: 2, value: 3 },
      ]),
    ).toEqual({ value: 1 });
  });

  test('its interval holds as often as it says, with ties too', () => {
    const random = seeded(21);
    let [smooth, tied] = [0, 0];
    const rounds = 400;
    for (let round = 0; round < rounds; round += 1) {
      const points = Array.from({ length: 30 }, (_, at) => ({
        at,
        value: 0.2 * at + 3 * normalQuantile(random() || 0.5),
      }));
      const holds = (found: ReturnType<typeof theilSen>, truth: number): boolean =>
        found.low! <= truth && found.high! >= truth;
      if (holds(theilSen(points), 0.2)) smooth += 1;
      const flat = points.map(({ at }) => ({ at, value: Math.floor(random() * 3) }));
      if (holds(theilSen(flat), 0)) tied += 1;
    }
    const least = rounds * 0.95 - 3 * Math.sqrt(rounds * 0.05 * 0.95);
    expect(smooth).toBeGreaterThan(least);
    expect(tied).toBeGreaterThan(least);
  });
});
