/** Inputs that differ from a valid one in one place and are as valid: at a bound, or without what the schema calls optional. */
import { isObject, type Json } from '../../model/json.ts';
import type { Admitted } from '../../model/subject.ts';
import { fillPlausibly, holdsTemplate, plainText } from '../templates.ts';
import { bothAlternatives } from './alternatives.ts';
import { otherForms } from './forms.ts';
import type { Schema } from './keywords.ts';
import { lengthened, withFurtherSources } from './lists.ts';
import { ordinaryFor } from './ordinary.ts';
import { otherValuesOf } from './other-values.ts';
import { type Place, places, requiredOf, withValue } from './places.ts';
import { Kept, prepare } from './prepare.ts';
import { lengths, long, longestText, onceMore } from './text-lengths.ts';

const kept = new Kept<readonly Admitted[]>(256);

/** More than a server reads at once by default. */
const longText = 70_000;

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
      const own =
        path.length === 0
          ? []
          : [...proposalsAt(place), ...otherValuesOf(place), ...otherForms(root, place), ...givenAt(place)];
      for (const { change, put, inside, madeUp, standIn, further, members } of [
        ...own,
        ...bothAlternatives(root, place),
        ...(path.length === 0 ? furtherField(root, valid) : []),
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
        const others = further?.map((each) => withValue(valid, path, each)) ?? [];
        if (!others.every(isValid)) continue;
        found.push({
          change,
          field,
          input,
          ...(beside === undefined ? {} : { beside }),
          ...(others.length > 0 ? { further: others } : {}),
          ...(madeUp ? { madeUp } : {}),
        });
      }
    }
    return found;
  });
}

/** What the schema lists by its names; undefined if it does so elsewhere, or not at all. */
function listedBy(root: Schema): Schema | undefined {
  const listed = isObject(root.properties) ? root.properties : {};
  const others = ['$ref', 'allOf', 'anyOf', 'oneOf', 'if', 'dependentSchemas', 'patternProperties'];
  return Object.keys(listed).length === 0 || others.some((word) => Object.hasOwn(root, word)) ? undefined : listed;
}

/** Whoever tells lists by their length takes an object that has one for a list. Any other name shows whether further fields are accepted. */
function* furtherField(root: Schema, valid: Json): Generator<Proposal> {
  const listed = listedBy(root);
  const [name, other] = ['length', 'unlisted_member'];
  if (!isObject(valid) || listed === undefined || JSON.stringify(valid).includes('{{source.')) return;
  if ([name, other].some((each) => Object.hasOwn(listed, each) || Object.hasOwn(valid, each))) return;
  const put = withValue(valid, [name], 2);
  yield { change: 'as a further field', members: name, put, inside: withValue(valid, [other], 2), madeUp: true };
}

/** Members that a schema does not mention, although it mentions others: by what it shows, they may be absent. */
function unlisted(root: Schema, valid: Json): readonly Place[] {
  const listed = listedBy(root);
  if (!isObject(valid) || listed === undefined) return [];
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

/** Each another one: nobody means the same address again and again by a list. */
function* asManySources(sources: readonly Json[], most: Json | undefined): Generator<Proposal> {
  if (typeof most !== 'number') return;
  const [put, inside] = [most, most - 1].map((length) => withFurtherSources(sources, length));
  if (put !== undefined) yield { change: 'with as many sources as it may have', put, inside: inside ?? sources };
}

function* proposalsAt({ schemas, value, path, required }: Place): Generator<Proposal> {
  const isItem = typeof path.at(-1) === 'number';
  if (value === undefined) return;
  // Without its addresses an actor would do something else; how long a text with a nonce may be can be asked without one.
  if (holdsTemplate(value)) {
    const text = plainText(value);
    if (text !== undefined) for (const schema of schemas) yield* onceMore(lengths(schema, text));
    if (Array.isArray(value))
      for (const { maxItems } of schemas) yield* asManySources(value as readonly Json[], maxItems);
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
        !['pattern', 'enum', 'const'].some((word) => Object.hasOwn(schema, word)) &&
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
