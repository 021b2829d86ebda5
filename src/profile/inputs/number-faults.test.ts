import { expect, test } from 'vitest';
import type { Json } from '../../model/json.ts';
import { mutantsOf } from './index.ts';

const yearOf = (input: Json): number => (input as { year: number }).year;

test.each<[minimum: number, maximum: number, beyond: number[][]]>([
  [1600, 2100, [[210], [16000]]],
  [1, 20, [[], [100]]],
  [10, 500, [[5], [1000]]],
  // No number has more digits and sorts before these.
  [1, 100, [[], []]],
  [0, 1000, [[], []]],
  // A service that accepts it makes that many items.
  [1, 60_000, [[], []]],
])('numbers beyond %d and %d that are between them as text follow the first', (minimum, maximum, beyond) => {
  const schema: Json = { type: 'object', properties: { year: { type: 'integer', minimum, maximum } } };
  const found = mutantsOf(schema, { year: maximum }).filter(({ fault }) => fault === 'bound');
  const ofEach = [minimum - 1, maximum + 1].map((year) => found.find(({ input }) => yearOf(input) === year));
  // Negative ones are those that 32 bits hold for a valid one.
  const others = ofEach.map((each) => (each?.beyond ?? []).map(yearOf).filter((year) => year > 0));
  expect(others).toEqual(beyond);
});
