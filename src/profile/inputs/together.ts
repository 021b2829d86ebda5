/** Objects of an input whose members are changed together, for keywords that look at several of them. */
import { isObject, type Json } from '../../model/json.ts';
import type { Proposal } from './faults.ts';
import type { Schema } from './keywords.ts';
import { type Steps, withValue } from './places.ts';
import { sampleOf } from './samples.ts';

/** An object of the input, and what it must satisfy. */
export interface Inner {
  readonly root: Schema;
  readonly schemas: readonly Schema[];
  readonly path: Steps;
  readonly value: Schema;
}

export function proposal(
  path: Steps,
  put: Json,
  keywords: readonly string[],
  fault: string,
  names: readonly string[],
): Proposal {
  const field = [...path, names.join(', ')].filter((step) => step !== '').join('.');
  return { fault, path, put, keywords, rank: 0, among: field };
}

export const listOf = (value: Json | undefined): readonly Json[] =>
  Array.isArray(value) ? (value as readonly Json[]) : [];
export const namesIn = (schema: Json | undefined): readonly string[] =>
  isObject(schema) ? listOf(schema.required).filter((name) => typeof name === 'string') : [];
export const objectOr = (value: Json | undefined): Schema => (isObject(value) ? value : {});

/** With these members as well, as their schemas want them; undefined where one cannot be made up. */
export function withMembers(
  { root, schemas, value }: Inner,
  names: readonly string[],
  also?: Schema,
): Json | undefined {
  let made: Json = value;
  for (const name of names) {
    if (Object.hasOwn(value, name)) continue;
    const own = [...schemas, ...(also === undefined ? [] : [also])].flatMap(({ properties }) =>
      isObject(properties) && Object.hasOwn(properties, name) ? [properties[name]!] : [],
    );
    const sample = own.length === 0 ? 'something' : sampleOf(root, own);
    if (sample === undefined) return undefined;
    made = withValue(made, [name], sample);
  }
  return made;
}

export const without = (value: Schema, names: readonly string[]): Json =>
  Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name)));
