/** A schema made ready once: inspected, compiled and kept, for a run asks for the same few again and again. */
import { isObject, type Json } from '../../model/json.ts';
import { ExactNumber } from '../../model/json-text.ts';
import { type Dialect, inspect } from './examine.ts';
import type { Schema } from './keywords.ts';
import { compile, metaFaults, type Validate } from './validator.ts';

export type Prepared =
  | {
      readonly usable: true;
      readonly root: Schema;
      readonly text: string;
      readonly dialect: Dialect;
      readonly validate: Validate;
    }
  | { readonly usable: false; readonly why: string };

/** Keeps the last few; what is older is made again. */
export class Kept<T> {
  readonly #most: number;
  readonly #all = new Map<string, T>();

  constructor(most: number) {
    this.#most = most;
  }

  get(key: string, make: () => T): T {
    const known = this.#all.get(key);
    if (known !== undefined || this.#all.has(key)) return known as T;
    const made = make();
    this.#all.set(key, made);
    const oldest = this.#all.keys().next();
    if (this.#all.size > this.#most && !oldest.done) this.#all.delete(oldest.value);
    return made;
  }
}

const byObject = new WeakMap<object, Prepared>();
const byText = new Kept<Prepared>(64);

export function prepare(schema: Json): Prepared {
  if (!isObject(schema)) return { usable: false, why: 'it is not an object' };
  const known = byObject.get(schema);
  if (known !== undefined) return known;
  const text = textOf(schema);
  const prepared = text === undefined ? tooDeep : byText.get(text, () => make(schema, text));
  byObject.set(schema, prepared);
  return prepared;
}

const tooDeep: Prepared = { usable: false, why: 'it is nested too deeply' };

function textOf(schema: Json): string | undefined {
  try {
    return JSON.stringify(schema);
  } catch {
    return undefined;
  }
}

function make(schema: Schema, text: string): Prepared {
  const { dialect, unusable, broken, longestString, unicode } = inspect(schema, text);
  const why = unusable[0] ?? broken[0];
  if (why !== undefined) return { usable: false, why };
  try {
    const validate = compile(schema, dialect, unicode);
    const guarded: Validate = (value) => (longestIn(value) > longestString ? undefined : validate(value));
    return { usable: true, root: schema, text, dialect, validate: guarded };
  } catch (error) {
    return { usable: false, why: error instanceof Error ? error.message : 'it cannot be compiled' };
  }
}

/** The longest text in a value, names included: both may meet a pattern. */
function longestIn(value: Json): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null || value instanceof ExactNumber) return 0;
  let most = 0;
  for (const [name, each] of Object.entries(value)) most = Math.max(most, name.length, longestIn(each));
  return most;
}

export interface Examined {
  readonly dialect?: Dialect;
  /** What makes it no valid JSON Schema: this is the service's matter. */
  readonly invalid: readonly string[];
  /** Why the harness does not work with it, though it may be valid: this is not. */
  readonly unusable: readonly string[];
}

const mostReasons = 5;
const examined = new Kept<Examined>(64);

export function examineSchema(schema: Json): Examined {
  if (typeof schema === 'boolean') return { invalid: [], unusable: [] };
  if (!isObject(schema)) return { invalid: ['a schema is an object, true or false'], unusable: [] };
  const text = textOf(schema);
  if (text === undefined) return { invalid: [], unusable: ['it is nested too deeply'] };
  return examined.get(text, () => examine(schema, text));
}

function examine(schema: Schema, text: string): Examined {
  const { dialect, unusable, broken } = inspect(schema, text);
  // Validated by the rules of another dialect, or cut by a limit, a lawful service would be accused.
  if (unusable.some((why) => /dialect|draft 4|larger|deep/.test(why))) return { invalid: [], unusable };
  const faults = metaFaults(schema, dialect).map(
    ({ instancePath, message }) => `${instancePath || 'the schema'} ${message}`,
  );
  const invalid = [...new Set([...broken, ...faults])].slice(0, mostReasons);
  const prepared = prepare(schema);
  const extra = invalid.length === 0 && unusable.length === 0 && !prepared.usable ? [prepared.why] : [];
  return { dialect, invalid, unusable: [...unusable, ...extra] };
}

/** Every reason against working with a schema, the service's and ours; none is a valid schema. */
export function isValidSchema(schema: Json): readonly string[] {
  const { invalid, unusable } = examineSchema(schema);
  return [...invalid, ...unusable];
}
