/**
 * Inputs that are the same but for something small: who remembers runs by less than their whole input gives the items of another.
 * What `run.every-field-is-its-own` asks in this way, and how it judges that.
 */
import {
  type Actor,
  type Ask,
  type Exchange,
  isObject,
  type Json,
  type Reason,
  succeeded,
  violation,
  warning,
} from '../../../src/vocabulary.ts';
import { invented } from '../../language/asking.ts';
import { inputOf, itemsOf, type Leaf, leavesOf, sentIn, withLeaf } from '../../language/leaves.ts';

/** Two runs whose inputs differ in one text, and one with another input of the second kind: that the actor shows such texts. */
interface Texts {
  readonly [name: string]: Exchange | null;
  readonly first: Exchange;
  readonly second: Exchange;
  readonly control: Exchange | null;
}

/** A run, the same with one field given or changed, and runs with inputs of their own, with that field and without. */
interface Fields {
  readonly [name: string]: Exchange | readonly Exchange[];
  readonly without: Exchange;
  readonly given: Exchange;
  readonly controls: readonly Exchange[];
  readonly again: readonly Exchange[];
}

export interface Near {
  readonly [name: string]: readonly Texts[] | readonly Fields[];
  readonly texts: readonly Texts[];
  readonly fields: readonly Fields[];
}

type Asking = Pick<Ask<unknown>, 'run' | 'random'> & { readonly actor: Actor };

const mostTexts = 3;
const mostFields = 4;
/** More than a name of a run in a memory keeps of a text, the longest first: not every text may be so long. */
const beginnings = [1100, 72, 0];

export const nearlyAlike = async (asking: Asking): Promise<Near> => ({
  texts: await textsOf(asking),
  fields: await fieldsOf(asking),
});

/** Texts that take any words: those that differ among the variants, and those that hold a nonce. */
function freeTexts({ input, variants = [] }: Actor): readonly string[] {
  const other = leavesOf(variants.at(-1)?.[0]);
  return [...leavesOf(input)].flatMap(([at, value]) => {
    if (typeof value !== 'string' || /\{\{source/.test(value)) return [];
    return value.includes('{{nonce}}') || (other.has(at) && other.get(at) !== value) ? [at] : [];
  });
}

const shows = (exchange: Exchange, at: string): boolean => {
  const own = inputOf(exchange).get(at);
  return succeeded(exchange) && own !== undefined && [...itemsOf(exchange).values()].includes(own);
};

async function textsOf({ run, random, actor }: Asking): Promise<readonly Texts[]> {
  const made: Texts[] = [];
  const long = (length: number): string => {
    let text = invented(random);
    while (text.length < length) text += ` ${invented(random)}`;
    return length === 0 ? '' : `${text.slice(0, length)} `;
  };
  for (const at of freeTexts(actor).slice(0, mostTexts)) {
    const given = leavesOf(actor.input).get(at);
    const of = (tail: string) => run({ input: withLeaf(actor.input ?? {}, at, `${given} ${tail}`) });
    const [tail, other] = [invented(random), invented(random)];
    let first: Exchange | undefined;
    let isLong = false;
    for (const length of beginnings) {
      if (first !== undefined && succeeded(first)) break;
      isLong = length > 0;
      first = await of(`${long(length)}${tail}`);
    }
    if (first === undefined || !shows(first, at)) continue;
    const sent = String(inputOf(first).get(at));
    const before = first;
    const again = (text: string) => run({ again: before, input: withLeaf(sentIn(first), at, text) });
    const ended = (end: string): string => sent.slice(0, sent.length - tail.length) + end;
    if (isLong) made.push({ first, second: await again(ended(other)), control: null });
    const second = await again(ended(tail.toUpperCase()));
    // Only who shows such letters at all owes them to everybody.
    made.push({ first, second, control: shows(second, at) ? second : await of(other.toUpperCase()) });
  }
  return [...made, ...(await twinsOf({ run, random, actor })), ...(await joinedOf({ run, random, actor }))];
}

/** The same letters once blanks are removed, the same once all but ASCII is, and the same but for the middle. */
const twins: readonly (readonly [string, string, string?])[] = [
  ['north wind', 'northw ind'],
  ['дом', 'сад'],
  // As long, and the same at both ends.
  ['red', 'tan', ' as it was said at the end of the day, and as all of us remember'],
];

async function twinsOf({ run, random, actor }: Asking): Promise<readonly Texts[]> {
  const made: Texts[] = [];
  const [at] = freeTexts(actor);
  for (const [one, other, ending = ''] of at === undefined ? [] : twins) {
    const beginning = `${leavesOf(actor.input).get(at!)} ${invented(random)} `;
    const first = await run({ input: withLeaf(actor.input ?? {}, at!, beginning + one + ending) });
    if (!shows(first, at!)) continue;
    const sent = String(inputOf(first).get(at!));
    const input = withLeaf(sentIn(first), at!, sent.slice(0, -(one + ending).length) + other + ending);
    made.push({ first, second: await run({ again: first, input }), control: null });
  }
  return made;
}

/** A word moves from the end of one text to the beginning of the next: joined, they are the same. */
async function joinedOf({ run, random, actor }: Asking): Promise<readonly Texts[]> {
  const [at, next] = freeTexts(actor);
  if (at === undefined || next === undefined) return [];
  const word = invented(random);
  const first = await run({ input: withLeaf(actor.input ?? {}, at, `${leavesOf(actor.input).get(at)}${word}`) });
  if (!shows(first, at)) return [];
  const sent = inputOf(first);
  const moved = withLeaf(sentIn(first), at, String(sent.get(at)).slice(0, -word.length));
  return [
    {
      first,
      second: await run({ again: first, input: withLeaf(moved, next, `${word}${sent.get(next)}`) }),
      control: null,
    },
  ];
}

/** Words, numbers and the like, in the other order. */
function turnedLists(value: Json, at = ''): readonly (readonly [string, Json])[] {
  if (Array.isArray(value)) {
    const isPlain = (each: Json): boolean =>
      typeof each !== 'object' && !(typeof each === 'string' && /\{\{/.test(each));
    return new Set(value).size > 1 && value.every(isPlain) ? [[at, value.toReversed()]] : [];
  }
  return isObject(value) ? Object.entries(value).flatMap(([name, each]) => turnedLists(each, `${at}/${name}`)) : [];
}

/** Fields that may be given or changed: texts, numbers and the order of a list, for a truth value may ask for a failure. */
function changes({ input, admitted, variants = [] }: Actor): readonly (readonly [string, Json])[] {
  const other = leavesOf(variants[0]?.[0]);
  const numbers = [...leavesOf(input)].flatMap(([at, value]): (readonly [string, Json])[] =>
    typeof value === 'number' && other.has(at) && other.get(at) !== value ? [[at, other.get(at)!]] : [],
  );
  const given = admitted.flatMap(({ change, field, input: with_ }): (readonly [string, Json])[] => {
    const value = change === 'given' && isObject(with_) ? with_[field] : undefined;
    return typeof value === 'string' || typeof value === 'number' ? [[`/${field}`, value]] : [];
  });
  const turned = turnedLists(input ?? null).slice(0, 1);
  return [...new Map([...turned, ...given, ...numbers]).entries()].slice(0, mostFields);
}

const put = (input: Json, at: string, value: Json): Json =>
  isObject(input) && !Object.hasOwn(input, at.slice(1)) && !at.slice(1).includes('/')
    ? { ...input, [at.slice(1)]: value }
    : withLeaf(input, at, value as Leaf);

async function fieldsOf({ run, actor }: Asking): Promise<readonly Fields[]> {
  const made: Fields[] = [];
  const all = actor.input === undefined ? [] : changes(actor);
  if (all.length === 0) return [];
  const without = await run();
  for (const [at, value] of succeeded(without) ? all : []) {
    const fresh = () => run({ input: put(actor.input ?? {}, at, value) });
    const controls = [await fresh()];
    if (!matters(without, controls[0]!)) continue;
    const change = () => run({ again: without, input: put(sentIn(without), at, value) });
    const given = await change();
    const again: Exchange[] = [];
    if (isSame(without, given)) {
      // Where items change by chance, they do so again.
      controls.push(await fresh());
      again.push(await run(), await change());
    }
    made.push({ without, given, controls, again });
  }
  return made;
}

/** What the items hold, whatever the nonce of their run. */
const viewOf = (exchange: Exchange): string => {
  const nonce = exchange.planted?.nonce;
  const items = JSON.stringify([...itemsOf(exchange)]);
  return nonce === undefined ? items : items.replaceAll(nonce, '{{nonce}}');
};

const matters = (without: Exchange, control: Exchange): boolean =>
  succeeded(control) && viewOf(control) !== viewOf(without);

const isSame = (one: Exchange, other: Exchange): boolean =>
  succeeded(other) && JSON.stringify([...itemsOf(one)]) === JSON.stringify([...itemsOf(other)]);

const expected = 'the items of this input';

function judgeTexts({ first, second, control }: Texts): readonly Reason[] {
  const sent = inputOf(first);
  const at = [...inputOf(second)].find(([place, value]) => sent.get(place) !== value)?.[0] ?? '';
  const foreign = sent.get(at);
  const isForeign = succeeded(second) && !shows(second, at) && [...itemsOf(second).values()].includes(foreign ?? '');
  if (!isForeign || !shows(control ?? first, at)) return [];
  const came = `those of another one, whose \`${at.slice(1)}\` is nearly the same`;
  // Nobody says that a text has case.
  return control === null
    ? [violation(second, expected, came)]
    : [warning(second, expected, `${came}, but for the case of letters`)];
}

function judgeFields({ without, given, controls, again }: Fields): readonly Reason[] {
  const [control, other] = controls;
  const [plain, repeated] = again;
  if (!control || !other || !plain || !repeated) return [];
  const isSteady = viewOf(control) === viewOf(other) && viewOf(without) === viewOf(plain);
  return isSteady && matters(without, control) && isSame(without, given) && isSame(without, repeated)
    ? [violation(given, expected, 'those of a run that differs in one field')]
    : [];
}

export const judgeNear = ({ texts, fields }: Near): readonly Reason[] => [
  ...texts.flatMap(judgeTexts),
  ...fields.flatMap(judgeFields),
];
