/** An input that a schema allows. The owner of json-schema-faker; what ajv does not confirm is not returned. */
import { type GenerateSyncOptions, generateSync } from 'json-schema-faker';
import { isObject, type Json } from '../../model/json.ts';
import { ExactNumber, holdsExact, readJson } from '../../model/json-text.ts';
import { fillPlausibly } from '../templates.ts';
import { Kept, type Prepared, prepare } from './prepare.ts';
import { smallest } from './smallest.ts';
import type { Violation } from './validator.ts';

const largestInput = 64 * 1024;
const largestMade = 5_000;
const seeds = [1, 2, 3, 4];

type Usable = Extract<Prepared, { usable: true }>;

const kept = new Kept<Json | undefined>(256);

/** The profile's own input where the schema allows it, or the schema's examples, or one that is made up. */
export function validInputs(schema: Json, own?: Json): Json | undefined {
  const prepared = prepare(schema);
  if (!prepared.usable) return undefined;
  return kept.get(`${prepared.text}\n${own === undefined ? '' : JSON.stringify(own)}`, () => {
    for (const candidate of candidates(prepared, own)) if (allows(prepared, candidate)) return candidate;
    return undefined;
  });
}

/** What a schema says against an input; undefined if it cannot be asked. */
export function violationsOf(schema: Json, input: Json): readonly string[] | undefined {
  const prepared = prepare(schema);
  if (!prepared.usable || !isSmall(input)) return undefined;
  const found = prepared.validate(fillPlausibly(input));
  // The validator knows doubles alone: what it says about other numbers is unknown.
  const isRounded = holdsExact(prepared.root) || holdsExact(input);
  return found?.filter(({ keyword }) => !isRounded || !ofNumbers.has(keyword)).map(inWords);
}

const ofNumbers = new Set([
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'enum',
  'const',
  'uniqueItems',
  // They say that one of the others does.
  ...['anyOf', 'oneOf', 'not', 'if', 'contains', 'dependentSchemas', 'type'],
]);

const inWords = ({ instancePath, message }: Violation): string => `${instancePath || 'the input'} ${message}`;

const isSmall = (input: Json): boolean => JSON.stringify(input).length <= largestInput;

const allows = ({ validate }: Usable, input: Json): boolean =>
  isObject(input) && isSmall(input) && validate(fillPlausibly(input))?.length === 0;

function* candidates({ root, text }: Usable, own: Json | undefined): Generator<Json> {
  if (own !== undefined) yield own;
  for (const each of [root.examples, [root.example], [root.default], [root.const], root.enum])
    if (Array.isArray(each)) yield* each.filter((value) => value !== undefined) as readonly Json[];
  if (smallest(root) > largestMade) return;
  // With as little as possible first: an optional field may be one that makes an actor fail.
  for (const alwaysFakeOptionals of [false, true])
    for (const seed of seeds) {
      const made = make(text, seed, alwaysFakeOptionals);
      if (made !== undefined) yield made;
    }
}

const settings: GenerateSyncOptions = {
  optionalsProbability: 0,
  useDefaultValue: true,
  useExamplesValue: true,
  maxDepth: 6,
  maxDefaultItems: 2,
  refDepthMax: 3,
  // Fixed, or the clock would get in.
  minDateTime: '2024-01-01T00:00:00Z',
  maxDateTime: '2024-12-31T00:00:00Z',
  // Nothing of this may make a service reach out to strangers.
  formats: Object.fromEntries([
    ...['uri', 'url', 'iri', 'uri-reference', 'iri-reference'].map((name) => [name, () => 'http://127.0.0.1:9/']),
    ...['email', 'idn-email'].map((name) => [name, () => 'nobody@example.com']),
    ...['hostname', 'idn-hostname'].map((name) => [name, () => 'example.com']),
    ['ipv4', () => '127.0.0.1'],
    ['ipv6', () => '::1'],
  ]),
};

/** As little as the schema allows, not held against it; undefined where the generator gives up. */
export const madeUp = (text: string): Json | undefined => make(text, seeds[0]!, false);

const longEnough = 24;

/** A limit of 200,000 characters would be used: what is made up need only be long enough. ajv holds it against the real one. */
function shorter(this: { readonly minLength?: unknown }, name: string, value: unknown): unknown {
  if (name !== 'maxLength' || typeof value !== 'number') return value;
  const least = typeof this.minLength === 'number' ? this.minLength : 0;
  return Math.min(value, Math.max(least, longEnough));
}

function make(text: string, seed: number, alwaysFakeOptionals: boolean): Json | undefined {
  try {
    const made = generateSync(JSON.parse(text, shorter), { ...settings, seed, alwaysFakeOptionals });
    return made === undefined ? undefined : exactAgain(readJson(JSON.stringify(made)), exactNumbersIn(readJson(text)));
  } catch {
    return undefined;
  }
}

/** The numbers of a schema that are no doubles, by the doubles that a generator has made of them. */
function exactNumbersIn(value: Json, found = new Map<number, ExactNumber>()): ReadonlyMap<number, ExactNumber> {
  if (value instanceof ExactNumber) found.set(Number(value.digits), value);
  else if (typeof value === 'object' && value !== null)
    for (const each of Object.values(value)) exactNumbersIn(each as Json, found);
  return found;
}

function exactAgain(value: Json, exact: ReadonlyMap<number, ExactNumber>): Json {
  if (exact.size === 0) return value;
  if (typeof value === 'number') return exact.get(value) ?? value;
  if (Array.isArray(value)) return value.map((each: Json) => exactAgain(each, exact));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, exactAgain(each, exact)]));
}
