/**
 * A value that a run leaves out is a default, and not what the run before was given. What `run.every-field-is-its-own` asks in this way,
 * and how it judges that: of values that need be no texts of their own, as those of `left-out.ts` are.
 */

import {
  type Actor,
  type Ask,
  type Exchange,
  isObject,
  type Json,
  type Reason,
  type RunOptions,
  succeeded,
  violation,
} from '../../../src/vocabulary.ts';
import { inputOf, itemsOf, lengthOf } from '../../language/leaves.ts';
import { needed } from './left-out.ts';

/** A run with the value, after two without it and before another. */
export interface Default {
  readonly [name: string]: Exchange;
  readonly before: Exchange;
  readonly again: Exchange;
  readonly given: Exchange;
  readonly without: Exchange;
}

const mostFields = 3;
/** One of them may be the default itself, or change nothing; and one that comes back may do so by chance. */
const values = 4;
const often = 2;

/** Of numbers, which may be limits, the lowest, which change most, and the highest. */
const chosen = (known: readonly Json[]): readonly Json[] => {
  const numbers = known.filter((each) => typeof each === 'number').toSorted((one, other) => one - other);
  return numbers.length < known.length
    ? known.slice(0, values)
    : [...new Set([...numbers.slice(0, values - 1), numbers.at(-1)!])];
};

type Fields = ReadonlyMap<string, readonly Json[]>;

/** Fields that may be left out, each with different values that the schema admits. */
function defaulted(actor: Actor): Fields {
  const { input, admitted } = actor;
  const found = new Map<string, Json[]>();
  const inputs = [
    input,
    ...admitted.flatMap(({ input: each, beside }) => (beside === undefined ? [each] : [beside, each])),
  ];
  for (const each of inputs)
    for (const [field, value] of Object.entries(isObject(each) ? each : {})) {
      const isPlain =
        typeof value === 'number' || (typeof value === 'string' && value !== '' && value.length < longest);
      const known = found.get(field) ?? [];
      if (isPlain && !String(value).includes('{{') && !known.includes(value)) found.set(field, [...known, value]);
    }
  return new Map(
    [...found].filter(([field, known]) => !needed(actor).includes(field) && known.length >= often).slice(0, mostFields),
  );
}

/** Longer texts are tried as such. */
const longest = 40;

export const hasDefaults = (actor: Actor): boolean => isObject(actor.input) && defaulted(actor).size > 0;

type Asking = Pick<Ask<unknown>, 'run' | 'line'> & { readonly actor: Actor };

/** Each field on a connection of its own, by one key. */
export async function keptDefaults({ run: runPlainly, line, actor }: Asking): Promise<readonly Default[]> {
  const made: Default[] = [];
  for (const [field, known] of defaulted(actor)) {
    const on = line();
    const run = (options: RunOptions) => runPlainly({ ...options, on });
    const { [field]: _, ...rest } = actor.input as Readonly<Record<string, Json>>;
    const [before, again] = [await run({ input: rest }), await run({ input: rest })];
    if (!succeeded(again)) continue;
    for (const value of chosen(known)) {
      const given = await run({ input: { ...rest, [field]: value } });
      if (succeeded(given)) made.push({ before, again, given, without: await run({ input: rest }) });
    }
  }
  return made;
}

/** The one that the run in the middle has alone. */
const fieldOf = ({ given, without }: Default): string =>
  [...inputOf(given).keys()].find((at) => !inputOf(without).has(at)) ?? '';

/** What the run in the middle shows of the value, or of what it does, and no run before: a place of it, or how many items there are. */
function tellsIn({ before, again, given, without }: Default, field: string): readonly string[] {
  const value = inputOf(given).get(field);
  const [first, second, last] = [before, again, without].map(itemsOf);
  const places = [...itemsOf(given)].flatMap(([at, leaf]) =>
    // What is there only where it is given is the input that comes back.
    leaf === value && first!.get(at) !== value && second!.get(at) !== value && (first!.has(at) || last!.has(at))
      ? [at]
      : [],
  );
  const [one, other, own] = [before, again, given].map(lengthOf);
  // A number may say how many; what a text does to their number is harder to tell from what others did.
  return typeof value !== 'number' || one === undefined || one !== other || own === one ? places : [...places, length];
}

const length = 'length';

const isKept = ({ given, without }: Default, field: string, at: string): boolean =>
  at === length ? lengthOf(without) === lengthOf(given) : itemsOf(without).get(at) === inputOf(given).get(field);

export const judgeDefaults = (all: readonly Default[]): readonly Reason[] =>
  [...Map.groupBy(all, fieldOf)].flatMap(([field, own]) => {
    const telling = own.flatMap((each) => {
      const places = field === '' || !succeeded(each.without) ? [] : tellsIn(each, field);
      return places.length === 0 ? [] : [{ each, places }];
    });
    return telling.length >= often && telling.every(({ each, places }) => places.some((at) => isKept(each, field, at)))
      ? [
          violation(
            telling[0]!.each.without,
            'the items of this input alone',
            `the \`${field.slice(1)}\` of the run before`,
          ),
        ]
      : [];
  });
