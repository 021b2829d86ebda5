import { expect, test } from 'vitest';
import type { Json } from '../../model/json.ts';
import { validInputs, violationsOf } from './valid.ts';

const object = (properties: Json, more: { readonly [key: string]: Json } = {}): Json => ({
  type: 'object',
  properties,
  ...more,
});

test('the profile comes first, with its templates', () => {
  const schema = object(
    { url: { type: 'string', format: 'uri' }, id: { type: 'string', minLength: 12 } },
    { required: ['url'], examples: [{ url: 'http://e' }] },
  );
  const own = { url: '{{source.ok}}', id: '{{nonce}}' };
  expect(validInputs(schema, own)).toEqual(own);
  expect(validInputs(schema, { url: 3 })).toEqual({ url: 'http://e' });
  expect(violationsOf(schema, { url: 3 })).toEqual(['/url must be string']);
  expect(violationsOf(schema, own)).toEqual([]);
  expect(violationsOf({ $ref: 'http://x' }, own)).toBeUndefined();
});

test.each<[name: string, schema: Json, expected: Json | undefined]>([
  ['an example', object({ a: {} }, { examples: [{ a: 1 }] }), { a: 1 }],
  [
    'an example that is wrong, then a default',
    object({ a: { type: 'number' } }, { examples: [{ a: 'x' }], default: { a: 2 } }),
    { a: 2 },
  ],
  ['examples of fields', object({ a: { type: 'string', examples: ['seen'] } }, { required: ['a'] }), { a: 'seen' }],
  [
    'nothing more than is required',
    object({ a: { type: 'string', const: 'x' }, crash: { type: 'boolean' } }, { required: ['a'] }),
    { a: 'x' },
  ],
  [
    'no stranger is called',
    object({ a: { type: 'string', format: 'uri' } }, { required: ['a'] }),
    { a: 'http://127.0.0.1:9/' },
  ],
  ['nothing is allowed', object({ a: false }, { required: ['a'] }), undefined],
  ['no object', { type: 'string' }, undefined],
  ['a million items', object({ a: { type: 'array', minItems: 1e9 } }, { required: ['a'] }), undefined],
  ['a long text', object({ a: { type: 'string', minLength: 1e9 } }, { required: ['a'] }), undefined],
  ['without end', object({ a: { $ref: '#' } }, { required: ['a'] }), undefined],
])('%s', (_, schema, expected) => {
  expect(validInputs(schema)).toEqual(expected);
});

test('what is made up is always the same', () => {
  const schema = object(
    { a: { type: 'string', format: 'date-time' }, b: { type: 'string', pattern: '^[A-Z]{3}\\d+$' } },
    { required: ['a', 'b'] },
  );
  const first = validInputs(schema);
  expect(first).toBeDefined();
  // Another text of the same schema, so that nothing kept is handed out again.
  expect(validInputs({ ...(schema as object), title: 'again' })).toEqual(first);
});
