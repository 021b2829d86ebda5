/** Values that anybody might give for a field, where its schema plainly admits them. Only proposals: ajv confirms them. */
import { isObject, type Json } from '../../model/json.ts';
import { fillPlausibly } from '../templates.ts';
import type { Schema } from './keywords.ts';
import { type Place, places, type Steps, withValue } from './places.ts';
import { prepare } from './prepare.ts';

/** Words that say more about a value than its type and its bounds keep it from being made up. */
const plain: ReadonlySet<string> = new Set([
  ...['$ref', '$comment', 'allOf', 'anyOf', 'oneOf', 'type', 'nullable', 'title', 'description'],
  ...['default', 'example', 'examples', 'enum', 'const', 'deprecated', 'readOnly', 'writeOnly'],
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'minLength', 'maxLength'],
  ...['items', 'minItems', 'maxItems', 'uniqueItems'],
]);

/** A text that refers to something elsewhere, or reaches out to it, is not to be made up. */
const telling =
  /cursor|token|source|feed|site|domain|key|secret|pass|auth|ref|hash|sign|url|uri|link|hook|call|host|proxy|mail|phone|path|file|regex|pattern|(^|[a-z_-])id(s|entifier)?$/i;

const words = 'plain words';
const longest = 200;

const stating = ['const', 'default', 'examples', 'example', 'enum'];

export interface Ordinary {
  readonly path: Steps;
  readonly put: Json;
  /** Neither a default nor an example: only its type and its bounds speak for it. */
  readonly madeUp: boolean;
}

/** For each field that may be absent and is. */
export function* ordinaryFor(place: Place): Generator<Ordinary> {
  const { schemas, value, path, required } = place;
  const name = path.at(-1);
  if (value !== undefined || required || typeof name !== 'string') return;
  const put = ordinary(schemas, name);
  if (put === undefined || put === null) return;
  const isStated = schemas.some((each) => stating.some((word) => Object.hasOwn(each, word)));
  yield { path, put, madeUp: typeof put !== 'boolean' && !isStated };
}

function ordinary(schemas: readonly Schema[], name: string): Json | undefined {
  const all: Schema = Object.assign({}, ...schemas.toReversed()) as Schema;
  if (all.deprecated === true || all.readOnly === true) return undefined;
  for (const each of [all.const, all.default, first(all.examples), all.example, first(all.enum)])
    if (each !== undefined && each !== null) return each;
  if (schemas.some((schema) => Object.keys(schema).some((word) => !isPlain(word)))) return undefined;
  switch (typeOf(all.type)) {
    case 'string':
      return telling.test(name) ? undefined : text(all);
    case 'integer':
    case 'number':
      return number(all);
    // Most switches are off.
    case 'boolean':
      return false;
    case 'array':
      return isObject(all.items) ? listOf(ordinary([all.items], name)) : undefined;
    default:
      return undefined;
  }
}

const isPlain = (word: string): boolean => plain.has(word) || word.startsWith('x-');
const first = (value: Json | undefined): Json | undefined =>
  Array.isArray(value) ? (value as readonly Json[])[0] : undefined;
const listOf = (value: Json | undefined): Json | undefined => (value === undefined ? undefined : [value]);

function typeOf(type: Json | undefined): Json | undefined {
  if (!Array.isArray(type)) return type;
  const others = (type as readonly Json[]).filter((each) => each !== 'null');
  return others.length === 1 ? others[0] : undefined;
}

/** Words of a form of its own. */
const binding = ['enum', 'const', 'pattern', 'format', 'not', 'if', 'anyOf', 'oneOf', 'contentEncoding'];

/** A text of a person's words: neither of a form of its own nor one that refers to something. */
export const isOfWords = ({ schemas, value, path }: Place): boolean => {
  const name = path.at(-1);
  const isText = schemas.some(({ type }) => type === 'string') && (value === undefined || typeof value === 'string');
  return (
    isText &&
    typeof name === 'string' &&
    !telling.test(name) &&
    !schemas.some((schema) => binding.some((word) => Object.hasOwn(schema, word)))
  );
};

function text({ minLength, maxLength }: Schema): Json | undefined {
  const least = typeof minLength === 'number' ? minLength : 0;
  const most = typeof maxLength === 'number' ? maxLength : words.length;
  return least > longest || most < 1 ? undefined : words.slice(0, most).padEnd(least, 'x');
}

function number({ minimum, maximum, exclusiveMinimum, exclusiveMaximum }: Schema): Json {
  const from = [minimum, exclusiveMinimum].flatMap((each) => (typeof each === 'number' ? [each] : []));
  const to = [maximum, exclusiveMaximum].flatMap((each) => (typeof each === 'number' ? [each] : []));
  return Math.max(Math.min(10, ...to), ...from);
}

/** The input with a value in each optional field that takes one; undefined where none does. */
export function filledIn(schema: Json, valid: Json): Json | undefined {
  const prepared = prepare(schema);
  if (!prepared.usable) return undefined;
  const isValid = (input: Json): boolean => prepared.validate(fillPlausibly(input))?.length === 0;
  if (!isValid(valid)) return undefined;
  let filled = valid;
  for (const place of places(prepared.root, valid)) {
    if (place.path.length !== 1) continue;
    for (const { path, put } of ordinaryFor(place)) {
      const more = withValue(filled, path, put);
      if (isValid(more)) filled = more;
    }
  }
  return filled === valid ? undefined : filled;
}
