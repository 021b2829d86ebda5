/**
 * Whether a value has the form of a JSON Schema, of any draft from 4 on: each keyword that the drafts share holds what it
 * may hold. Unknown keywords are lawful. A validator would say more, but it is no business of a rule to run one.
 */
import { isObject, type Json, kindOf } from '../../src/vocabulary.ts';

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

/** What is wrong with it, in words, and where; undefined if nothing is. */
export function faultOfSchema(value: Json | undefined): string | undefined {
  if (value === undefined) return 'the place where the schema used to be is empty';
  return schema(value, '#');
}
