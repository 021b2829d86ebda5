/** Inputs that differ from a valid one in one place and are as valid: at a bound, or without what the schema calls optional. */
import { isObject, type Json } from '../../model/json.ts';
import type { Admitted } from '../../model/subject.ts';
import { fillPlausibly, holdsTemplate, plainText } from '../templates.ts';
import { bothAlternatives } from './alternatives.ts';
import type { Schema } from './keywords.ts';
import { lengthened } from './lists.ts';
import { ordinaryFor } from './ordinary.ts';
import { otherValuesOf } from './other-values.ts';
import { type Place, places, requiredOf, withValue } from './places.ts';
import { Kept, prepare } from './prepare.ts';

const kept = new Kept<readonly Admitted[]>(256);

/** What is longer may be refused for the size of its body. */
const longestText = 4_000;
/** Beyond what many buffer. */
const longerText = 20_000;
/** More than a server reads at once by default. */
const longText = 70_000;

const beyondAscii = [
  ['as long as it may be, in letters beyond ASCII', 'ü', 2],
  ['as long as it may be, in emoji', '😀', 4],
] as const;

export type Proposal = Omit<Admitted, 'field' | 'input' | 'beside'> & {
  /** The members that it is about, where it is about the whole input. */
  readonly members?: string;
  readonly put: Json | undefined;
  /** Just inside of the bound. */
  readonly inside?: Json;
  /** As valid as what is put there, and short enough to be tried against the patterns of a foreign schema. */
  readonly standIn?: Json;
};

/** By these a text may be bound elsewhere than where it is described. */
const bindingElsewhere =
  /"(if|not|anyOf|oneOf|dependentSchemas|dependencies|patternProperties|propertyNames|contains|unevaluated\w+)":/;

export function admittedBy(schema: Json, valid: Json, max = 64): readonly Admitted[] {
  const prepared = prepare(schema);
  if (!prepared.usable) return [];
  const { root, text, validate } = prepared;
  return kept.get(`${max}\n${text}\n${JSON.stringify(valid)}`, () => {
    const isValid = (input: Json): boolean => validate(fillPlausibly(input))?.length === 0;
    if (!isValid(valid)) return [];
    const found: Admitted[] = [];
    for (const place of [...unlisted(root, valid), ...places(root, valid)]) {
      const { path } = place;
      const own = path.length === 0 ? [] : [...proposalsAt(place), ...otherValuesOf(place), ...givenAt(place)];
      for (const { change, put, inside, madeUp, standIn, alone, members } of [
        ...own,
        ...bothAlternatives(root, place),
      ]) {
        const field = members ?? path.filter((step) => typeof step === 'string').join('.');
        if (found.length >= max) return found;
        // A member that wants others beside it, whether or not its dialect knows the keyword.
        if (change === 'given' && text.includes(`${JSON.stringify(path.at(-1))}:[`)) continue;
        const input = withValue(valid, path, put);
        const beside = inside === undefined ? undefined : withValue(valid, path, inside);
        const isShort = standIn === undefined || bindingElsewhere.test(text);
        if (!isValid(isShort ? input : withValue(valid, path, standIn))) continue;
        if (isShort && beside !== undefined && !isValid(beside)) continue;
        const eachAlone = alone?.map((each) => withValue(valid, path, each)) ?? [];
        if (!eachAlone.every(isValid)) continue;
        found.push({
          change,
          field,
          input,
          ...(beside === undefined ? {} : { beside }),
          ...(eachAlone.length > 0 ? { alone: eachAlone } : {}),
          ...(madeUp ? { madeUp } : {}),
        });
      }
    }
    return found;
  });
}

/** Members that a schema does not mention, although it mentions others: by what it shows, they may be absent. */
function unlisted(root: Schema, valid: Json): readonly Place[] {
  const listed = isObject(root.properties) ? root.properties : {};
  const others = ['$ref', 'allOf', 'anyOf', 'oneOf', 'if', 'dependentSchemas', 'patternProperties'];
  if (!isObject(valid) || Object.keys(listed).length === 0 || others.some((word) => Object.hasOwn(root, word)))
    return [];
  const demanded = requiredOf([root]);
  return Object.entries(valid).flatMap(([name, value]): Place[] =>
    Object.hasOwn(listed, name) || demanded.has(name) ? [] : [{ schemas: [], value, path: [name], required: false }],
  );
}

function* givenAt(place: Place): Generator<Proposal> {
  for (const { put, madeUp } of ordinaryFor(place))
    yield { change: put === false ? 'as false' : 'given', put, ...(madeUp ? { madeUp } : {}) };
}

/** What a text may be is said by its length, its pattern and the like, or not at all. */
const isUnbound = (schemas: Place['schemas']): boolean =>
  schemas.some(({ type }) => type === 'string') &&
  !schemas.some((schema) =>
    ['minLength', 'pattern', 'format', 'enum', 'const', 'not', 'if', 'anyOf', 'oneOf'].some((word) =>
      Object.hasOwn(schema, word),
    ),
  );

/** With room on both sides: zero as a bound is asked for as one. */
const isAroundZero = ({ minimum, maximum }: Schema): boolean =>
  typeof minimum === 'number' && minimum < 0 && (typeof maximum !== 'number' || maximum > 1);

function* proposalsAt({ schemas, value, path, required }: Place): Generator<Proposal> {
  const isItem = typeof path.at(-1) === 'number';
  if (value === undefined) return;
  // Without its addresses an actor would do something else; how long a text with a nonce may be can be asked without one.
  if (holdsTemplate(value)) {
    const text = plainText(value);
    if (text !== undefined) for (const schema of schemas) yield* lengths(schema, text);
    return;
  }
  if (!required && !isItem) yield { change: 'left out', put: undefined };
  if (typeof value === 'string' && value !== '' && !isItem && isUnbound(schemas))
    yield { change: 'as an empty text', put: '', inside: value.slice(0, 1), madeUp: true };
  // What several languages take for nothing at all.
  if (typeof value === 'number' && value !== 0 && schemas.some(isAroundZero))
    yield { change: 'as zero', put: 0, inside: 1, madeUp: true };
  for (const schema of schemas) {
    const { minimum, maximum, maxLength, maxItems } = schema;
    if (typeof value === 'number') {
      if (typeof maximum === 'number') yield { change: 'at its upper bound', put: maximum, inside: maximum - 1 };
      if (typeof minimum === 'number') yield { change: 'at its lower bound', put: minimum, inside: minimum + 1 };
    }
    if (typeof value === 'string') {
      yield* lengths(schema, value);
      if (
        !Object.hasOwn(schema, 'pattern') &&
        (typeof maxLength !== 'number' || maxLength >= longText) &&
        schema.type === 'string'
      )
        yield {
          change: 'of 70,000 characters',
          put: long(value, longText),
          inside: long(value, longestText),
          ...(isItem ? {} : { standIn: value }),
        };
    }
    if (Array.isArray(value) && value.length > 0 && typeof maxItems === 'number' && maxItems <= 100) {
      const list = (length: number): Json => lengthened(value as readonly Json[], length, schema.uniqueItems === true);
      yield { change: 'with as many entries as it may have', put: list(maxItems), inside: list(maxItems - 1) };
    }
  }
}

const long = (text: string, length: number): string => text.slice(0, length).padEnd(length, 'x');

/** The bounds of a text. */
function* lengths({ minLength, maxLength }: Schema, value: string): Generator<Proposal> {
  if (typeof maxLength === 'number' && maxLength > 1 && maxLength <= longerText)
    yield { change: 'as long as it may be', put: long(value, maxLength), inside: long(value, maxLength - 1) };
  // A length counts characters. Half as many of them fit where bytes or halves of pairs are counted instead.
  if (typeof maxLength === 'number' && maxLength > 3 && maxLength <= longestText)
    for (const [change, letter, bytes] of beyondAscii)
      yield { change, put: letter.repeat(maxLength), inside: letter.repeat(Math.floor(maxLength / bytes)) };
  if (typeof maxLength === 'number' && maxLength > longestText)
    yield { change: 'of 4,000 characters', put: long(value, longestText), inside: long(value, longestText / 2) };
  if (typeof minLength === 'number' && minLength > 0 && minLength < value.length)
    yield {
      change: 'as short as it may be',
      put: value.slice(0, minLength),
      inside: value.slice(0, minLength + 1),
    };
}
