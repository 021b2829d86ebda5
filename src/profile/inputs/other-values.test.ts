import { expect, test } from 'vitest';
import type { Json } from '../../model/json.ts';
import { admittedBy } from './index.ts';

const object = (properties: Json, more: object = {}): Json => ({ type: 'object', properties, ...more });

/** What is proposed for one field, as `change: value`. */
const of = (schema: Json, valid: Json, field: string): string[] =>
  admittedBy(schema, valid)
    .filter((each) => each.field === field)
    .map(({ change, input }) => `${change}: ${JSON.stringify((input as Record<string, Json>)[field])}`);

test('every value of an enumeration is one that may be given, whether or not another one is', () => {
  const schema = object({ form: { type: 'string', enum: ['a', 'b', 'c'] } });
  expect(of(schema, { form: 'b' }, 'form')).toEqual(
    expect.arrayContaining(['as another of its values: "a"', 'as another of its values: "c"']),
  );
  expect(of(schema, {}, 'form')).toEqual(expect.arrayContaining(['as another of its values: "c"']));
});

test('null, fractions, repeated entries and nothing at all, where the schema admits them', () => {
  const schema = object({
    count: { type: ['number', 'null'] },
    tags: { type: 'array', items: { type: 'string' } },
    off: { type: 'boolean' },
    more: { type: 'object' },
  });
  const valid = { count: 2, tags: ['x'], off: true };
  expect(of(schema, valid, 'count')).toEqual(expect.arrayContaining(['as null: null', 'with a fraction: 2.5']));
  expect(of(schema, valid, 'count')).toContain('with an exponent: 2.0e0');
  expect(of(schema, valid, 'tags')).toEqual(
    expect.arrayContaining(['as an empty list: []', 'with an entry twice: ["x","x"]']),
  );
  expect(of(schema, valid, 'off')).toContain('as false: false');
  expect(of(schema, valid, 'more')).toContain('as an empty object: {}');
});

test('what the schema rules out is not proposed', () => {
  const schema = object(
    {
      count: { type: 'integer', minimum: 1, maximum: 9 },
      tags: { type: 'array', items: { type: 'string' }, minItems: 1, uniqueItems: true },
      code: { type: 'string', pattern: '^[A-Z]+$' },
    },
    { required: ['count'] },
  );
  const valid = { count: 2, tags: ['x'], code: 'NL' };
  expect(of(schema, valid, 'count')).toEqual(['at its upper bound: 9', 'at its lower bound: 1']);
  expect(of(schema, valid, 'tags')).toEqual(['left out: undefined', 'with an entry in both cases: ["x","X"]']);
  expect(of(schema, valid, 'code')).toEqual(['left out: undefined']);
});

test('the bounds of a field that is omitted', () => {
  const schema = object({ radius: { type: 'number', minimum: 0, maximum: 500 } });
  expect(of(schema, {}, 'radius')).toEqual(
    expect.arrayContaining(['at its lower bound: 0', 'at its upper bound: 500', 'given: 10']),
  );
});

test('addresses of sources stay what they are', () => {
  const schema = object({ urls: { type: 'array', items: { type: 'string' } } });
  expect(of(schema, { urls: ['{{source.ok}}'] }, 'urls')).toEqual([]);
});

test('an apostrophe in what people write, and in nothing that refers to something', () => {
  const schema = object({
    note: { type: 'string', maxLength: 40 },
    reply: { type: 'string' },
    token: { type: 'string' },
    code: { type: 'string', pattern: '^[a-z]+$' },
  });
  const changes = (field: string): string[] => of(schema, { note: 'come in', token: 'a', code: 'a' }, field);
  expect(changes('note')).toContain('with an apostrophe: "come in it\'s"');
  expect(changes('reply')).toContain('with an apostrophe: "plain words it\'s"');
  for (const field of ['token', 'code']) expect(changes(field).join()).not.toContain('apostrophe');
});

test('a text without a bound may be long, whatever patterns others have', () => {
  const properties = { text: { type: 'string' }, code: { type: 'string', pattern: '^[a-z]+$' } };
  const long = (more: object): boolean =>
    admittedBy(object(properties, more), { text: 'a', code: 'a' }).some(({ change }) => change.includes('70,000'));
  expect(long({})).toBe(true);
  expect(long({ if: { properties: { text: { maxLength: 9_000 } } } })).toBe(false);
});

test('of alternatives that admit each other two at once, each of which can be asked for alone', () => {
  const contact = (keyword: string) =>
    object({ name: { const: 'n' }, mail: { const: 'm' }, call: { const: 'c' } }, {
      required: ['name'],
      [keyword]: [{ required: ['mail'] }, { required: ['call'] }],
    } as object);
  const found = (schema: Json, valid: Json) =>
    admittedBy(schema, valid).filter(({ change }) => change === 'with both alternatives');
  const nested = { name: 'n', mail: 'm', call: 'c' };
  expect(found(object({ to: contact('anyOf') }), {})).toEqual([
    {
      change: 'with both alternatives',
      field: 'to',
      input: { to: nested },
      further: [{ to: { name: 'n', mail: 'm' } }, { to: { name: 'n', call: 'c' } }],
      madeUp: true,
    },
  ]);
  expect(found(contact('anyOf'), { name: 'n', mail: 'm' })).toEqual([
    expect.objectContaining({ field: 'mail and call', input: nested }),
  ]);
  expect(found(object({ to: contact('oneOf') }), {})).toEqual([]);
  // Without the source that it names, a run would do something else.
  const open = object({ url: { type: 'string' }, text: { type: 'string' } }, {
    anyOf: [{ required: ['url'] }, { required: ['text'] }],
  } as object);
  expect(found(open, { url: '{{source.ok}}' })).toEqual([]);
});

test('the length of a text that holds a nonce is asked without it, and so are blanks', () => {
  const schema = object({ word: { type: 'string', minLength: 2, maxLength: 24 } });
  expect(of(schema, { word: '{{nonce}}' }, 'word')).toEqual(
    expect.arrayContaining([
      'as long as it may be: "n0c3a1b2c3d4e5f60718xxxx"',
      `as long as it may be, in emoji: "${'😀'.repeat(24)}"`,
      'as short as it may be: "n0"',
      'as blanks: "   "',
    ]),
  );
  const roomy = object({ word: { type: 'string', maxLength: 200 } });
  expect(of(roomy, { word: '{{source.ok}}' }, 'word')).toEqual([]);
  const patterned = object({ word: { type: 'string', pattern: '\\S' } });
  expect(of(patterned, { word: 'some' }, 'word').filter((each) => each.includes('blanks'))).toEqual([]);
});

test('a further field called length, next to one of another name, where the schema admits both', () => {
  const further = (schema: Json, valid: Json): Json[] =>
    admittedBy(schema, valid)
      .filter(({ change }) => change === 'as a further field')
      .flatMap(({ field, input, beside }) => [field, input, beside ?? null]);
  const text: Json = { text: { type: 'string' } };
  expect(further(object(text), { text: 'a' })).toEqual([
    'length',
    { text: 'a', length: 2 },
    { text: 'a', unlisted_member: 2 },
  ]);
  expect(further(object(text, { additionalProperties: false }), { text: 'a' })).toEqual([]);
  expect(further(object({ ...text, length: { type: 'integer' } }), { text: 'a' })).toEqual([]);
  expect(further(object(text), { text: '{{source.ok}}' })).toEqual([]);
  // A schema that lists nothing says nothing.
  expect(further({ type: 'object' }, { text: 'a' })).toEqual([]);
});
