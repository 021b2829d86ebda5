/** Values that look like something else in a table, a script or another language, on their way into the items. */
import {
  type Actor,
  atPointer,
  type Case,
  type Exchange,
  isObject,
  type Json,
  member,
  type Reason,
  rule,
  succeeded,
  warning,
  withDoubles,
} from '../../../src/vocabulary.ts';
import { clauses } from '../../clauses/index.ts';
import { everything, invented } from '../../language/asking.ts';
import { inapplicableIf, succeeds } from '../../language/gates.ts';
import { inputOf, itemsOf, withLeaf } from '../../language/leaves.ts';

interface Kept extends Case {
  readonly actor: Actor;
}

const between = (least: number, most: number, random: () => number): number =>
  least + Math.floor(random() * (most - least + 1));

/** Whole values, with nothing around them: only so are they taken for something else. */
const texts: readonly ((random: () => number) => string)[] = [
  (random) => `00${between(100, 99_999, random)}`,
  // More digits than a number keeps.
  (random) => `${between(10, 99, random)}${'9071'.repeat(4)}${between(100, 999, random)}`,
  (random) => `=${between(2, 9, random)}+${between(2, 9, random)}`,
  (random) => `-${between(2, 9, random)} degrees`,
  (random) => `20${between(10, 25, random)}-0${between(1, 9, random)}-${between(10, 28, random)}`,
  () => 'null',
  () => 'true',
  // Longer than short columns have room for.
  ...[30, 70].map((length) => (random: () => number) => Array.from({ length }, () => invented(random)).join(' ')),
];

/** Where a shorter number, or none, is easily taken for another one. */
const numeric = new Set(['as zero', 'at its lower bound', 'at its upper bound', 'with a fraction']);
const mostNumbers = 6;

/** The text of the input that stands whole among the items, and where. */
function wholeText(clean: Exchange): { readonly at: string; readonly places: readonly string[] } | undefined {
  const nonce = clean.planted?.nonce;
  const items = [...itemsOf(clean)];
  for (const [at, value] of inputOf(clean)) {
    if (typeof value !== 'string' || nonce === undefined || !value.includes(nonce)) continue;
    const places = items.filter(([, item]) => item === value).map(([place]) => place);
    if (places.length > 0) return { at, places };
  }
  return undefined;
}

/** A number of the input that stands at the same place among the items in two runs, though it differs. */
interface Compared {
  readonly [name: string]: Exchange;
  readonly beside: Exchange;
  readonly given: Exchange;
}

/** Nothing, where what it would be in is not there either: how many items there are is the actor's business. */
function cameAt(exchange: Exchange, place: string): { readonly value: Json | undefined } | undefined {
  const items = withDoubles(member(exchange, 'items') ?? null);
  const around = atPointer(items, place.slice(0, place.lastIndexOf('/')));
  return isObject(around) ? { value: atPointer(items, place) } : undefined;
}

/** What tables, scripts and short columns make of a text; whoever says it in other words has a reason. */
const isConverted = (sent: string, came: Json | undefined): boolean =>
  typeof came !== 'string' ||
  came === `'${sent}` ||
  came.startsWith(`${sent}T`) ||
  (came !== sent && came.length > 0 && sent.startsWith(came)) ||
  (/^\d+$/.test(sent) && came !== sent && Number(came) === Number(sent));

const inWords = (value: Json | undefined): string => {
  const text = value === undefined ? 'nothing' : JSON.stringify(value);
  const { length } = typeof value === 'string' ? value : text;
  return text.length > 60 ? `${text.slice(0, 60)}… of ${length} characters` : text;
};

function textReasons(clean: Exchange, exchange: Exchange): readonly Reason[] {
  const whole = wholeText(clean);
  const sent = inputOf(exchange).get(whole?.at ?? '');
  if (!succeeded(exchange) || whole === undefined || typeof sent !== 'string') return [];
  const wrong = whole.places
    .map((place) => cameAt(exchange, place))
    .find((came) => came !== undefined && isConverted(sent, came.value));
  return wrong === undefined
    ? []
    : [warning(exchange, `the text ${inWords(sent)} as it was sent`, inWords(wrong.value))];
}

function numberReasons(clean: Exchange, { beside, given }: Compared): readonly Reason[] {
  if (![clean, beside, given].every(succeeded)) return [];
  const [usual, next, own] = [inputOf(clean), inputOf(beside), inputOf(given)];
  const items = itemsOf(clean);
  const others = itemsOf(beside);
  for (const [at, value] of own) {
    const [first, second] = [usual.get(at), next.get(at)];
    if (typeof value !== 'number' || new Set([value, first, second]).size < 3) continue;
    for (const [place, item] of items) {
      if (item !== first || others.get(place) !== second) continue;
      const came = cameAt(given, place);
      if (came !== undefined && came.value !== value)
        return [warning(given, `the number ${value} as it was sent`, inWords(came.value))];
    }
  }
  return [];
}

export const valuesAreKept = rule({
  id: 'run.values-are-kept',
  clause: clauses.runGivesItsOwnItems,
  needs: ['key', 'echo'],
  without: everything,
  cases: ({ actors }): readonly Kept[] => actors.echo.map((actor) => ({ name: actor.name, actor })),
  async *ask({ run, usualLine, random, case: { actor } }) {
    const clean = await run({ on: usualLine() });
    yield { clean };
    const whole = wholeText(clean);
    const asked: Exchange[] = [];
    for (const text of whole === undefined ? [] : texts)
      asked.push(await run({ on: usualLine(), input: withLeaf(actor.input ?? {}, whole!.at, text(random)) }));
    const numbers: Compared[] = [];
    for (const { change, input, beside } of actor.admitted)
      if (numeric.has(change) && beside !== undefined && numbers.length < mostNumbers)
        numbers.push({
          beside: await run({ on: usualLine(), input: beside }),
          given: await run({ on: usualLine(), input }),
        });
    yield { asked, numbers };
  },
  given: ({ clean, asked, numbers }) => [
    succeeds(clean, 'a run of an echo actor'),
    inapplicableIf(
      asked?.length === 0 && numbers?.length === 0,
      'no text of the input stands whole among the items, and its schema bounds no number',
    ),
  ],
  judge: ({ clean, asked, numbers }) => [
    ...asked.flatMap((each) => textReasons(clean, each)),
    ...numbers.flatMap((each) => numberReasons(clean, each)),
  ],
  fix: 'Keep texts and numbers as they came: convert, escape or shorten a value only where it is shown to people.',
});
