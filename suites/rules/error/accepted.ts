/**
 * Bodies are JSON, whatever kind a caller says that it prefers: a client whose library asks for anything else must not get another one. Nor does
 * a client get none because it says what it has already, which is something else.
 */
import {
  asksWith,
  type Case,
  type Exchange,
  expectJson,
  type Reason,
  rule,
  type Subject,
  statusFits,
  warning,
  whatCame,
} from '../../../src/vocabulary.ts';
import { clauses } from '../../clauses/index.ts';
import { everything, invented } from '../../language/asking.ts';
import { inapplicableIf } from '../../language/gates.ts';
import { plainVerify } from '../../language/twins.ts';

type Said = readonly [name: string, value: string];

/** Some know a browser by its name. */
const browser: Said = ['User-Agent', 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'];

const preferences: readonly { readonly of: string; readonly accept: string; readonly beside?: Said }[] = [
  { of: 'a browser', accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', beside: browser },
  { of: 'a reader of XML', accept: 'application/xml' },
  { of: 'a terminal', accept: 'text/plain' },
  { of: 'a reader of problems', accept: 'application/problem+json, application/json;q=0.9' },
  ...['de-DE,de;q=0.9', 'fr', 'ja', 'tlh'].map((language) => ({
    of: `a reader of ${language}`,
    accept: 'application/json',
    beside: ['Accept-Language', language] as const,
  })),
];

interface Preferring extends Case {
  readonly call: 'verify' | 'read' | 'run' | 'a missing key' | 'an unknown route';
  readonly headers: (random: () => number) => readonly Said[];
}

function preferring({ actors }: Subject): readonly Preferring[] {
  const calls: readonly Preferring['call'][] = [
    'verify',
    'a missing key',
    'an unknown route',
    ...(actors.clean.length > 0 ? (['read', 'run'] as const) : []),
  ];
  const preferred = calls.flatMap((call) =>
    preferences.map(
      ({ of, accept, beside }): Preferring => ({
        name: `${call}, as ${of} asks`,
        call,
        headers: () => [['Accept', accept], ...(beside === undefined ? [] : [beside])],
      }),
    ),
  );
  const conditional = calls
    .filter((call) => call !== 'an unknown route')
    .map((call): Preferring => ({ name: `${call}, unless it is what nobody has`, call, headers: unlessItIs }));
  return [...preferred, ...conditional];
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
  clause: clauses.bodiesAreJson,
  needs: ['key'],
  without: everything,
  cases: preferring,
  twin: plainVerify,
  async *ask({ verify, read, run, send, random, subject, case: { call, headers } }) {
    const [actor] = subject.actors.clean;
    const nowhere = `/v1/${invented(random)}`;
    const ask = (beside: { readonly headers?: readonly Said[] }): Promise<Exchange> => {
      if (call === 'an unknown route') return send({ method: 'GET', target: nowhere, ...beside });
      if (call === 'a missing key') return verify({ ...beside, key: null });
      return call === 'verify' || actor === undefined
        ? verify(beside)
        : (call === 'read' ? read : run)({ ...beside, actor });
    };
    yield { plain: await ask({}) };
    yield { exchange: await ask({ headers: headers(random) }) };
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
