import { expect, it } from 'vitest';
import { chosenIn } from './chosen.ts';

const schema = {
  type: 'object',
  required: ['urls'],
  properties: {
    urls: { type: 'array', items: { type: 'string' } },
    order: { type: 'string', enum: ['oldest', 'newest', 'random'] },
    unique: { type: 'boolean' },
    label: { type: 'string' },
  },
};
const urls = ['{{source.ok}}', '{{source.ok2}}'];

it('makes other choices in all fields at once, as many times as there are others', () => {
  expect(chosenIn(schema, { urls, order: 'oldest', unique: false, label: 'a' })).toEqual([
    { urls, order: 'newest', unique: true, label: 'a' },
    { urls, order: 'random', unique: true, label: 'a' },
  ]);
});

it('leaves alone what has no choice, or is absent', () => {
  expect(chosenIn(schema, { urls, label: 'a' })).toEqual([]);
});

it('takes no choice that the schema refuses beside the others', () => {
  const strict = { ...schema, not: { properties: { unique: { const: true } }, required: ['unique'] } };
  expect(chosenIn(strict, { urls, order: 'oldest', unique: false })[0]).toEqual({
    urls,
    order: 'newest',
    unique: false,
  });
});

it('chooses nothing about failures, which may then be what a caller wants', () => {
  const properties = {
    ...schema.properties,
    fail_fast: { type: 'boolean' },
    mode: { type: 'string', enum: ['all', 'ignore-errors', 'newest'] },
  };
  const input = { urls, fail_fast: false, mode: 'all' };
  expect(chosenIn({ ...schema, properties }, input)).toEqual([{ ...input, mode: 'newest' }]);
});
