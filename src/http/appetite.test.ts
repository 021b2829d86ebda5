import { expect, test } from 'vitest';
import { Appetite, isTooMuch, ordinary } from './appetite.ts';

test('ordinary answers cost nothing, however many', () => {
  const appetite = new Appetite(8_000_000);
  for (let answer = 0; answer < 100_000; answer += 1) appetite.took(ordinary);
  expect(appetite.room).toBe(8_000_000);
});

test('the largest answers become smaller, and together stay below a bound', () => {
  const appetite = new Appetite(8_000_000);
  let sum = 0;
  for (let answer = 0; answer < 1000; answer += 1) {
    const { room } = appetite;
    expect(room).toBeGreaterThanOrEqual(ordinary);
    appetite.took(room);
    sum += room - ordinary;
  }
  expect(sum).toBeLessThanOrEqual(32_000_000);
  expect(appetite.room).toBe(ordinary);
});

test('a bound below an ordinary answer stays the bound', () => {
  expect(new Appetite(1000).room).toBe(1000);
});

test.each<[boolean, string, string]>([
  [true, 'arrays', '['.repeat(5000)],
  [true, 'objects', '{"a":'.repeat(5000)],
  [false, 'many beside each other', `[${'[],'.repeat(5000)}[]]`],
  [true, 'very many beside each other', `[${'[],'.repeat(250_000)}[]]`],
  [false, 'brackets in a text', `["${'['.repeat(5000)}"]`],
  [false, 'brackets behind an escaped quote', `["\\"${'['.repeat(5000)}"]`],
  [true, 'brackets behind a text that ends in a backslash', `["a\\\\",${'['.repeat(5000)}`],
  [false, 'no JSON', 'x'.repeat(10_000)],
])('too much is %s: %s', (deep, _, text) => {
  expect(isTooMuch(Buffer.from(text))).toBe(deep);
});
