/** The places of an input that a schema speaks of, those that are absent too, from the outside to the inside. */
import { isObject, type Json } from '../../model/json.ts';
import { follow } from './examine.ts';
import type { Schema } from './keywords.ts';

export type Steps = readonly (string | number)[];

export interface Place {
  /** All the schemas that a value here must satisfy. */
  readonly schemas: readonly Schema[];
  /** Undefined if the valid input has nothing here. */
  readonly value: Json | undefined;
  readonly path: Steps;
  readonly required: boolean;
}

const mostPlaces = 400;
const deepest = 8;

export function* places(root: Schema, valid: Json): Generator<Place> {
  const waiting: Place[] = [{ schemas: together(root, [root]), value: valid, path: [], required: true }];
  for (let at = 0; at < waiting.length && at < mostPlaces; at++) {
    const place = waiting[at] as Place;
    yield place;
    if (place.path.length >= deepest) continue;
    for (const inner of inside(root, place)) {
      if (waiting.length >= mostPlaces) break;
      waiting.push(inner);
    }
  }
}

/** With what they refer to, and what must hold next to them. */
function together(root: Schema, schemas: readonly Json[]): Schema[] {
  const all = new Set<Schema>();
  const add = (schema: Json | undefined): void => {
    if (!isObject(schema) || all.has(schema) || all.size > 50) return;
    all.add(schema);
    if (schema.$ref !== undefined) add(follow(root, schema.$ref));
    if (Array.isArray(schema.allOf)) for (const each of schema.allOf as readonly Json[]) add(each);
    add(onlyBranch(schema));
  };
  for (const schema of schemas) add(schema);
  return [...all];
}

/** What is left of "this or null", as generators of schemas write an optional field: whatever is no null must be it. */
function onlyBranch({ anyOf, oneOf }: Schema): Json | undefined {
  const branches = anyOf ?? oneOf;
  if (!Array.isArray(branches)) return undefined;
  const telling = (branches as readonly Json[]).filter((each) => !isObject(each) || each.type !== 'null');
  return telling.length === 1 && branches.length === 2 ? telling[0] : undefined;
}

export function requiredOf(schemas: readonly Schema[]): ReadonlySet<string> {
  const names = schemas.flatMap(({ required }) => (Array.isArray(required) ? (required as readonly Json[]) : []));
  return new Set(names.filter((name) => typeof name === 'string'));
}

/** An object that the valid input omits may be there, and then what it holds is bound as well. */
export const orLeftOut = ({ schemas, value }: Place): Json | undefined =>
  value === undefined && schemas.some(({ type }) => type === 'object') ? {} : value;

function* inside(root: Schema, place: Place): Generator<Place> {
  const { schemas, path } = place;
  const value = orLeftOut(place);
  if (isObject(value)) {
    const properties = new Map<string, Json[]>();
    for (const schema of schemas)
      for (const [name, inner] of Object.entries(isObject(schema.properties) ? schema.properties : {}))
        if (name !== '__proto__') properties.set(name, [...(properties.get(name) ?? []), inner]);
    const required = requiredOf(schemas);
    for (const [name, inner] of properties) {
      const member = Object.hasOwn(value, name) ? value[name] : undefined;
      yield { schemas: together(root, inner), value: member, path: [...path, name], required: required.has(name) };
    }
  } else if (Array.isArray(value) && value.length > 0) {
    const items = schemas.flatMap((schema) => {
      const first = Array.isArray(schema.prefixItems) ? schema.prefixItems[0] : undefined;
      return [first ?? (Array.isArray(schema.items) ? schema.items[0] : schema.items)].filter(
        (each) => each !== undefined,
      );
    });
    yield { schemas: together(root, items as Json[]), value: value[0], path: [...path, 0], required: true };
  }
}

/** The first entry of a list, and what is directly inside of it. */
export const placesOfEntry = (root: Schema, list: Place): readonly Place[] =>
  [...inside(root, list)].flatMap((entry) => [entry, ...inside(root, entry)]);

/** A copy with another value at a place; `undefined` takes it away. Everything else is shared. */
export function withValue(whole: Json | undefined, path: Steps, value: Json | undefined): Json {
  const [step, ...rest] = path;
  if (step === undefined) return value ?? null;
  if (Array.isArray(whole)) {
    const copy: Json[] = [...(whole as readonly Json[])];
    copy[Number(step)] = withValue(copy[Number(step)], rest, value);
    return copy;
  }
  const members = new Map(Object.entries(isObject(whole) ? whole : {}));
  const name = String(step);
  if (rest.length === 0 && value === undefined) members.delete(name);
  else members.set(name, withValue(members.get(name), rest, value));
  return Object.fromEntries(members);
}
