/** What can be wrong with members taken together, and with what the valid input leaves out. */
import { isObject, type Json } from '../../model/json.ts';
import { choices, conditions, dependents, ruledOut } from './choice-faults.ts';
import type { Proposal } from './faults.ts';
import type { Schema } from './keywords.ts';
import { isClosed, ofUnlisted, otherBeginning, unlisted } from './member-faults.ts';
import { orLeftOut, type Place, withValue } from './places.ts';
import { sampleOf } from './samples.ts';
import { type Inner, namesIn, objectOr, proposal, withMembers, without } from './together.ts';

const mostMembers = 100;

export function* structureFaults(root: Schema, place: Place): Generator<Proposal> {
  const value = orLeftOut(place);
  if (place.value === undefined && isObject(value)) yield* unlistedInside(root, place);
  for (const schema of place.schemas) {
    yield* ruledOut(root, place, schema);
    if (place.value === undefined) yield* leftOutLists(root, place, schema);
    if (!isObject(value)) continue;
    const inner: Inner = { root, schemas: place.schemas, path: place.path, value };
    yield* emptied(inner, schema);
    yield* choices(inner, schema);
    yield* conditions(inner, schema);
    yield* dependents(inner, schema);
    yield* numbers(inner, schema);
    yield* otherMembers(inner, schema);
  }
}

/** An object that the valid input leaves out is closed as well, should it be there: what it demands is there too. */
function* unlistedInside(root: Schema, { path, schemas }: Place): Generator<Proposal> {
  if (!isClosed(schemas)) return;
  const sample = sampleOf(root, schemas);
  if (isObject(sample) && !Object.hasOwn(sample, unlisted))
    yield proposal(path, withValue(sample, [unlisted], true), ofUnlisted, 'unlisted', [unlisted]);
}

/** Nothing in it, and something demanded: many a service takes that for an object that was not given at all. */
function* emptied({ path }: Inner, schema: Schema): Generator<Proposal> {
  const demanded = namesIn(schema);
  if (demanded.length > 0)
    yield proposal(path, {}, ['required', 'minProperties', 'anyOf', 'oneOf'], 'members', demanded);
}

/** A list that the valid input leaves out is bound as well, should it be there. */
function* leftOutLists(
  root: Schema,
  { path }: Place,
  { type, items, maxItems, uniqueItems }: Schema,
): Generator<Proposal> {
  if (type !== 'array' || !isObject(items)) return;
  const list = (put: Json, ...keywords: string[]): Proposal => ({
    fault: 'items',
    path,
    put,
    keywords,
    rank: 1,
    among: path.join('.'),
  });
  yield list([{ not: 'expected' }], 'type', 'items');
  yield list([['not', 'expected']], 'type', 'items');
  yield list([{}], 'required');
  const sample = sampleOf(root, [items]);
  if (sample === undefined) return;
  if (uniqueItems === true) yield list([sample, sample], 'uniqueItems');
  else if (typeof maxItems === 'number' && maxItems < mostMembers)
    yield list(
      Array.from({ length: maxItems + 1 }, () => sample),
      'maxItems',
    );
}

/** One member too many, one too few. */
function* numbers(inner: Inner, { maxProperties, minProperties }: Schema): Generator<Proposal> {
  const { path, value } = inner;
  const present = Object.keys(value);
  if (typeof maxProperties === 'number' && maxProperties < mostMembers) {
    const known = inner.schemas.flatMap(({ properties }) => Object.keys(objectOr(properties)));
    const names = new Set([...present, ...known, ...plainNames(maxProperties + 1)]);
    const put = withOther(inner, [...names].slice(0, Math.max(present.length, maxProperties + 1)));
    if (put !== undefined) yield proposal(path, put, ['maxProperties'], 'members', []);
  }
  if (typeof minProperties === 'number' && minProperties > 0) {
    const required = inner.schemas.flatMap(namesIn);
    const kept = [...present.filter((name) => required.includes(name)), ...present].slice(0, minProperties - 1);
    yield proposal(
      path,
      without(
        value,
        present.filter((name) => !kept.includes(name)),
      ),
      ['minProperties'],
      'members',
      [],
    );
  }
}

/** Short words of small letters: what most patterns of names admit. */
const plainNames = (count: number): string[] =>
  Array.from({ length: count }, (_, at) => `w${String.fromCharCode(97 + Math.floor(at / 26), 97 + (at % 26))}`);

/** Also members that the schema does not list, as `additionalProperties` wants them. */
function withOther(inner: Inner, names: readonly string[]): Json | undefined {
  const listed = inner.schemas.flatMap(({ properties }) => Object.keys(objectOr(properties)));
  const made = withMembers(
    inner,
    names.filter((name) => listed.includes(name)),
  );
  if (made === undefined) return undefined;
  const others = inner.schemas.map((each) => each.additionalProperties).filter((each) => isObject(each));
  const sample = others.length === 0 ? 'something' : sampleOf(inner.root, others);
  if (sample === undefined) return undefined;
  return names
    .filter((name) => !listed.includes(name) && !Object.hasOwn(inner.value, name))
    .reduce((whole: Json, name) => withValue(whole, [name], sample), made);
}

/** Members that are not listed: of a wrong value, and of a name that is not admitted. */
function* otherMembers(inner: Inner, schema: Schema): Generator<Proposal> {
  const { path, value } = inner;
  const { additionalProperties: others, propertyNames } = schema;
  const [name = ''] = plainNames(1);
  if (Object.hasOwn(value, name)) return;
  const put = (each: Json): Proposal => ({
    ...proposal([...path, name], each, ['type', 'maxLength', 'enum', 'maximum', 'pattern'], 'members', []),
  });
  if (isObject(others)) {
    yield put({ not: 'expected' });
    if (typeof others.maxLength === 'number' && others.maxLength < 5_000) yield put('x'.repeat(others.maxLength + 1));
  }
  if (!isObject(propertyNames)) return;
  const sample = isObject(others) ? sampleOf(inner.root, [others]) : 'something';
  // Names have case: the plain one in capitals, in part and in whole. A name without letters is one too.
  for (const odd of ['NOT ~ A NAME', `${name}~`, otherBeginning(name), name.toUpperCase(), ''])
    if (sample !== undefined)
      yield proposal(path, withValue(value, [odd], sample), ['propertyNames'], 'members', [odd.slice(0, 20)]);
}
