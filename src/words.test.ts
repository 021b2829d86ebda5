import { expect, it } from 'vitest';
import { seeded } from './random.ts';
import { aLabel, label } from './words.ts';

it('labels records so that each is found again: half of them with digits, half without', () => {
  const random = seeded(7);
  const labels = Array.from({ length: 200 }, () => label(random));
  expect(labels.filter((each) => !aLabel.test(each))).toEqual([]);
  expect(new Set(labels).size).toBe(200);
  const withDigits = labels.filter((each) => /\d/.test(each)).length;
  expect(withDigits).toBeGreaterThan(60);
  expect(withDigits).toBeLessThan(140);
});
