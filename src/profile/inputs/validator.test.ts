import { expect, it } from 'vitest';
import { readJson } from '../../model/json-text.ts';
import { violationsOf } from './valid.ts';
import { isMultiple } from './validator.ts';

it.each([
  [19.99, 0.01, true],
  [123456.7, 0.1, true],
  [0.3, 0.1, true],
  [1e21, 7, false],
  [0.35, 0.1, false],
  [1e300, 1e-300, true],
  [5, 5e-324, true],
  [-4.5, 1.5, true],
])('takes %d for a multiple of %d: %s', (value, step, is) => {
  expect(isMultiple(value, step)).toBe(is);
});

it('says nothing against numbers that no double holds', () => {
  const schema = readJson('{"properties":{"n":{"exclusiveMaximum":9007199254740993},"s":{"type":"string"}}}');
  expect(violationsOf(schema, readJson('{"n":9007199254740992,"s":"x"}'))).toEqual([]);
  expect(violationsOf(schema, readJson('{"n":9007199254740992,"s":["x"]}'))).toEqual([]);
});
