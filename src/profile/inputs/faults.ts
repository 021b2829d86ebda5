/** What can be wrong at one place of an input. Only proposals: ajv decides which of them are single faults. */
import { isObject, type Json } from '../../model/json.ts';
import { formFaults } from './forms.ts';
import { type Schema, typesOf } from './keywords.ts';
import { lateFaults } from './late-faults.ts';
import { lenientFaults } from './lenient-faults.ts';
import { listFaults } from './list-faults.ts';
import { memberFaults } from './member-faults.ts';
import { numberFaults } from './number-faults.ts';
import type { Place, Steps } from './places.ts';
import { structureFaults } from './structure-faults.ts';
import { textFaults } from './text-faults.ts';

export interface Proposal {
  readonly fault: string;
  /** Where the change is made; `undefined` takes the member away. */
  readonly path: Steps;
  readonly put: Json | undefined;
  /** One of these must be what ajv complains about. */
  readonly keywords: readonly string[];
  /** Smaller comes first when there is no room for all. */
  readonly rank: number;
  /** Put in its place at the same time: the field itself, in another spelling. */
  readonly also?: { readonly path: Steps; readonly put: Json | undefined };
  /** Another way to break the same keyword, kept next to the first that is found at its field. */
  readonly apart?: string;
  /** As wrong, but right for a service that trims texts: who takes this too has not been fooled. */
  readonly trims?: Json;
  /** Other values that are as wrong; for those who refuse the first. */
  readonly beyond?: readonly Json[];
  /** These members break it together, under this name: a violation may be of any of them. */
  readonly among?: string;
}

export function* faultsAt(root: Schema, place: Place): Generator<Proposal> {
  yield* memberFaults(place);
  yield* structureFaults(root, place);
  if (place.path.length === 0) return;
  yield* typeFaults(place);
  yield* lenientFaults(place);
  yield* choiceFaults(place);
  yield* numberFaults(place);
  yield* textFaults(root, place);
  yield* listFaults(place);
  yield* lateFaults(root, place);
  yield* formFaults(root, place);
}

/** Two texts, so that no service takes it for the one item that it should have been without the brackets. */
export const list: Json = ['not', 'expected'];
export const mapping: Json = { not: 'expected' };

/**
 * Containers first: no service takes them for a scalar, whereas many read `12` as "12" or `"12"` as 12, and are not to be
 * accused for it. For the same reason a null only where the field is required: absent and null are often one thing.
 */
function* typeFaults({ schemas, value, path, required }: Place): Generator<Proposal> {
  const types = typesOf(schemas);
  const allows = (...names: string[]): boolean => names.some((name) => types.includes(name));
  const wrong: Json[] = [];
  if (types.length === 0) wrong.push(...(isObject(value) || Array.isArray(value) ? [] : [mapping, list]));
  else {
    if (!allows('object')) wrong.push(mapping);
    if (!allows('array')) wrong.push(list);
    if (!allows('string')) {
      if (allows('number', 'integer')) wrong.push('not-a-number');
      else if (allows('boolean')) wrong.push('not-a-boolean');
      else if (allows('object') && !allows('array')) wrong.push('not-an-object', true, 5);
    }
    if (required && !allows('null')) wrong.push(null);
  }
  const isItem = typeof path.at(-1) === 'number';
  for (const [rank, put] of wrong.entries())
    yield { fault: isItem ? 'items' : 'wrong-type', path, put, keywords: [], rank };
}

function* choiceFaults({ schemas, path }: Place): Generator<Proposal> {
  for (const schema of schemas) {
    if (Array.isArray(schema.enum)) {
      for (const [rank, put] of differentFrom(schema.enum as readonly Json[]).entries())
        yield { fault: 'enum', path, put, keywords: ['enum'], rank };
    }
    if (Object.hasOwn(schema, 'const')) {
      for (const [rank, put] of differentFrom([schema.const ?? null]).entries())
        yield { fault: 'const', path, put, keywords: ['const'], rank };
    }
  }
}

/** Of the same kind as what is allowed, and none of it in any spelling. */
function differentFrom(allowed: readonly Json[]): Json[] {
  const texts = allowed.filter((each) => typeof each === 'string');
  const numbers = allowed.filter((each) => typeof each === 'number');
  const flags = allowed.filter((each) => typeof each === 'boolean');
  const isNone = (each: string): boolean => !allowed.includes(each);
  const other: Json[] = [];
  const [text] = texts;
  if (text !== undefined) other.push(`${text.slice(0, 100)}-not-one-of-these`);
  if (numbers.length > 0) other.push(Math.max(...numbers) + 1);
  if (flags.length === 1) other.push(!flags[0]);
  // The beginning of what is allowed, another case of it, and nothing at all.
  if (text !== undefined) {
    const turned = text === text.toUpperCase() ? text.toLowerCase() : text.toUpperCase();
    const two = `${text},${texts[1] ?? text}`;
    other.push(...[text.slice(0, Math.ceil(text.length / 2)), turned, two, ''].filter(isNone));
  }
  return other;
}
