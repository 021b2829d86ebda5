import { describe, expect, test } from 'vitest';
import type { Json } from '../../model/json.ts';
import { findSchema, searchSchema } from './find-schema.ts';

const schema = { type: 'object', required: ['text'], properties: { text: { type: 'string' } } };

test.each<[name: string, answer: Json, at: string | undefined]>([
  ['bare', schema, ''],
  ['bare, beside a name', { id: 'a', name: 'a', ...schema }, ''],
  ['bare, by its properties alone', { properties: schema.properties }, ''],
  ['bare, as a choice', { anyOf: [schema, { required: ['a'] }] }, ''],
  ['bare, by reference', { $ref: '#/$defs/i', $defs: { i: schema } }, ''],
  ['input_schema', { name: 'a', input_schema: schema }, '/input_schema'],
  ['inputSchema', { inputSchema: schema }, '/inputSchema'],
  ['schema', { schema }, '/schema'],
  ['input', { input: schema }, '/input'],
  ['an open object', { input_schema: { type: 'object' } }, '/input_schema'],
  ['data', { data: { name: 'a', input_schema: schema } }, '/data/input_schema'],
  ['actor', { ok: true, actor: { input: schema } }, '/actor/input'],
  ['input around it', { input: { schema } }, '/input/schema'],
  ['data itself', { data: schema }, '/data'],
  ['the answer describes itself', { $schema: 'https://x/answer.json', name: 'a', schema }, '/schema'],
  ['an actor', { name: 'a', description: 'b', type: 'actor' }, undefined],
  ['an actor whose type is a word of the trade', { name: 'a', type: 'object' }, undefined],
  ['an example of an input', { name: 'a', input: { text: 'hello', type: 'house', limit: 3 } }, undefined],
  ['an example with properties', { input: { properties: { rooms: 3 } } }, undefined],
  ['settings', { schema: 'v2', properties: { limits: { calls: 3 } } }, undefined],
  ['a schema of something else', { schema: { type: 'string' } }, undefined],
  ['an error', { error: 'not_found', detail: 'x', actor: 'y' }, undefined],
  ['a list', [schema], undefined],
  ['nothing', null, undefined],
  ['emptiness', {}, undefined],
])('%s', (_, answer, at) => {
  expect(findSchema(answer)?.at).toBe(at);
});

test('a pointer of the profile is followed without a second thought', () => {
  expect(findSchema({ a: [{ b: { anything: 1 } }] }, '/a/0/b')).toEqual({ schema: { anything: 1 }, at: '/a/0/b' });
  expect(findSchema({ a: 1 }, '/a')).toBeUndefined();
  expect(findSchema({ a: 1 }, '/__proto__')).toBeUndefined();
});

describe('anywhere else', () => {
  const other = { type: 'object', properties: { word: { type: 'string' } } };
  const anything = () => true;

  test.each<[name: string, answer: Json, input: Json | undefined, at: string | undefined]>([
    ['two levels down', { contract: { input: schema } }, { text: 'a' }, '/contract/input'],
    ['in a list', { parts: [{ of: 'run', takes: schema }] }, { text: 'a' }, '/parts/0/takes'],
    ['below a name with a slash', { 'a/b': { '~c': schema } }, undefined, '/a~1b/~0c'],
    ['twice the same', { a: schema, b: schema }, { text: 'a' }, '/a'],
    ['two that are different', { a: schema, b: { ...schema, title: 'B' } }, { text: 'a' }, undefined],
    ['another that speaks of other members', { a: schema, b: other }, { text: 'a' }, '/a'],
    ['what comes out', { contract: { output: schema } }, { text: 'a' }, undefined],
    ['an item', { items: { schema } }, { text: 'a' }, undefined],
    ['within a result', { result: { json_schema: schema } }, { text: 'a' }, '/result/json_schema'],
    ['in a list within a result', { result: [{ takes: schema }] }, { text: 'a' }, '/result/0/takes'],
    ['a result itself', { result: schema }, { text: 'a' }, undefined],
    ['a schema of results', { result_schema: schema }, { text: 'a' }, undefined],
    [
      'beside one within a result',
      { takes: schema, result: { json_schema: { ...schema, title: 'B' } } },
      { text: 'a' },
      '/takes',
    ],
    ['one without members', { a: { type: 'object' } }, { text: 'a' }, undefined],
  ])('%s', (_, answer, input, at) => {
    expect(searchSchema(answer, input, anything)?.at).toBe(at);
  });

  test('one that refuses the input is not it', () => {
    expect(searchSchema({ contract: { input: schema } }, { text: 1 }, () => false)).toBeUndefined();
  });

  test('an answer without end is given up', () => {
    const deep = Array.from({ length: 50 }).reduce<Json>((inner) => ({ a: inner }), schema);
    expect(searchSchema(deep, undefined, anything)).toBeUndefined();
  });
});
