import { describe, expect, it } from 'vitest';
import { seeded } from '../random.ts';
import { pairs, product, type Row, rotated, singles, values } from './covering.ts';

function uncovered(rows: readonly Row[], sizes: readonly number[], from = 0): string[] {
  const missing: string[] = [];
  for (let a = from; a < sizes.length; a += 1)
    for (let b = a + 1; b < sizes.length; b += 1)
      for (let va = 0; va < sizes[a]!; va += 1)
        for (let vb = 0; vb < sizes[b]!; vb += 1)
          if (!rows.some((row) => row[a] === va && row[b] === vb)) missing.push(`${a}=${va} ${b}=${vb}`);
  return missing;
}

describe('covering arrays', () => {
  const shapes = [[1], [3], [1, 3, 2, 2, 4, 2], [5, 1, 1, 2, 4, 2], [6, 3, 2, 2, 4, 2], [1, 1, 1, 1, 1, 1]];

  it.each(shapes.map((sizes) => [sizes]))('hold every pair of %j', (sizes) => {
    const rows = pairs(sizes, seeded(1));
    expect(uncovered(rows, sizes)).toEqual([]);
    expect(rows.slice(0, singles(sizes).length)).toEqual(singles(sizes));
  });

  it('are about ten rows for the dimensions of a rule, not the hundred of the product', () => {
    const sizes = [1, 3, 2, 2, 4, 2];
    expect(pairs(sizes, seeded(1)).length).toBeLessThanOrEqual(16);
    expect(product(sizes)).toHaveLength(96);
  });

  it('ask each member of a large family in a second way, and every pair of the other dimensions by some member', () => {
    const sizes = [20, 3, 1, 2, 4, 2];
    const rows = rotated(sizes, seeded(3));
    expect(uncovered(rows, sizes, 1)).toEqual([]);
    for (let member = 0; member < 20; member += 1) {
      expect(rows.filter((row) => row[0] === member).length).toBeGreaterThanOrEqual(2);
    }
  });

  it.each([1, 2, 3])('hold every value of every dimension in the few rows of a quick run (seed %i)', (seed) => {
    for (const sizes of shapes) {
      const rows = values(sizes, seeded(seed));
      expect(rows.slice(0, sizes[0])).toEqual(singles(sizes));
      expect(rows).toHaveLength(sizes[0]! + Math.max(1, ...sizes.slice(1)) - 1);
      sizes.forEach((size, at) => {
        expect(new Set(rows.map((row) => row[at])).size).toBe(size);
      });
    }
  });

  it('are the same for the same seed', () => {
    expect(pairs([3, 3, 2, 4], seeded(5))).toEqual(pairs([3, 3, 2, 4], seeded(5)));
  });
});
