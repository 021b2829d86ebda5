import { expect, test } from 'vitest';
import type { Json } from '../../model/json.ts';
import { mutantsOf } from './mutants.ts';

const object = (properties: Json, more: object = {}): Json => ({ type: 'object', properties, ...more });

/** The lists of a field in the inputs that are wrong by one of their entries. */
const listsOf = (schema: Json, valid: Json, field: string): readonly (readonly Json[])[] =>
  mutantsOf(schema, valid, 500)
    .filter(({ fault }) => fault === 'items')
    .map(({ input }) => (input as Record<string, readonly Json[]>)[field] ?? []);

test('the last of a dozen and of a hundred is wrong by its type, the last of a dozen by its bounds too', () => {
  const schema = object({ tags: { type: 'array', items: { type: 'string', minLength: 2, maxLength: 8 } } });
  const far = listsOf(schema, { tags: ['ab'] }, 'tags').filter((list) => list.length > 10);
  const last = (length: number): Json[] => far.filter((list) => list.length === length).map((list) => list.at(-1)!);
  expect(last(12)).toEqual([{ not: 'expected' }, 'a']);
  expect(last(101)).toEqual([{ not: 'expected' }]);
  for (const list of far) expect(new Set(list.slice(0, -1))).toEqual(new Set(['ab']));
});

test('no longer than the list may be, and no larger than most bodies may be', () => {
  const few = object({ tags: { type: 'array', maxItems: 15, uniqueItems: true, items: { type: 'string' } } });
  const long = 'x'.repeat(250);
  expect(Math.max(...listsOf(few, { tags: ['ab'] }, 'tags').map(({ length }) => length))).toBe(16);
  const unbound = object({ tags: { type: 'array', items: { type: 'string' } } });
  const lists = listsOf(unbound, { tags: [long] }, 'tags');
  expect(Math.max(...lists.map((list) => JSON.stringify(list).length))).toBeLessThan(4_000);
});

test('in entries that are objects, a member that is missing or wrong', () => {
  const row = object({ cell: { type: 'integer', maximum: 9 } }, { required: ['cell'] });
  const schema = object({ rows: { type: 'array', items: row } });
  const last = listsOf(schema, { rows: [{ cell: 1 }] }, 'rows')
    .filter((list) => list.length === 12)
    .map((list) => list.at(-1));
  expect(last).toContainEqual({});
  expect(last).toContainEqual({ cell: 10 });
  expect(last).toContainEqual({ cell: { not: 'expected' } });
});

test('sources are others each time, and there are no more than a dozen', () => {
  const urls = { type: 'array', uniqueItems: true, items: { type: 'string', pattern: '^https?://' } };
  const [far] = listsOf(object({ urls }), { urls: ['{{source.ok}}', '{{source.ok2}}'] }, 'urls').filter(
    (list) => list.length > 10,
  );
  expect(far).toHaveLength(12);
  expect(new Set(far).size).toBe(12);
  expect(far?.slice(9)).toEqual(['{{source.ok10}}', '{{source.ok11}}', { not: 'expected' }]);
});

test('objects with nothing in them, where members are demanded', () => {
  const place = object({ street: { type: 'string' }, town: { type: 'string' } }, { required: ['street', 'town'] });
  const schema = object({ place, stops: { type: 'array', items: place } }, { required: ['place'] });
  const stop = { street: 'a', town: 'b' };
  const inputs = (valid: Json): Json[] => mutantsOf(schema, valid, 500).map(({ input }) => input);
  expect(inputs({ place: stop, stops: [stop] })).toEqual(
    expect.arrayContaining([{ place: {}, stops: [stop] }, { place: stop, stops: [{}] }, { stops: [stop] }]),
  );
  expect(inputs({ place: stop })).toContainEqual({ place: stop, stops: [{}] });
});

test('what demands another is there, whatever it holds', () => {
  const demands = object(
    { on: { type: 'boolean' }, count: { type: 'integer' }, note: { type: 'string' }, with: { type: 'string' } },
    { dependentRequired: { on: ['with'], count: ['with'], note: ['with'] } },
  );
  const found = mutantsOf(demands, { on: true, with: 'x' }, 500).map(({ input }) => input);
  expect(found).toEqual(expect.arrayContaining([{ on: true }, { on: false }]));
  const absent = mutantsOf(demands, { with: 'x' }, 500).map(({ input }) => input);
  expect(absent).toEqual(expect.arrayContaining([{ count: 0 }, { note: '' }]));
});

test('texts that are too long by their blanks alone, and equal entries in another spelling', () => {
  const schema = object({
    code: { type: 'string', maxLength: 4 },
    heights: { type: 'array', uniqueItems: true, items: { type: 'number' } },
    doors: {
      type: 'array',
      uniqueItems: true,
      items: object({ wide: { type: 'integer' }, high: { type: 'integer' } }),
    },
  });
  const valid = { code: 'ab', heights: [2], doors: [{ wide: 1, high: 3 }] };
  const found = mutantsOf(schema, valid, 500);
  expect(found).toContainEqual({ fault: 'lenient', field: 'code', input: { ...valid, code: ' abxx ' } });
  const texts = found.map(({ fault, input }) => `${fault} ${JSON.stringify(input)}`);
  expect(texts.some((text) => text.startsWith('lenient') && text.includes('[2,2.0]'))).toBe(true);
  expect(texts.some((text) => text.includes('[{"wide":1,"high":3},{"high":3,"wide":1}]'))).toBe(true);
});

test('a list and a number that the valid input leaves out', () => {
  const properties = {
    tags: { type: 'array', maxItems: 20, uniqueItems: true, items: { type: 'string', minLength: 1, maxLength: 9 } },
    count: { type: 'integer', minimum: 1, maximum: 50 },
    size: { type: 'integer', exclusiveMinimum: 0, exclusiveMaximum: 9 },
  };
  const found = mutantsOf(object(properties), { size: 3 }, 500);
  const lists = found.flatMap(({ input }) => [(input as Record<string, readonly Json[]>).tags ?? []]);
  expect(lists.filter((list) => list.length === 20 && isMapping(list.at(-1)))).toHaveLength(1);
  expect(lists.filter((list) => list.length === 12).map((list) => list.at(-1))).toContain('');
  const beyond = found.flatMap((each) => each.beyond ?? []);
  expect(beyond).toContainEqual({ size: 3, count: 1 - 2 ** 32 });
  expect(beyond).toContainEqual({ size: 3 - 2 ** 32 });
});

const isMapping = (value: Json | undefined): boolean => typeof value === 'object' && !Array.isArray(value);

test('in a list that holds few, the last entry lacks a member', () => {
  const file = object({ name: { type: 'string' }, size: { type: 'integer' } }, { required: ['name'] });
  const schema = object({ files: { type: 'array', maxItems: 3, items: file } });
  const lists = listsOf(schema, { files: [{ name: 'a' }] }, 'files');
  expect(lists).toContainEqual([{ name: 'a' }, { name: 'a' }, {}]);
  expect(listsOf(schema, {}, 'files').some((list) => list.length === 3 && !('name' in (list[2] as object)))).toBe(true);
});
