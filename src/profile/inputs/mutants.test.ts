import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import type { Json } from '../../model/json.ts';
import { mutantsOf } from './mutants.ts';
import { validInputs } from './valid.ts';

const schema: Json = {
  type: 'object',
  required: ['text', 'filters', 'urls'],
  additionalProperties: false,
  properties: {
    text: { type: 'string', minLength: 2, maxLength: 5, pattern: '^[a-z]+$' },
    limit: { type: 'integer', minimum: 0, exclusiveMaximum: 50, multipleOf: 5 },
    mode: { enum: ['fast', 'slow'] },
    version: { const: 1 },
    note: { type: ['string', 'null'] },
    urls: { type: 'array', minItems: 1, maxItems: 2, uniqueItems: true, items: { type: 'string' } },
    filters: { allOf: [{ $ref: '#/$defs/filters' }] },
    rows: { type: 'array', items: { type: 'object', required: ['cell'], properties: { cell: { type: 'boolean' } } } },
  },
  $defs: {
    filters: { type: 'object', required: ['country'], properties: { country: { type: 'string', minLength: 1 } } },
  },
};
const valid: Json = { text: 'abc', urls: ['{{source.ok}}'], filters: { country: 'x' }, rows: [{ cell: true }] };
const mutants = mutantsOf(schema, valid, 200);

test.each<[fault: string, field: string, part: Json]>([
  ['missing', 'text', { urls: ['{{source.ok}}'], filters: { country: 'x' }, rows: [{ cell: true }] }],
  ['nested-missing', 'filters.country', { ...(valid as object), filters: {} }],
  ['nested-missing', 'rows.0.cell', { ...(valid as object), rows: [{}] }],
  ['wrong-type', 'text', { ...(valid as object), text: { not: 'expected' } }],
  ['wrong-type', 'text', { ...(valid as object), text: null }],
  ['wrong-type', 'limit', { ...(valid as object), limit: 'not-a-number' }],
  ['wrong-type', 'filters', { ...(valid as object), filters: ['not', 'expected'] }],
  ['wrong-type', 'filters.country', { ...(valid as object), filters: { country: ['not', 'expected'] } }],
  ['bound', 'limit', { ...(valid as object), limit: -1 }],
  ['bound', 'limit', { ...(valid as object), limit: 50 }],
  ['multipleOf', 'limit', { ...(valid as object), limit: 6 }],
  ['enum', 'mode', { ...(valid as object), mode: 'fast-not-one-of-these' }],
  ['enum', 'mode', { ...(valid as object), mode: 'fa' }],
  ['enum', 'mode', { ...(valid as object), mode: '' }],
  ['const', 'version', { ...(valid as object), version: 2 }],
  ['length', 'text', { ...(valid as object), text: 'a' }],
  ['length', 'text', { ...(valid as object), text: 'abcxxx' }],
  ['pattern', 'text', { ...(valid as object), text: 'abc~' }],
  ['pattern', 'text', { ...(valid as object), text: 'ABC' }],
  ['items', 'urls', { ...(valid as object), urls: ['{{source.ok}}', { not: 'expected' }] }],
  ['items', 'urls', { ...(valid as object), urls: [] }],
  ['items', 'urls', { ...(valid as object), urls: [{ not: 'expected' }] }],
  ['items', 'urls', { ...(valid as object), urls: ['{{source.ok}}', '{{source.ok}}', '{{source.ok}}'] }],
  ['additional', 'unlisted_member', { ...(valid as object), unlisted_member: true }],
])('%s of %s', (fault, field, input) => {
  // Some hold other values that are as wrong.
  expect(mutants.map(({ beyond: _, ...each }) => each)).toContainEqual({ fault, field, input });
});

test('numbers just beyond a bound are kept beside the first', () => {
  const numbers: Json = {
    type: 'object',
    properties: { count: { type: 'integer', maximum: 9 }, share: { type: 'number', minimum: 0, maximum: 1 } },
  };
  const found = mutantsOf(numbers, { count: 5, share: 0.5 }).filter(({ fault }) => fault === 'bound');
  expect(found).toContainEqual(
    expect.objectContaining({ input: { count: 5, share: 2 }, beyond: [{ count: 5, share: 1.5 }] }),
  );
  // A service whose bounds fail now and then would take a much larger number for a count.
  const counts = found.filter(({ field }) => field === 'count');
  expect(counts.flatMap(({ beyond }) => beyond ?? [])).toEqual([]);
  expect(counts.map(({ input }) => (input as { count: number }).count).filter((count) => count > 300)).toEqual([]);
});

describe('members taken together', () => {
  const listing = {
    type: 'object',
    minProperties: 1,
    anyOf: [{ required: ['handle'] }, { required: ['id'] }],
    not: { required: ['id', 'page'] },
    if: { properties: { kind: { const: 'range' } }, required: ['kind'] },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: { required: ['from'] },
    dependentRequired: { street: ['city'] },
    properties: {
      handle: { type: 'string', not: { enum: ['@root'] } },
      id: { type: 'integer', enum: [7] },
      page: { type: 'integer', enum: [1] },
      kind: { enum: ['daily', 'range'] },
      street: { const: 'High Street' },
      price: { type: 'number', minimum: 0, multipleOf: 0.01 },
      at: {
        type: 'object',
        oneOf: [{ required: ['x'] }, { required: ['y'] }],
        properties: { x: { const: 1 }, y: { const: 2 } },
      },
      labels: {
        type: 'object',
        maxProperties: 1,
        propertyNames: { pattern: '^[a-z]+$' },
        additionalProperties: { const: 'z' },
      },
      names: { type: 'array', uniqueItems: true, items: { const: 'n' } },
    },
  };
  const found = mutantsOf(listing as Json, { handle: '@anna' }, 200);

  test.each<[fault: string, field: string, part: object, ...beyond: object[]]>([
    ['choice', 'handle, id', { handle: undefined, page: 1 }],
    ['not', 'id, page', { id: 7, page: 1 }],
    ['not', 'handle', { handle: '@root' }],
    ['condition', 'kind, from', { kind: 'range' }],
    ['dependent', 'street, city', { street: 'High Street' }],
    ['multipleOf', 'price', { price: 0.015 }, { price: 100.005 }, { price: 1000.005 }],
    ['choice', 'at.x, y', { at: {} }],
    ['choice', 'at.x, y', { at: { x: 1, y: 2 } }],
    ['members', 'labels', { labels: { waa: 'z', wab: 'z' } }],
    ['members', 'labels.NOT ~ A NAME', { labels: { 'NOT ~ A NAME': 'z' } }],
    ['members', 'labels.Waa', { labels: { Waa: 'z' } }],
    ['items', 'names', { names: ['n', 'n'] }],
    ['items', 'names', { names: [{ not: 'expected' }] }],
  ])('%s of %s', (fault, field, part, ...beyond) => {
    const [input, ...others] = [part, ...beyond].map(
      (each) => JSON.parse(JSON.stringify({ handle: '@anna', ...each })) as Json,
    );
    expect(found).toContainEqual({ fault, field, input, ...(others.length > 0 && { beyond: others }) });
  });
});

describe('no mutant', () => {
  test('is valid, and each is there once', () => {
    const validate = new Ajv2020({ strict: false }).compile(schema as object);
    expect(validate(valid)).toBe(true);
    for (const { input } of mutants) expect(validate(input), JSON.stringify(input)).toBe(false);
    expect(new Set(mutants.map(({ input }) => JSON.stringify(input))).size).toBe(mutants.length);
  });

  test('accuses who reads scalars leniently, or takes null for absent', () => {
    const wrong = mutants.filter(({ fault }) => fault === 'wrong-type');
    const valuesAt = (field: string): Json[] =>
      wrong.filter((each) => each.field === field).map((each) => (each.input as Record<string, Json>)[field] ?? null);
    expect(valuesAt('text')).toEqual([{ not: 'expected' }, ['not', 'expected'], null]);
    expect(valuesAt('limit')).toEqual([{ not: 'expected' }, ['not', 'expected'], 'not-a-number']);
    expect(valuesAt('note')).toEqual([{ not: 'expected' }, ['not', 'expected']]);
  });

  test('has a second fault', () => {
    const either: Json = {
      type: 'object',
      anyOf: [{ required: ['a'] }, { required: ['b'] }],
      properties: { a: { type: 'string' }, b: { type: 'string' } },
    };
    const strict = mutantsOf(either, { a: '' }).filter(({ fault }) => fault !== 'lenient');
    expect(strict.map(({ fault, field }) => `${fault} ${field}`)).toEqual([
      'choice a, b',
      'wrong-type a',
      'wrong-type b',
      'wrong-type a',
      'wrong-type b',
    ]);
    const both: Json = { type: 'object', required: ['a'], if: { required: ['a'] }, else: { required: ['zzz'] } };
    expect(mutantsOf(both, { a: 1 })).toEqual([]);
  });

  test('comes from an input that is wrong itself', () => {
    expect(mutantsOf(schema, { text: 1 })).toEqual([]);
  });
});

test('a member that another demands, a name in another case in a closed object, and an entry twice apart', () => {
  const closed: Json = {
    type: 'object',
    required: ['name'],
    additionalProperties: false,
    dependentRequired: { until: ['since'] },
    properties: {
      name: { type: 'string' },
      since: { type: 'string' },
      until: { type: 'string' },
      tags: { type: 'array', uniqueItems: true, items: { type: 'string' } },
    },
  };
  const found = mutantsOf(closed, { name: 'a', since: 'b', until: 'c', tags: ['d', 'e'] });
  expect(found).toContainEqual({
    fault: 'dependent',
    field: 'since',
    input: { name: 'a', until: 'c', tags: ['d', 'e'] },
  });
  const rest = { since: 'b', until: 'c' };
  expect(found).toContainEqual({ fault: 'other-case', field: 'name', input: { ...rest, NAME: 'a', tags: ['d', 'e'] } });
  expect(found).toContainEqual({ fault: 'items', field: 'tags', input: { ...rest, name: 'a', tags: ['d', 'e', 'd'] } });
});

test('with little room, every missing field and one of each fault come first', () => {
  const faults = mutantsOf(schema, valid, 14).map(({ fault }) => fault);
  expect(faults).toHaveLength(14);
  expect(faults.filter((fault) => fault === 'missing')).toHaveLength(3);
  expect(new Set(faults).size).toBe(12);
});

test('the same mutants for the same schema, and quickly', () => {
  const again = JSON.parse(JSON.stringify(schema)) as Json;
  const first = mutantsOf(schema, valid);
  for (let i = 0; i < 2000; i++) expect(mutantsOf(i % 2 === 0 ? schema : again, valid)).toBe(first);
});

test('a large and recursive schema stays within its bounds', () => {
  const properties = Object.fromEntries(Array.from({ length: 3000 }, (_, i) => [`p${i}`, { $ref: '#/$defs/n' }]));
  const large: Json = {
    type: 'object',
    properties,
    required: Object.keys(properties).slice(0, 60),
    $defs: { n: { type: 'object', properties: { n: { $ref: '#/$defs/n' } } } },
  };
  const input = validInputs(large);
  expect(input).toBeDefined();
  expect(mutantsOf(large, input ?? null)).toHaveLength(48);
});

test('what an object that is left out would hold is bound too', () => {
  const look = { type: 'object', properties: { colour: { enum: ['red', 'green'] } } };
  const schema = { type: 'object', required: ['text'], properties: { text: { type: 'string' }, look } };
  const found = mutantsOf(schema, { text: 'a' }).filter(({ fault }) => fault === 'enum');
  expect(found.map(({ field }) => field)).toContain('look.colour');
});

test('digits of another script, and an input inside a member', () => {
  const properties = {
    code: { type: 'string', pattern: '^[A-Z]{2}-[0-9]{4}$' },
    copies: { type: 'integer', minimum: 1, maximum: 20 },
  };
  const valid = { code: 'AB-1234', copies: 2 };
  const found = mutantsOf({ type: 'object', required: ['code'], properties }, valid).map(({ input }) => input);
  expect(found).toContainEqual({ code: 'AB-\u0661234', copies: 2 });
  expect(found).toContainEqual({ copies: 2, input: valid });
  const ofAnyScript = { code: { type: 'string', pattern: '^\\d{4}$' } };
  const others = mutantsOf({ type: 'object', required: ['code'], properties: ofAnyScript }, { code: '1234' });
  expect(others.map(({ input }) => JSON.stringify(input)).join()).not.toContain('\u0661');
});

test('what breaks a pattern is near what fits it, also of a field that the input leaves out', () => {
  const properties = { text: { type: 'string' }, code: { type: 'string', pattern: '^[0-9]{5}$' } };
  const found = mutantsOf({ type: 'object', required: ['text'], properties }, { text: 'a' });
  const codes = found.filter(({ fault }) => fault === 'pattern').map(({ input }) => (input as { code: string }).code);
  expect(codes.some((code) => /^[0-9]{5}~$/.test(code))).toBe(true);
  expect(codes.some((code) => /^~[0-9]{5}$/.test(code))).toBe(true);
});
