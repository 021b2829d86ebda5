import { expect, test } from 'vitest';
import type { Json } from '../../model/json.ts';
import { mutantsOf } from './mutants.ts';
import { judgePattern } from './patterns.ts';
import { examineSchema, isValidSchema } from './prepare.ts';
import { validInputs } from './valid.ts';

test.each([
  '^[a-z0-9]+(?:-[a-z0-9]+)*$',
  '^[\\w.+-]+@([\\w-]+\\.)+[A-Za-z]{2,}$',
  '^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\\.)+[a-z]{2,}$',
  '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$',
  '^https?://\\S+$',
  '^(\\d+,)*\\d+$',
  '^(red|green|blue)$',
  '^\\p{L}+$',
  '^(?=.*\\d).{8,}$',
  '\\-',
])('the pattern %s may run', (pattern) => {
  expect(judgePattern(pattern)).toMatchObject({ fine: true });
});

test.each([
  ['^(a+)+$', 'could backtrack without end'],
  ['^(a|a)*$', 'could backtrack without end'],
  ['^(a|aa)+$', 'could backtrack without end'],
  ['^(\\w+\\s?)*$', 'could backtrack without end'],
  ['^(([a-z])+.)+[A-Z]([a-z])+$', 'could backtrack without end'],
  ['(?=(a+)+b)a', 'could backtrack without end'],
  ['(.*a){20}', 'could backtrack without end'],
  ['a*a*a*a*a*a*a*b', 'could backtrack for too long'],
  ['((a{1000}){1000}){1000}', 'repeats too much'],
  ['(a)\\1', 'is written in a way that Touchstone does not run'],
  ['(?P<x>a)', 'is not a regular expression of ECMAScript'],
  ['a'.repeat(2000), 'is longer than 1000 characters'],
])('the pattern %s may not', (pattern, why) => {
  expect(judgePattern(pattern)).toMatchObject({ fine: false, why: expect.stringContaining(why) });
});

const nested = (levels: number): Json => (levels === 0 ? {} : { properties: { a: nested(levels - 1) } });
const chain = Object.fromEntries(
  Array.from({ length: 40 }, (_, i) => [
    `a${i}`,
    { allOf: [{ $ref: `#/$defs/a${i + 1}` }, { $ref: `#/$defs/a${i + 1}` }] },
  ]),
);
const many = Object.fromEntries(Array.from({ length: 10_000 }, (_, i) => [`property${i}`, { type: 'string' }]));
const some = Object.fromEntries(Array.from({ length: 4100 }, (_, i) => [`p${i}`, {}]));

test.each<[name: string, schema: Json, invalid: RegExp | undefined, unusable: RegExp | undefined]>([
  ['a plain one', { type: 'object' }, undefined, undefined],
  ['true', true, undefined, undefined],
  [
    'draft 7 when it says so',
    { $schema: 'http://json-schema.org/draft-07/schema#', properties: { t: { items: [{}] } } },
    undefined,
    undefined,
  ],
  ['draft 7 when it looks so', { properties: { t: { items: [{}] } } }, undefined, undefined],
  [
    'a tuple of draft 7 in 2020',
    { $schema: 'https://json-schema.org/draft/2020-12/schema', properties: { t: { items: [{}] } } },
    /items/,
    undefined,
  ],
  ['recursion', { properties: { a: { $ref: '#' } } }, undefined, undefined],
  [
    'an id of its own',
    { $id: 'https://x/y', properties: { a: { $ref: 'https://x/y#/$defs/b' } }, $defs: { b: true } },
    undefined,
    undefined,
  ],
  [
    'the id of a meta-schema',
    { $id: 'https://json-schema.org/draft/2020-12/schema', type: 'object' },
    undefined,
    undefined,
  ],
  ['an unknown type', { type: 'objet' }, /\/type/, undefined],
  ['required as a flag', { type: 'object', required: true }, /\/required must be array/, undefined],
  ['a reference to nothing', { $ref: '#/nope' }, /refers to nothing/, undefined],
  ['no schema', 'text', /a schema is an object/, undefined],
  [
    'draft 4 in which nothing is otherwise',
    { $schema: 'http://json-schema.org/draft-04/schema#', properties: { a: { minimum: 1 } }, required: ['a'] },
    undefined,
    undefined,
  ],
  [
    'draft 4 that says so, with a flag for a bound',
    { $schema: 'http://json-schema.org/draft-04/schema#', properties: { a: { minimum: 1, exclusiveMinimum: true } } },
    undefined,
    /draft 4/,
  ],
  [
    'draft 4 that names itself',
    { $schema: 'http://json-schema.org/draft-04/schema#', id: 'http://127.0.0.1:1/x' },
    undefined,
    /draft 4/,
  ],
  ['draft 3', { $schema: 'http://json-schema.org/draft-03/schema#' }, undefined, /not know the dialect .*draft-03/],
  ['draft 4 that does not', { properties: { a: { minimum: 1, exclusiveMinimum: true } } }, undefined, /draft 4/],
  ['a reference elsewhere', { $ref: 'http://127.0.0.1:1/x' }, undefined, /nothing is fetched/],
  ['a circle', { $ref: '#' }, undefined, /refers to itself without end/],
  ['a billion laughs', { allOf: [{ $ref: '#/$defs/a0' }], $defs: { ...chain, a40: {} } }, undefined, /multiply/],
  ['a hostile pattern', { properties: { default: { pattern: '(a+)+$' } } }, undefined, /could backtrack/],
  ['hostile names', { patternProperties: { '(a+)+$': true } }, undefined, /could backtrack/],
  ['great depth', nested(3000), undefined, /nested too deeply/],
  ['great size', { properties: many }, undefined, /larger than 256 kB/],
  ['many schemas in it', { properties: some }, undefined, /larger than 4000 schemas/],
])('%s', (_, schema, invalid, unusable) => {
  const examined = examineSchema(schema);
  const matches = (reasons: readonly string[], form: RegExp | undefined): void => {
    if (form === undefined) expect(reasons).toEqual([]);
    else expect(reasons.join('\n')).toMatch(form);
  };
  matches(examined.invalid, invalid);
  matches(examined.unusable, unusable);
  expect(isValidSchema(schema).length === 0).toBe(invalid === undefined && unusable === undefined);
  if (invalid !== undefined || unusable !== undefined) {
    expect(validInputs(schema, {})).toBeUndefined();
    expect(mutantsOf(schema, {})).toEqual([]);
  }
});
