/**
 * A field that a run leaves out is nobody else's: who keeps the input of the run before, by its key or its connection, fills it in.
 * What `run.every-field-is-its-own` asks in this way, and how it judges that.
 */
import {
  type Actor,
  type Ask,
  type Exchange,
  holdsText,
  isObject,
  type Json,
  member,
  type Reason,
  succeeded,
  violation,
} from '../../../src/vocabulary.ts';
import { invented } from '../../language/asking.ts';
import { inputOf, leavesOf, withLeaf } from '../../language/leaves.ts';

/** A run with a text of its own in a field that may be left out, between two without that field. */
export interface LeftOut {
  readonly [name: string]: Exchange;
  readonly before: Exchange;
  readonly given: Exchange;
  readonly without: Exchange;
}

const mostFields = 3;

/** Where no schema is known, a run that lacks what it needs is refused, and shows nothing. */
export const needed = ({ schema }: Pick<Actor, 'schema'>): readonly Json[] =>
  isObject(schema) && Array.isArray(schema.required) ? schema.required : [];

/** Fields that may be left out, each with a value that holds a text: of the input itself, and of those that it could have. */
function optional(actor: Actor): readonly (readonly [field: string, value: Json, at: string])[] {
  const { input, admitted, sourceLists } = actor;
  const further = admitted.flatMap(({ change, field, input: with_ }): (readonly [string, Json])[] =>
    change === 'given' && isObject(with_) && with_[field] !== undefined ? [[field, with_[field]]] : [],
  );
  const known = [input, sourceLists?.filled].flatMap((each) => (isObject(each) ? Object.entries(each) : []));
  const fields = new Map<string, Json>();
  for (const [field, value] of [...known, ...further]) if (!fields.has(field)) fields.set(field, value);
  return [...fields]
    .filter(([field, value]) => !needed(actor).includes(field) && !JSON.stringify(value).includes('{{'))
    .flatMap(([field, value]) => {
      const [text] = [...leavesOf(value)].filter(([, leaf]) => typeof leaf === 'string');
      return text === undefined ? [] : [[field, value, text[0]] as const];
    })
    .slice(0, mostFields);
}

type Asking = Pick<Ask<unknown>, 'run' | 'random'> & { readonly actor: Actor };

export const hasOptional = (actor: Actor): boolean => optional(actor).length > 0;

const shows = (exchange: Exchange, text: string): boolean =>
  succeeded(exchange) && holdsText(member(exchange, 'items'), text);

/** All on one connection, by one key. */
export async function leftOut({ run, random, actor }: Asking): Promise<readonly LeftOut[]> {
  const made: LeftOut[] = [];
  const { input } = actor;
  for (const [field, value, at] of isObject(input) ? optional(actor) : []) {
    const { [field]: _, ...rest } = input as Readonly<Record<string, Json>>;
    const own = invented(random);
    const before = await run({ input: rest });
    // A form of its own or a choice of few is refused.
    const given = await run({ input: { ...rest, [field]: withLeaf(value, at, own) } });
    if (shows(given, own)) made.push({ before, given, without: await run({ input: rest }) });
  }
  return made;
}

/** Whole items of another run are for another rule. */
const holdsItemsOf = ({ planted }: Exchange, other: Exchange): boolean =>
  [planted?.nonce, ...(planted?.sources ?? []).map(({ token }) => token)].some(
    (own) => own !== undefined && shows(other, own),
  );

export const judgeLeftOut = ({ before, given, without }: LeftOut): readonly Reason[] => {
  if (holdsItemsOf(given, without)) return [];
  const sent = new Set([...inputOf(without).keys()].map(fieldOf));
  const kept = [...inputOf(given)].find(
    // What the service says by itself where nothing is given, it said before.
    ([at, value]) =>
      typeof value === 'string' &&
      value.length >= longEnough &&
      !sent.has(fieldOf(at)) &&
      shows(without, value) &&
      succeeded(before) &&
      !shows(before, value),
  );
  return kept === undefined
    ? []
    : [violation(without, 'the items of this input alone', `the \`${kept[0].slice(1)}\` of the run before`)];
};

const fieldOf = (at: string): string => at.split('/')[1] ?? '';

/** What is invented is; a source may say shorter words by itself. */
const longEnough = 8;
