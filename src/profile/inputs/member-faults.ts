/** What can be wrong with the members of an object: missing, in another spelling, unlisted, without what they demand. */
import { isObject, type Json } from '../../model/json.ts';
import type { Proposal } from './faults.ts';
import type { Schema } from './keywords.ts';
import { type Place, requiredOf, type Steps } from './places.ts';

export function* memberFaults({ schemas, value, path }: Place): Generator<Proposal> {
  const top = path.length === 0;
  const required = requiredOf(schemas);
  const fault = top ? 'missing' : 'nested-missing';
  const isListed = schemas.every(({ properties }) => isObject(properties));
  if (isObject(value)) {
    for (const name of required)
      if (Object.hasOwn(value, name))
        yield { fault, path: [...path, name], put: undefined, keywords: ['required'], rank: 0 };
    if (isListed) yield* otherCases(path, value, required);
    if (isListed && top) yield* blankNames(path, value, required);
    if (isListed && top) yield* nulls(value, required, schemas);
    yield* dependentFaults(path, value, schemas);
    if (isListed && top && !isClosed(schemas)) yield* wrapped(value, required, schemas);
    if (isClosed(schemas)) yield* unlistedMembers(path, value);
  } else if (value === undefined && !top && required.size === 1) {
    const [name = ''] = required;
    yield { fault, path: [...path, name], put: undefined, keywords: ['required'], rank: 1 };
  }
}

/** What may be omitted, but not next to another member. */
function* dependentFaults(path: Steps, value: Schema, schemas: readonly Schema[]): Generator<Proposal> {
  for (const { dependentRequired, dependencies } of schemas)
    for (const [trigger, names] of Object.entries({ ...objectOr(dependencies), ...objectOr(dependentRequired) })) {
      if (!Object.hasOwn(value, trigger) || !Array.isArray(names)) continue;
      for (const name of names as readonly Json[])
        if (typeof name === 'string' && Object.hasOwn(value, name))
          yield {
            fault: 'dependent',
            path: [...path, name],
            put: undefined,
            keywords: ['dependentRequired', 'dependencies'],
            rank: 0,
          };
    }
}

export const isClosed = (schemas: readonly Schema[]): boolean =>
  schemas.some((schema) => schema.additionalProperties === false || schema.unevaluatedProperties === false);

export const unlisted = 'unlisted_member';
export const ofUnlisted = ['additionalProperties', 'unevaluatedProperties'];

/** As any name, and as those begin that some keep for remarks or for words of their own. */
function* unlistedMembers(path: Steps, value: Schema): Generator<Proposal> {
  for (const begin of ['', '_', '$']) {
    const name = `${begin}${unlisted}`;
    const fault = begin === '' ? 'additional' : 'unlisted';
    if (!Object.hasOwn(value, name)) yield { fault, path: [...path, name], put: true, keywords: ofUnlisted, rank: 0 };
  }
}

const objectOr = (value: Json | undefined): Schema => (isObject(value) ? value : {});

/** Names of members have case, and blanks are part of them: a required one in another spelling is missing. */
function* otherCases(path: Steps, value: Schema, required: ReadonlySet<string>): Generator<Proposal> {
  const fault = path.length === 0 ? 'other-case' : 'nested-missing';
  for (const name of required)
    for (const [rank, other] of spellingsOf(name).entries()) {
      if (!Object.hasOwn(value, name) || Object.hasOwn(value, other) || other === name) continue;
      const also = { path: [...path, other], put: value[name] };
      yield { fault, path: [...path, name], put: undefined, keywords: ['required'], rank, also };
    }
}

/** All of it in another case, and its first letter: several languages write the names of their own fields so. */
const spellingsOf = (name: string): readonly string[] => [
  name === name.toUpperCase() ? name.toLowerCase() : name.toUpperCase(),
  otherBeginning(name),
];

/** With its first letter in the other case. */
export const otherBeginning = (name: string): string => {
  const [first = ''] = name;
  return `${first === first.toUpperCase() ? first.toLowerCase() : first.toUpperCase()}${name.slice(first.length)}`;
};

/** Once: who trims one name trims all of them. */
function* blankNames(path: Steps, value: Schema, required: ReadonlySet<string>): Generator<Proposal> {
  const name = [...required].find((each) => Object.hasOwn(value, each));
  if (name === undefined) return;
  const also = { path: [...path, ` ${name}`], put: value[name] };
  yield { fault: 'other-name', path: [...path, name], put: undefined, keywords: ['required'], rank: 0, also };
}

/** So many optional fields are enough to see what a null does to one. */
const mostNulls = 2;

/** Absent and null are one thing to many a service: a warning at most. */
function* nulls(value: Schema, required: ReadonlySet<string>, schemas: readonly Schema[]): Generator<Proposal> {
  const listed = schemas.flatMap(({ properties }) => Object.entries(objectOr(properties)));
  const absent = listed.filter(
    ([name, schema]) =>
      isObject(schema) && typeof schema.type === 'string' && !required.has(name) && !Object.hasOwn(value, name),
  );
  for (const [name] of absent.slice(0, mostNulls))
    yield { fault: 'lenient', path: [name], put: null, keywords: ['type'], rank: 9 };
}

/** The whole input inside one of its own members, as some services want it: what is required does not stand where it must. */
function* wrapped(value: Schema, required: ReadonlySet<string>, schemas: readonly Schema[]): Generator<Proposal> {
  const [name] = required;
  const isTaken = schemas.some(({ properties }) => isObject(properties) && Object.hasOwn(properties, 'input'));
  if (name === undefined || isTaken || !Object.hasOwn(value, name)) return;
  const also = { path: ['input'], put: value };
  yield { fault: 'wrapped', path: [name], put: undefined, keywords: ['required'], rank: 0, also };
}
