/** A run that a key has no access to, by another door: access that is decided by the spelling of a path guards one spelling. */
import {
  type Actor,
  type Case,
  type Exchange,
  isObject,
  type Json,
  jsonOf,
  type Key,
  member,
  type RunOptions,
  rule,
  type Subject,
  statusFits,
  succeeded,
  type Twin,
  violation,
  whatCame,
} from '../../../src/vocabulary.ts';
import { clauses } from '../../clauses/index.ts';
import { eachSaying, everything } from '../../language/asking.ts';
import { type RunDress, runDresses } from '../../language/dresses.ts';
import { expectRunResult } from '../../language/expectations.ts';
import { inapplicableIf, succeeds } from '../../language/gates.ts';
import { inFullWidth } from '../../language/odd-credentials.ts';

interface Door extends Case {
  readonly respell: (path: string) => string;
  /** What else of the run is other than usual. */
  readonly how?: Pick<RunOptions, 'headers' | 'input' | 'keyHeader'> & RunDress['how'];
  /** With other fields an actor may give other items, or none. */
  readonly fewer?: true;
}

interface Barred extends Door {
  readonly actor: Actor;
  readonly entitled: Key;
  readonly barred: Key;
}

/** The name stands in the path percent-encoded: what is behind a per cent sign is no letter of it. */
const inName = (respell: (name: string) => string) => (path: string) =>
  path.replace(/(?<=^\/v1\/actors\/)[^/]+/, respell);

const escaped = (letter: string): string => `%${letter.charCodeAt(0).toString(16)}`;

const inAnotherCase = (name: string): string =>
  name.replaceAll(/%[0-9A-F]{2}|[a-z]/g, (each) => (each.startsWith('%') ? each : each.toUpperCase()));

/** Who normalises a name finds the plain one. */
const ofFullWidth = (name: string): string => encodeURIComponent(inFullWidth(decodeURIComponent(name)));

const plainly = (path: string): string => path;

const doors: readonly Door[] = [
  { name: 'with a method in a header', respell: plainly, how: { headers: [['X-HTTP-Method-Override', 'GET']] } },
  // As many a script writes it, and each proxy of a newer protocol.
  { name: 'with its header in small letters', respell: plainly, how: { keyHeader: 'x-api-key' } },
  { name: 'with a slash behind', respell: (path) => `${path}/` },
  { name: 'with the name in capitals', respell: inName(inAnotherCase) },
  { name: 'with the name in full width', respell: inName(ofFullWidth) },
  { name: 'with an escape in the name', respell: inName((name) => name.replace(/^[A-Za-z]/, escaped)) },
  { name: 'with a doubled slash', respell: (path) => path.replace('/actors/', '/actors//') },
  { name: 'with a dot in the path', respell: (path) => path.replace('/actors/', '/actors/./') },
];

const dressed: readonly Door[] = runDresses.map((dress) => ({ ...dress, respell: plainly }));

/** A caller who says itself what it may do. */
function claiming({ tierOrder, actors }: Subject): readonly Door[] {
  const highest = tierOrder.at(-1) ?? 'enterprise';
  const features = actors.restricted.flatMap(({ needs }) => needs?.features ?? []).join() || 'all';
  const query = new URLSearchParams({ tier: highest, plan: highest, features, feature: features });
  // A header holds no letters of other alphabets.
  const inHeader = (text: string): string => encodeURIComponent(text).replaceAll('%2C', ',');
  const headers = [
    ...eachSaying(inHeader(highest), 'X-Tier', 'X-Plan', 'X-Key-Tier', 'X-Api-Tier'),
    ...eachSaying(inHeader(features), 'X-Features', 'X-Feature'),
  ];
  return [
    { name: 'with a tier in its query', respell: (path) => `${path}?${query}` },
    { name: 'with a tier in its headers', respell: plainly, how: { headers } },
  ];
}

/** The same run with a field that it may have: a check of the input may come first, and return early. */
const filledIn = ({ admitted }: Actor): readonly Door[] =>
  admitted
    .filter(({ change }) => change === 'given')
    .map(({ field, input }) => ({ name: `with ${field} given`, respell: plainly, how: { input } }));

/** The same run with the required fields alone: a check of access may be where an optional field is read. */
function fieldsLeftOut({ schema, input, needs }: Actor): readonly Door[] {
  const required = isObject(schema) && Array.isArray(schema.required) ? schema.required : [];
  // Without facts about the actor, a part of its input may be what needs the access.
  if (needs === undefined || !isObject(input)) return [];
  const fields = Object.entries(input).filter(([name]) => required.includes(name));
  return fields.length === 0 || fields.length === Object.keys(input).length
    ? []
    : [
        {
          name: 'with its required fields alone',
          respell: plainly,
          how: { input: Object.fromEntries(fields) },
          fewer: true,
        },
      ];
}

/** For what differs in the path one actor is enough: it is not what is behind it. */
function barredFrom(subject: Subject): readonly Barred[] {
  return subject.actors.restricted
    .filter(({ entitledKey, restrictedKey }) => entitledKey && restrictedKey)
    .flatMap((actor, at) =>
      [
        ...(at === 0 ? [...dressed, ...doors] : []),
        ...claiming(subject),
        ...filledIn(actor),
        ...fieldsLeftOut(actor),
      ].flatMap((door) => {
        const { entitledKey: entitled, restrictedKey: barred } = actor;
        const path = `/v1/actors/${encodeURIComponent(actor.name)}/run`;
        const isPlain = door.respell(path) === path && door.how === undefined;
        return isPlain || entitled === undefined || barred === undefined
          ? []
          : [{ ...door, name: `${actor.name} ${door.name}`, actor, entitled, barred }];
      }),
    );
}

const entitledRun: Twin = {
  name: 'entitled-run',
  ask: ({ run, actor }) => run({ key: actor.entitledKey ?? null }),
};

const shapeOf = (item: Json): string => (isObject(item) ? Object.keys(item).sort().join() : typeof item);

const itemsOf = (exchange: Exchange): readonly Json[] => {
  const body = jsonOf(exchange);
  const items = body.ok && isObject(body.value) ? body.value.items : undefined;
  return Array.isArray(items) ? (items as readonly Json[]) : [];
};

/** Another actor may have nearly the same name, and any page may answer 200: the items show what ran. */
function isSameRun(one: Exchange, other: Exchange, fewer: boolean): boolean {
  if (fewer) return succeeded(one) && expectRunResult(one).length === 0;
  const [first] = itemsOf(one);
  const [second] = itemsOf(other);
  return (
    first !== undefined &&
    second !== undefined &&
    shapeOf(first) === shapeOf(second) &&
    typeof member(one, 'status') === 'string'
  );
}

export const restrictedDoors = rule({
  id: 'access.other-doors',
  clause: clauses.keyWithoutAccessIs403,
  needs: ['restricted'],
  without: everything,
  cases: barredFrom,
  twin: entitledRun,
  about: ({ case: { fewer = false } }): { readonly fewer?: boolean } => ({ fewer }),
  async *ask({ run, case: { respell, how, barred, entitled } }) {
    const exchange = await run({ key: barred, respell, ...how });
    yield { exchange };
    const isShut = statusFits(exchange, '4xx');
    yield { plain: isShut ? null : await run({ key: barred }) };
    yield { entitledRun: isShut ? null : await run({ key: entitled }) };
  },
  given: ({ plain, entitledRun: entitled }) => [
    inapplicableIf(
      !!plain && !statusFits(plain, 403),
      'as the specification writes the path, this key does not get 403 either; other rules report that',
    ),
    succeeds(entitled, 'a run with a key that has access'),
  ],
  judge: ({ exchange, entitledRun: entitled }, { fewer = false }) =>
    entitled !== null && isSameRun(exchange, entitled, fewer)
      ? [violation(exchange, 'a refusal, as for the plain path', whatCame(exchange))]
      : [],
  fix: 'Decide about access where the actor is known, after the path was decoded and normalised, or serve no other spelling.',
});
