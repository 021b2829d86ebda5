/** What is left open about keys: where else one is taken from, and which of several faults is answered. */
import {
  type Ask,
  type Case,
  type Exchange,
  observation,
  rule,
  type Secret,
  whatCame,
} from '../../../src/vocabulary.ts';
import { clauses } from '../../clauses/index.ts';
import { invented } from '../../language/asking.ts';
import { expectNotServed } from '../../language/expectations.ts';
import { inconclusiveIf } from '../../language/gates.ts';
import { wrongInTheMiddle } from '../../language/near-misses.ts';
import { cleanRun } from '../../language/twins.ts';

interface Elsewhere extends Case {
  readonly header?: string;
  readonly how?: (key: Secret) => Secret;
  readonly query?: string;
}

const places: readonly Elsewhere[] = [
  {
    name: 'in Authorization, as a bearer',
    header: 'Authorization',
    how: (key) => key.derive('bearer', (value) => `Bearer ${value}`),
  },
  { name: 'in Authorization, bare', header: 'Authorization', how: (key) => key },
  { name: 'in the query, as api_key', query: 'api_key' },
  { name: 'in the query, as token', query: 'token' },
];

export const keyElsewhere = observation({
  id: 'auth.key-elsewhere',
  clause: clauses.keyElsewhereNotShown,
  needs: ['key'],
  cases: () => places,
  about: ({ case: { name, query } }) => ({ name, query }),
  async ask({ verify, send, key, case: { header, how, query = 'api_key' } }) {
    const asking =
      header !== undefined && how !== undefined
        ? verify({ key: null, headers: [[header, how(key.secret)]] })
        : send({ method: 'GET', target: '/v1/auth/verify', query: [query, key.secret], key: null });
    return { exchange: await asking };
  },
  given: ({ exchange }, { query }) => [
    inconclusiveIf(
      query !== undefined && exchange?.request.target.includes(`?${query}=`) === false,
      'the key did not reach the query',
    ),
  ],
  observe: ({ exchange }, { name }) => [`a key ${name} gets ${whatCame(exchange)}`],
  fix: 'Nothing to fix: the specification describes X-API-Key only, and leaves other places open.',
});

interface Faulty extends Case {
  readonly send: (ask: Ask<unknown>) => Promise<Exchange>;
}

const cutOff = '{"cut": ';

const unknown = (random: () => number): string => invented(random);

/** Two or three things wrong at once. Any of them is reason enough to refuse. */
const faultyTogether: readonly Faulty[] = [
  { name: 'no key, unknown actor', send: ({ run, random }) => run({ key: null, actor: unknown(random) }) },
  { name: 'no key, bad body', send: ({ run }) => run({ key: null, body: cutOff }) },
  {
    name: 'invalid key, unknown actor',
    send: ({ run, key, random }) => run({ key: wrongInTheMiddle.of(key.secret), actor: unknown(random) }),
  },
  {
    name: 'invalid key, bad body',
    send: ({ run, key }) => run({ key: wrongInTheMiddle.of(key.secret), body: cutOff }),
  },
  { name: 'unknown actor, bad body', send: ({ run, random }) => run({ actor: unknown(random), body: cutOff }) },
  {
    name: 'no key, unknown actor, bad body',
    send: ({ run, random }) => run({ key: null, actor: unknown(random), body: cutOff }),
  },
];

const faultyTogetherAt = ({ actors }: Ask['subject']): readonly Faulty[] => [
  ...faultyTogether,
  ...actors.restricted.slice(0, 1).flatMap((actor): Faulty[] => {
    const key = actor.restrictedKey;
    return key === undefined
      ? []
      : [{ name: 'no access, bad body', send: ({ run }) => run({ actor, key, body: cutOff }) }];
  }),
];

export const severalFaults = rule({
  id: 'auth.several-faults',
  clause: clauses.keyOnEveryDataRequest,
  needs: ['key', 'clean'],
  actor: 'clean',
  cases: faultyTogetherAt,
  twin: cleanRun,
  question: 'several-faults',
  ask: async (ask) => ({ exchange: await ask.case.send(ask) }),
  judge: ({ exchange }) => expectNotServed(exchange, 'a refusal, for any of the faults'),
  fix: 'Require every check to pass: a failed check must not skip another one.',
});

export const precedence = observation({
  id: 'auth.precedence',
  clause: clauses.precedenceNotShown,
  needs: ['key', 'clean'],
  actor: 'clean',
  cases: faultyTogetherAt,
  question: 'several-faults',
  about: ({ case: { name } }) => ({ name }),
  ask: async (ask) => ({ exchange: await ask.case.send(ask) }),
  observe: ({ exchange }, { name }) => [`${name}: ${whatCame(exchange)}`],
  fix: 'Nothing to fix: the specification leaves open which of several faults determines the answer.',
});
