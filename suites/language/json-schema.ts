/**
 * Whether a value has the form of a JSON Schema, of any draft from 4 on: each keyword that the drafts share holds what it
 * may hold. Unknown keywords are lawful. A validator would say more, but it is no business of a rule to run one.
 */
import { atPointer, isObject, type Json, kindOf } from '../../src/vocabulary.ts';

const types = new Set(['array', 'boolean', 'integer', 'null', 'number', 'object', 'string']);

type Check = (value: Json, path: string) => string | undefined;

const wrong = (path: string, expected: string, value: Json): string => `${path} is ${kindOf(value)}, not ${expected}`;

const number: Check = (value, path) => (typeof value === 'number' ? undefined : wrong(path, 'a number', value));

const count: Check = (value, path) =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 ? undefined : wrong(path, 'a count', value);

const positive: Check = (value, path) =>
  typeof value === 'number' && value > 0 ? undefined : wrong(path, 'a number above 0', value);

const text: Check = (value, path) => (typeof value === 'string' ? undefined : wrong(path, 'a string', value));

const flag: Check = (value, path) => (typeof value === 'boolean' ? undefined : wrong(path, 'true or false', value));

/** A number; in draft 4 a flag next to `minimum`. */
const edge: Check = (value, path) =>
  typeof value === 'number' || typeof value === 'boolean' ? undefined : wrong(path, 'a number', value);

/** The dialect of patterns is not ours: what no reader of regular expressions can parse is all that is wrong. */
const pattern: Check = (value, path) => {
  if (typeof value !== 'string') return wrong(path, 'a string', value);
  const depth = [...value.replaceAll(/\\.|\[(?:\\.|[^\]])*\]/gs, '')].reduce(
    (open, each) => (open < 0 ? open : open + (each === '(' ? 1 : each === ')' ? -1 : 0)),
    0,
  );
  return depth === 0 ? undefined : `${path} is not a regular expression: its parentheses do not match`;
};

const names: Check = (value, path) => {
  const list = Array.isArray(value) && value.every((each) => typeof each === 'string');
  if (!list) return wrong(path, 'a list of names', value);
  return new Set(value).size === value.length ? undefined : `${path} holds a name twice`;
};

/** In draft 3, and in many a schema written by hand, a flag inside a property. */
const required: Check = (value, path) =>
  typeof value === 'boolean' ? `${path} is a flag, not a list of the names of properties` : names(value, path);

const type: Check = (value, path) => {
  const all = Array.isArray(value) ? (value as readonly Json[]) : [value];
  const known = all.length > 0 && all.every((each) => typeof each === 'string' && types.has(each));
  return known ? undefined : `${path} is ${kindOf(value)}, not one of the types`;
};

const schema: Check = (value, path) => {
  if (typeof value === 'boolean') return undefined;
  if (!isObject(value)) return wrong(path, 'a schema', value);
  for (const [name, each] of Object.entries(value)) {
    const check = Object.hasOwn(keywords, name) ? keywords[name] : undefined;
    const fault = check?.(each, `${path}/${name}`);
    if (fault !== undefined) return fault;
  }
  return undefined;
};

const schemas: Check = (value, path) =>
  isObject(value)
    ? first(Object.entries(value).map(([name, each]) => schema(each, `${path}/${name}`)))
    : wrong(path, 'a mapping of schemas', value);

const schemaList: Check = (value, path) =>
  Array.isArray(value) && value.length > 0
    ? first(value.map((each: Json, at) => schema(each, `${path}/${at}`)))
    : wrong(path, 'a list of schemas', value);

const schemaOrList: Check = (value, path) => (Array.isArray(value) ? schemaList(value, path) : schema(value, path));

const list: Check = (value, path) => (Array.isArray(value) ? undefined : wrong(path, 'a list', value));

const first = (faults: readonly (string | undefined)[]): string | undefined =>
  faults.find((fault) => fault !== undefined);

const keywords: Readonly<Record<string, Check>> = {
  $schema: text,
  $ref: text,
  $comment: text,
  $defs: schemas,
  definitions: schemas,
  title: text,
  description: text,
  type,
  enum: list,
  examples: list,
  properties: schemas,
  patternProperties: schemas,
  additionalProperties: schema,
  propertyNames: schema,
  required,
  minProperties: count,
  maxProperties: count,
  items: schemaOrList,
  prefixItems: schemaList,
  contains: schema,
  minItems: count,
  maxItems: count,
  uniqueItems: flag,
  minLength: count,
  maxLength: count,
  pattern,
  format: text,
  minimum: number,
  maximum: number,
  exclusiveMinimum: edge,
  exclusiveMaximum: edge,
  multipleOf: positive,
  allOf: schemaList,
  anyOf: schemaList,
  oneOf: schemaList,
  not: schema,
  if: schema,
  // biome-ignore lint/suspicious/noThenProperty: it is the name of a keyword
  then: schema,
  else: schema,
};

/** Dialects in which the exclusive bounds are numbers. */
const withNumbers = /draft-0[67]|draft\/20/;

type Found = readonly [name: string, value: Json, path: string];

/** Every keyword of the schema and of what is inside of it, values that are no schemas left out. */
function* keywordsIn(value: Json, path: string): Generator<Found> {
  if (Array.isArray(value)) {
    for (const [at, each] of (value as readonly Json[]).entries()) yield* keywordsIn(each, `${path}/${at}`);
    return;
  }
  if (!isObject(value)) return;
  for (const [name, each] of Object.entries(value)) {
    yield [name, each, `${path}/${name}`];
    if (!['enum', 'const', 'default', 'examples', 'example'].includes(name)) yield* keywordsIn(each, `${path}/${name}`);
  }
}

/** A pointer into the schema, or into the answer that holds it, as documents of OpenAPI have it. */
const leadsNowhere = (pointer: string, places: readonly (Json | undefined)[]): boolean =>
  places.every((place) => atPointer(place, decoded(pointer.slice(1))) === undefined);

function decoded(pointer: string): string {
  try {
    return decodeURIComponent(pointer);
  } catch {
    return pointer;
  }
}

/** What no keyword shows by itself: where references lead, and which dialect the bounds are of. */
function faultOfWhole(value: Json, answer: Json | undefined): string | undefined {
  const all = [...keywordsIn(value, '#')];
  const dialect = isObject(value) && typeof value.$schema === 'string' ? value.$schema : '';
  // A schema with a name of its own inside is what its references are relative to.
  const hasOwnBases = all.some(([name, , path]) => name === '$id' && path !== '#/$id');
  for (const [name, each, path] of all) {
    if (name === '$ref' && typeof each === 'string' && each.startsWith('#/') && !hasOwnBases)
      if (leadsNowhere(each, [value, answer])) return `${path} leads nowhere: ${each}`;
    if (/^exclusiveM(?:in|ax)imum$/.test(name) && typeof each === 'boolean' && withNumbers.test(dialect))
      return `${path} is ${kindOf(each)}, not a number as in its dialect`;
  }
  return undefined;
}

/** What is wrong with it, in words, and where; undefined if nothing is. */
export function faultOfSchema(value: Json | undefined, answer?: Json): string | undefined {
  if (value === undefined) return 'the place where the schema used to be is empty';
  return schema(value, '#') ?? faultOfWhole(value, answer);
}
