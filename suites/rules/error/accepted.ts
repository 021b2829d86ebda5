/**
 * Bodies are JSON, whatever kind a caller says that it prefers: a client whose library asks for anything else must not get another one. Nor does
 * a client get none because it says what it has already, which is something else.
 */
import {
  type Actor,
  type Ask,
  asksWith,
  type Case,
  type Exchange,
  expectJson,
  type Reason,
  type RunOptions,
  rule,
  type Subject,
  statusFits,
  warning,
  whatCame,
} from '../../../src/vocabulary.ts';
import { clauses } from '../../clauses/index.ts';
import { everySource, everything, invented } from '../../language/asking.ts';
import { inapplicableIf } from '../../language/gates.ts';
import { plainVerify } from '../../language/twins.ts';
import { fieldCases } from '../../language/wrong-inputs.ts';

type Said = readonly [name: string, value: string];

/** Some know a browser by its name. */
const browser: Said = ['User-Agent', 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'];

interface Preference {
  readonly of: string;
  readonly accept: string;
  readonly beside?: Said;
}

const german: Preference = inLanguage('de-DE,de;q=0.9');
const ofProblems: Preference = {
  of: 'a reader of problems',
  accept: 'application/problem+json, application/json;q=0.9',
};

const preferences: readonly Preference[] = [
  { of: 'a browser', accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', beside: browser },
  { of: 'a reader of XML', accept: 'application/xml' },
  { of: 'a terminal', accept: 'text/plain' },
  ofProblems,
  german,
  ...['fr', 'ja', 'tlh'].map(inLanguage),
];

/** Frameworks know how to write these, and some do so for whoever says that. */
const ofTables: readonly Preference[] = [
  { of: 'a reader of tables', accept: 'text/csv' },
  { of: 'a reader of YAML', accept: 'application/yaml' },
];

function inLanguage(language: string): Preference {
  return { of: `a reader of ${language}`, accept: 'application/json', beside: ['Accept-Language', language] };
}

interface Call {
  readonly name: string;
  readonly ask: (
    ask: Pick<Ask<unknown>, 'verify' | 'read' | 'run' | 'send'>,
    beside: { readonly headers?: readonly Said[] },
    nowhere: string,
  ) => Promise<Exchange>;
}

const verifying: Call = { name: 'verify', ask: ({ verify }, beside) => verify(beside) };
const keyless: Call = { name: 'a missing key', ask: ({ verify }, beside) => verify({ ...beside, key: null }) };
const unknownRoute: Call = {
  name: 'an unknown route',
  ask: ({ send }, beside, nowhere) => send({ method: 'GET', target: nowhere, ...beside }),
};

const working = ([actor]: readonly Actor[]): readonly Call[] =>
  actor === undefined
    ? []
    : [
        { name: 'read', ask: ({ read }, beside) => read({ ...beside, actor }) },
        { name: 'run', ask: ({ run }, beside) => run({ ...beside, actor }) },
      ];

/** One of each status that a run can fail with: their texts come from other places than those of a missing key or route. */
function failing(subject: Subject): readonly Call[] {
  const { clean, restricted, crashing, sources } = subject.actors;
  const cases = fieldCases(subject, ['missing', 'wrong-type']);
  const [missing] = typeof cases === 'string' ? [] : cases;
  const runs: readonly (readonly [name: string, options: RunOptions | undefined])[] = [
    ['a run of malformed JSON', clean[0] && { actor: clean[0], body: '{"cut": ' }],
    [
      'a run with a wrong input',
      missing && { actor: missing.actor, input: missing.mutant.input, ...(missing.key && { key: missing.key }) },
    ],
    ...restricted
      .slice(0, 1)
      .map((actor) => ['a run without access', actor.restrictedKey && { actor, key: actor.restrictedKey }] as const),
    ['a run that crashes', crashing[0] && { actor: crashing[0] }],
    ['a run of broken sources', sources[0] && { actor: sources[0], sources: everySource('refused') }],
  ];
  return runs.flatMap(([name, options]) =>
    options === undefined ? [] : [{ name, ask: ({ run }, beside) => run({ ...options, ...beside }) }],
  );
}

interface Preferring extends Case {
  readonly call: Call;
  readonly headers: (random: () => number) => readonly Said[];
}

function preferring(subject: Subject): readonly Preferring[] {
  const calls = [verifying, keyless, unknownRoute, ...working(subject.actors.clean)];
  const inWays = (call: Call, ways: readonly Preference[]): readonly Preferring[] =>
    ways.map(({ of, accept, beside }) => ({
      name: `${call.name}, as ${of} asks`,
      call,
      headers: () => [['Accept', accept], ...(beside === undefined ? [] : [beside])],
    }));
  return [
    ...calls.flatMap((call) => inWays(call, preferences)),
    ...calls
      .filter((call) => call !== unknownRoute)
      .map((call): Preferring => ({ name: `${call.name}, unless it is what nobody has`, call, headers: unlessItIs })),
    ...working(subject.actors.clean).flatMap((call) => inWays(call, ofTables)),
    ...failing(subject).flatMap((call) => inWays(call, [german, ofProblems])),
  ];
}

/** RFC 9110, section 13.1.2: where nothing has the tag, the request is served as if nothing had been said. */
const unlessItIs = (random: () => number): readonly Said[] => [['If-None-Match', `"${invented(random)}"`]];

/** What has no body is no body of another kind, and who has nothing that is accepted may say so. */
const isExempt = (exchange: Exchange): boolean =>
  statusFits(exchange, [204, 304, 406]) || exchange.response?.body.text === '';

/** Another status, and another body, is what other rules look at. */
const expectServed = (exchange: Exchange): readonly Reason[] =>
  statusFits(exchange, 304)
    ? [warning(exchange, 'the answer itself, which nobody can have under a tag that was invented', whatCame(exchange))]
    : [];

export const jsonWhateverAccepted = rule({
  id: 'error.json-whatever-accepted',
  inOneGo: true,
  clause: clauses.bodiesAreJson,
  needs: ['key'],
  without: everything,
  cases: preferring,
  twin: plainVerify,
  async *ask(ask) {
    const { call, headers } = ask.case;
    const nowhere = `/v1/${invented(ask.random)}`;
    yield { plain: await call.ask(ask, {}, nowhere) };
    yield { exchange: await call.ask(ask, { headers: headers(ask.random) }, nowhere) };
  },
  given: ({ plain }) => [
    inapplicableIf(
      plain !== undefined && expectJson(plain).length > 0,
      'the answer is no JSON for anybody; other rules report that where it matters',
    ),
  ],
  // Who serves pages to browsers beside may have reasons that no sentence rules out.
  judge({ exchange }) {
    if (asksWith(exchange, 'if-none-match')) return expectServed(exchange);
    return isExempt(exchange) || expectJson(exchange).length === 0
      ? []
      : [warning(exchange, 'a body that parses as JSON, or 406', whatCame(exchange))];
  },
  fix: 'Answer with JSON whatever `Accept` says, or with 406 where it rules JSON out, and with 304 only where `If-None-Match` has the tag of what is there.',
});
