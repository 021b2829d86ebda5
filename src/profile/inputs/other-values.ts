/** Values that a schema plainly admits beside the one that is there, or for a field that is omitted. Only proposals: ajv confirms them. */
import type { Json } from '../../model/json.ts';
import { ExactNumber } from '../../model/json-text.ts';
import { holdsTemplate, plainText } from '../templates.ts';
import type { Proposal } from './admitted.ts';
import type { Schema } from './keywords.ts';
import { isOfWords, ordinaryFor } from './ordinary.ts';
import type { Place } from './places.ts';
import { onceMore } from './text-lengths.ts';

/** More of an enumeration say nothing new. */
const enough = 8;

const swapped = (text: string): string =>
  text.replaceAll(/\p{L}/gu, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  );

const isOf = (schemas: readonly Schema[], type: string): boolean =>
  schemas.some((schema) => schema.type === type || (Array.isArray(schema.type) && schema.type.includes(type)));

const has = (schemas: readonly Schema[], ...words: readonly string[]): boolean =>
  schemas.some((schema) => words.some((word) => Object.hasOwn(schema, word)));

const isNullable = (schemas: readonly Schema[]): boolean =>
  isOf(schemas, 'null') || schemas.some(({ nullable }) => nullable === true);

export function* otherValuesOf(place: Place): Generator<Proposal> {
  const { schemas, value, path } = place;
  const isItem = typeof path.at(-1) === 'number';
  // An entry is as good as its neighbours.
  if (isItem) return;
  yield* holdsTemplate(value) ? onceMore(blanks(place)) : blanks(place);
  // Without its addresses an actor would do something else.
  if (holdsTemplate(value)) return;
  for (const { enum: values } of schemas) {
    const others = Array.isArray(values)
      ? (values as readonly Json[]).filter((each) => each !== value && each !== null)
      : [];
    for (const put of others.slice(0, enough)) yield { change: 'as another of its values', put };
  }
  if (isNullable(schemas) && value !== null && value !== undefined) yield { change: 'as null', put: null };
  yield* value === undefined ? absent(place) : present(schemas, value);
  yield* quoted(place);
  yield* multiples(schemas);
  yield* inPowers(place);
}

/** The same number in another spelling (RFC 8259, section 6). Languages that read whole numbers apart take no exponent for one. */
function* inPowers(place: Place): Generator<Proposal> {
  const { schemas, value } = place;
  const [ordinary] = ordinaryFor(place);
  const own = value ?? ordinary?.put;
  if (typeof own !== 'number' || !isOf(schemas, 'number') || isOf(schemas, 'integer')) return;
  if (has(schemas, 'enum', 'const', 'multipleOf')) return;
  const [digits = '', power = ''] = own.toExponential().split('e');
  const written = `${digits.includes('.') ? digits : `${digits}.0`}e${Number(power)}`;
  yield { change: 'with an exponent', put: new ExactNumber(written), inside: own, madeUp: true };
}

/** Times a step that is a fraction: in the arithmetic of doubles these are no multiples of it, or hardly. */
const factors = [
  ['as three times its step', 3],
  ['as seven times its step', 7],
  ['as 29 times its step', 29],
] as const;

function* multiples(schemas: readonly Schema[]): Generator<Proposal> {
  for (const { multipleOf } of schemas) {
    const digits = /^0\.(\d{1,6})$/.exec(String(multipleOf))?.[1]?.length;
    if (digits === undefined) continue;
    for (const [change, factor] of factors)
      yield { change, put: Number((factor * Number(multipleOf)).toFixed(digits)), madeUp: true };
  }
}

/** Who puts texts into a query or a command by hand breaks there. */
function* quoted(place: Place): Generator<Proposal> {
  if (!isOfWords(place)) return;
  const { value, required } = place;
  const [ordinary] = ordinaryFor(place);
  const own = value === undefined ? (required ? undefined : ordinary?.put) : value;
  if (typeof own !== 'string' || own === '') return;
  yield { change: 'with an apostrophe', put: `${own} it's`, inside: `${own} its`, madeUp: true };
}

const someBlanks = 3;
const mostBlanks = 200;

/** Blanks are characters: who wants others has a pattern for it. As many letters are asked beside them. */
function* blanks(place: Place): Generator<Proposal> {
  const text = plainText(place.value);
  if (text === undefined || text === '' || !isOfWords(place)) return;
  const bounds = place.schemas.map(({ minLength, maxLength }) => [minLength, maxLength]);
  const least = Math.max(1, ...bounds.flatMap(([min]) => (typeof min === 'number' ? [min] : [])));
  const most = Math.min(someBlanks, ...bounds.flatMap(([, max]) => (typeof max === 'number' ? [max] : [])));
  const length = Math.max(least, most);
  if (length <= mostBlanks)
    yield { change: 'as blanks', put: ' '.repeat(length), inside: 'x'.repeat(length), madeUp: true };
}

/** The number that is there, or would be, is a whole one. */
const takesFractions = (schemas: readonly Schema[], own: number): boolean =>
  Number.isInteger(own) && isOf(schemas, 'number') && !has(schemas, 'enum', 'const');

/** Only its type, its bounds and what others might give speak for these. */
function* present(schemas: readonly Schema[], value: Json): Generator<Proposal> {
  if (value === true) yield { change: 'as false', put: false };
  if (typeof value === 'number' && takesFractions(schemas, value))
    yield { change: 'with a fraction', put: value + 0.5, madeUp: true };
  if (typeof value === 'string' && has(schemas, 'pattern') && !has(schemas, 'enum', 'const'))
    yield { change: 'in the other case', put: swapped(value), madeUp: true };
  if (!Array.isArray(value) || value.length === 0) return;
  const entries = value as readonly Json[];
  yield { change: 'as an empty list', put: [], inside: entries.slice(0, 1), madeUp: true };
  const [entry] = entries;
  if (!has(schemas, 'uniqueItems')) yield { change: 'with an entry twice', put: [...entries, entry!], madeUp: true };
  // No two JSON texts are equal that differ in a letter.
  else if (typeof entry === 'string' && swapped(entry) !== entry)
    yield {
      change: 'with an entry in both cases',
      put: [...entries, swapped(entry)],
      inside: [...entries, `${entry}${entry}`],
      madeUp: true,
    };
}

/** The bounds of a field that may be absent and is, and nothing for it where nothing is enough. */
function* absent(place: Place): Generator<Proposal> {
  const { schemas, required, path } = place;
  if (required || typeof path.at(-1) !== 'string') return;
  const [ordinary] = ordinaryFor(place);
  const inside = ordinary === undefined ? {} : { inside: ordinary.put };
  if (isOf(schemas, 'array')) yield { change: 'as an empty list', put: [], ...inside, madeUp: true };
  if (isOf(schemas, 'object')) yield { change: 'as an empty object', put: {}, madeUp: true };
  if (typeof ordinary?.put !== 'number') return;
  if (takesFractions(schemas, ordinary.put))
    yield { change: 'with a fraction', put: ordinary.put + 0.5, inside: ordinary.put, madeUp: true };
  for (const { minimum, maximum } of schemas) {
    if (typeof minimum === 'number' && minimum !== ordinary.put)
      yield { change: 'at its lower bound', put: minimum, inside: ordinary.put, madeUp: true };
    if (typeof maximum === 'number' && maximum !== ordinary.put)
      yield { change: 'at its upper bound', put: maximum, inside: ordinary.put, madeUp: true };
  }
}
