import {
  type Actor,
  type Ask,
  atPointer,
  type Case,
  type Exchange,
  expectJson,
  expectJsonContentType,
  expectStatus,
  Inapplicable,
  jsonOf,
  observation,
  rule,
  type Subject,
  statusFits,
  statusOf,
  succeeded,
  sweep,
  unless,
  violation,
  whatCame,
  withDoubles,
} from '../../../src/vocabulary.ts';
import { clauses } from '../../clauses/index.ts';
import { actorNamed } from '../../language/answers.ts';
import { everything, invented, nameless } from '../../language/asking.ts';
import { expectNotServed } from '../../language/expectations.ts';
import { succeeds } from '../../language/gates.ts';
import { faultOfSchema } from '../../language/json-schema.ts';
import { cleanRun, plainRead, plainVerify } from '../../language/twins.ts';
import { oddNames } from './names.ts';

export const read = rule({
  id: 'actor.read',
  clause: clauses.readGivesSchema,
  needs: ['key', 'clean'],
  actor: 'clean',
  ask: (ask) => ask.read(),
  judge: (exchange) => unless(expectStatus(exchange, '2xx'), () => expectJson(exchange)),
  fix: 'Answer GET /v1/actors/{name} with the input schema of that actor, as JSON.',
});

/** Once each, with a key that may run it. An actor that fails inside may do so here too. */
const readable = ({ actors: { crashing, restricted, ...others } }: Subject): readonly Actor[] => {
  const all = [...Object.values(others).flat(), ...restricted.filter(({ entitledKey }) => entitledKey !== undefined)];
  return all.filter(({ name }, at) => all.findIndex((each) => each.name === name) === at);
};

/** Each actor of the profile, and all reads that other rules make in passing. */
export const everyRead = sweep({
  id: 'actor.every-read',
  clause: clauses.readGivesSchema,
  needs: ['key', 'clean'],
  without: everything,
  async provoke({ read, subject }) {
    const reads: Exchange[] = [];
    for (const actor of readable(subject))
      reads.push(await read({ actor, ...(actor.entitledKey && { key: actor.entitledKey }) }));
    return { reads };
  },
  includes: (exchange, scene, brought: readonly { readonly reads: readonly Exchange[] }[]) =>
    (brought.some(({ reads }) => reads.includes(exchange)) && !statusFits(exchange, 429)) ||
    (exchange.request.method === 'GET' &&
      succeeded(exchange) &&
      scene.actors.includes(actorNamed(exchange, scene) ?? '')),
  judge: (exchange) => unless(expectStatus(exchange, '2xx'), () => expectJson(exchange)),
  fix: 'Answer every GET /v1/actors/{name} with the schema, as JSON: none with an empty body.',
});

export const schemaFound = observation({
  id: 'actor.schema-found',
  clause: clauses.readShapeNotShown,
  needs: ['key', 'clean'],
  actor: 'clean',
  about: ({ actor }) => ({ name: actor.name, at: actor.schemaAt ?? null }),
  ask: () => null,
  observe: (_, { name, at }) => [`the input schema of ${name} is ${placeInWords(at)}`],
  fix: 'Nothing to fix: the specification leaves open where in the answer the schema is.',
});

function placeInWords(at: string | null): string {
  if (at === null) return 'neither in the answer nor in the profile';
  if (at === 'profile') return "taken from the profile, not from the service's answer";
  return at === '' ? 'the whole answer' : `at ${at} of the answer`;
}

export const schemaIsValid = rule({
  id: 'actor.schema-is-valid',
  clause: clauses.schemaIsJsonSchema,
  needs: ['key'],
  without: ['actor'],
  cases({ actors }) {
    const found = new Map(
      Object.values(actors)
        .flat()
        .flatMap((actor) => {
          const { name, schemaAt, entitledKey } = actor;
          if (schemaAt === undefined || schemaAt === 'profile') return [];
          return [
            [name, { name, at: schemaAt, actor, ...(entitledKey === undefined ? {} : { key: entitledKey }) }],
          ] as const;
        }),
    );
    return found.size > 0
      ? [...found.values()]
      : 'no answer of GET /v1/actors/{name} contains a schema that Touchstone recognises';
  },
  about: ({ case: { at } }) => ({ at }),
  ask: async ({ read }) => ({ exchange: await read() }),
  given: ({ exchange }) => [succeeds(exchange, 'reading the actor')],
  judge({ exchange }, { at }) {
    const body = jsonOf(exchange);
    const answer = body.ok ? withDoubles(body.value) : undefined;
    const fault = faultOfSchema(atPointer(answer, at), answer);
    return fault === undefined ? [] : [violation(exchange, 'a valid JSON Schema', fault)];
  },
  fix: 'Validate the schemas that you show against the meta-schema of their draft: clients generate inputs from them.',
});

interface Unknown extends Case {
  readonly of: (known: string, random: () => number) => string;
  /** So near that some other refusal may come first. */
  readonly near?: true;
}

const unknownNames: readonly Unknown[] = [
  { name: 'a name that nothing has', of: (_, random) => invented(random) },
  { name: 'a known name with something after it', of: (known, random) => `${known}-${nameless(random)}` },
  { name: 'a known name without its end', of: (known) => known.slice(0, -1) },
];

/** What files and programs call it. */
const nearNames: readonly Unknown[] = [
  { name: 'a known name with an ending', of: (known) => `${known}.json`, near: true },
  { name: 'a known name with underscores for its hyphens', of: (known) => known.replaceAll('-', '_'), near: true },
];

/** The name that a case makes of the known one, unless that is the name of another actor. */
function unknownName({ actor, subject, random, case: { of } }: Ask<Unknown>): string {
  const name = of(encodeURIComponent(actor.name), random);
  const known = Object.values(subject.actors).flat();
  if (name === '' || name.endsWith('%') || known.some((each) => each.name === name))
    throw new Inapplicable('that is another actor');
  return name;
}

export const unknownRead = rule({
  id: 'actor.unknown-read',
  clause: clauses.unknownActorIs404,
  needs: ['key', 'clean'],
  actor: 'clean',
  cases: () => unknownNames,
  twin: plainRead,
  answering: true,
  ask: (ask) => ask.read({ actor: unknownName(ask) }),
  judge: (exchange) => expectStatus(exchange, 404),
  fix: 'Look up the actor by its whole name, and answer 404 if it does not exist.',
});

export const unknownRun = rule({
  id: 'actor.unknown-run',
  clause: clauses.unknownActorIs404,
  needs: ['key', 'clean'],
  actor: 'clean',
  cases: () => [...unknownNames, ...nearNames],
  twin: cleanRun,
  answering: true,
  about: ({ case: { near = false } }): { readonly near?: boolean } => ({ near }),
  ask: (ask) => ask.run({ actor: unknownName(ask) }),
  judge: (exchange, { near }) =>
    near ? expectNotServed(exchange, '404, because no actor has that name') : expectStatus(exchange, 404),
  fix: 'Look up the actor by its whole name, and answer 404 if it does not exist, before you look at the input.',
});

export const hostileNames = rule({
  id: 'actor.hostile-names',
  clause: clauses.hostileNamesAreClientErrors,
  needs: ['key'],
  cases: oddNames,
  twin: plainVerify,
  answering: true,
  async ask({ send, case: { segment, body = '{}' } }) {
    const target = `/v1/actors/${segment}`;
    return [
      await send({ method: 'GET', target }),
      await send({ method: 'POST', target: `${target}/run-sync-get-dataset-items`, body }),
    ];
  },
  judge: (exchanges) =>
    exchanges.flatMap((exchange) => [
      ...expectStatus(exchange, '4xx'),
      // Who answers such a path may be a proxy, in words of its own; but what says that it is JSON is JSON.
      ...(exchange.failure === undefined && expectJsonContentType(exchange).length === 0 ? expectJson(exchange) : []),
    ]),
  fix: 'Split a path before its names are decoded, look them up in a map without inherited members, and answer 4xx to what is no name.',
});

export const readsAgree = observation({
  id: 'actor.reads-agree',
  clause: clauses.readStabilityNotShown,
  needs: ['key', 'clean'],
  actor: 'clean',
  ask: async (ask) => ({ first: await ask.read(), second: await ask.read() }),
  observe({ first, second }) {
    if (statusOf(first) !== statusOf(second)) return [`two reads: ${whatCame(first)} and ${whatCame(second)}`];
    const same = first.response?.body.text === second.response?.body.text;
    return [same ? 'two reads of an actor return the same body' : 'two reads of an actor return different bodies'];
  },
  fix: 'Nothing to fix: the specification leaves open whether two reads agree.',
});
