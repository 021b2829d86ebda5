/** The instance that runs without an admin token. */
import {
  type AdminOperation,
  type AdminOptions,
  type Ask,
  type Case,
  type Credential,
  type Exchange,
  expectStatus,
  type Key,
  observation,
  rule,
  type Subject,
  whatCame,
} from '../../../src/vocabulary.ts';
import { clauses } from '../../clauses/index.ts';
import { everything, invented } from '../../language/asking.ts';
import { expectSameAnswer } from '../../language/same-answer.ts';

interface Presented extends Case {
  readonly token: Credential;
}

/** What an unset variable, a forgotten default or another deployment could be taken for. */
const tokens = ({ admin }: Subject): readonly Presented[] => [
  { name: 'no token', token: null },
  { name: 'an empty token', token: '' },
  { name: 'a blank token', token: ' ' },
  { name: 'a wrong token', token: 'no-such-token' },
  { name: 'the token undefined', token: 'undefined' },
  { name: 'the token null', token: 'null' },
  { name: 'the token None', token: 'None' },
  { name: 'the token <nil>', token: '<nil>' },
  { name: 'the token admin', token: 'admin' },
  ...['changeme', 'secret', 'password', 'default', 'test'].map((token) => ({ name: `the token ${token}`, token })),
  ...(admin?.token === undefined ? [] : [{ name: 'the token of the other instance', token: admin.token }]),
];

/** Of a variable that was set to it: with what opens most. */
const wordFalse: Presented = { name: 'the token false', token: 'false' };

/** A comparison that looks at the length first; in parts, so that nobody takes it for a token that leaked. */
const long: Presented = { name: 'a token of 300 characters', token: 't.'.repeat(150) };

/** Where a token makes no difference to anybody, two show that: a wrong one, and one that is right elsewhere. */
const presentedTokens = (subject: Subject, { method }: Call) => [
  ...tokens(subject).filter(
    ({ token }) =>
      token !== null && (method !== 'OPTIONS' || token === 'no-such-token' || token === subject.admin?.token),
  ),
  ...(method === 'GET' ? [long] : []),
  // Whoever looks it up knows it, and may say that it is not enough.
  ...(method === 'GET' && subject.disabled?.key !== undefined
    ? [{ name: 'an API key for a token', token: subject.disabled.key }]
    : []),
];

const collectionOf = ({ admin }: Subject): string => admin?.collection ?? '/v1/admin/keys';

interface Call extends Case {
  readonly method: string;
  readonly below: string;
  readonly body?: string;
}

const calls: readonly Call[] = [
  ...['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'].map((method) => ({ name: method, method, below: '' })),
  ...['GET', 'PATCH', 'DELETE'].map((method) => ({ name: `${method} of a record`, method, below: '/no-such-record' })),
];

/** Who reads the body or the path first answers them otherwise, but with any token alike. */
const oddCalls: readonly Call[] = [
  { name: 'POST of a malformed payload', method: 'POST', below: '', body: '{"cut": ' },
  { name: 'GET below a record', method: 'GET', below: '/no-such-record/history' },
];

/** As a router may read them, behind a guard that compares letters. */
const respelled: readonly Call[] = ['/', '?page=1', '/?page=1'].map((below) => ({
  name: `GET with ${below} behind`,
  method: 'GET',
  below,
}));

const preflight: Call = { name: 'OPTIONS', method: 'OPTIONS', below: '' };

function send(
  { admin, subject }: Pick<Ask<unknown>, 'admin' | 'subject'>,
  { method, below, body: own = '{}' }: Call,
  token: Credential,
) {
  const target = `${collectionOf(subject)}${below}`;
  const body = ['POST', 'PUT', 'PATCH'].includes(method) ? { body: own } : {};
  return admin.send({ method, target, token, instance: 'disabled', ...body });
}

/** A request as the other instance takes it: what is open answers a 2xx to it, and not that the body is wrong. */
const described = (subject: Subject): readonly AdminOperation[] =>
  subject.admin?.operations.filter((operation) => operation === 'create' || operation === 'list') ?? [];

interface Refusable extends Case {
  readonly preflight?: true;
  /** It may lead to the plain spelling. */
  readonly leads?: true;
  readonly ask: (ask: Pick<Ask<unknown>, 'admin' | 'send' | 'subject'>) => Promise<Exchange>;
}

const attempting = (operation: AdminOperation, what: string, options: AdminOptions): Refusable => ({
  name: `${operation} with ${what}`,
  ask: ({ admin }) => admin.attempt(operation, { ...options, instance: 'disabled' }),
});

function everyCall(subject: Subject): readonly Refusable[] {
  const key = subject.disabled?.key;
  const presented = [
    ...tokens(subject),
    ...(key === undefined ? [] : [{ name: 'an API key for a token', token: key }]),
  ];
  const target = collectionOf(subject);
  return [
    ...presented.flatMap(({ name, token }): Refusable[] => [
      ...calls.map((call) => ({
        name: `${call.name} with ${name}`,
        ask: (ask: Parameters<Refusable['ask']>[0]) => send(ask, call, token),
      })),
      ...described(subject).map((operation) => attempting(operation, name, { token })),
    ]),
    ...ofRecords(subject),
    ...described(subject).map((operation) => attempting(operation, wordFalse.name, { token: wordFalse.token })),
    ...[null, 'no-such-token'].map(
      (token): Refusable => ({
        name: `a malformed payload with ${token === null ? 'no token' : 'a wrong token'}`,
        ask: ({ admin }) => admin.send({ method: 'POST', target, token, body: '{"cut": ', instance: 'disabled' }),
      }),
    ),
    ...respelled.map((call): Refusable => ({ name: call.name, leads: true, ask: (ask) => send(ask, call, null) })),
    { name: 'OPTIONS with no token', preflight: true, ask: (ask) => send(ask, preflight, null) },
    ...(key === undefined ? [] : withKey(subject, key)),
  ];
}

/** An identifier as the service gives it, of a record that was just made: where both instances share a store, it is there. */
const ofRecords = (subject: Subject): readonly Refusable[] =>
  !described(subject).includes('create')
    ? []
    : (['read', 'change', 'revoke'] as const)
        .filter((operation) => subject.admin?.operations.includes(operation))
        .flatMap((operation) =>
          tokens(subject)
            .filter(({ token }) => token === null || token === 'no-such-token' || token === subject.admin?.token)
            .map(
              ({ name, token }): Refusable => ({
                name: `${operation} of a record of the other instance with ${name}`,
                async ask({ admin }) {
                  const issued = await admin.create({ instance: 'main' });
                  const options = { token, instance: 'disabled' } as const;
                  return issued.id === undefined
                    ? admin.attempt(operation, options)
                    : admin[operation](issued, options);
                },
              }),
            ),
        );

/** Who is asked for no token may be content with a key. */
const withKey = (subject: Subject, key: Key): readonly Refusable[] => [
  ...['GET', 'HEAD', 'DELETE'].map(
    (method): Refusable => ({
      name: `${method} with an API key`,
      ask: ({ send }) => send({ method, target: collectionOf(subject), key, instance: 'disabled' }),
    }),
  ),
  ...described(subject).map((operation) =>
    attempting(operation, 'an API key in its own header', { token: null, headers: [['X-API-Key', key.secret]] }),
  ),
];

const refusals = ['4xx', 501, 503] as const;
const redirects = [301, 302, 303, 307, 308];

export const refusesEveryCall = rule({
  id: 'disabled.refuses-every-call',
  clause: clauses.disabledWithoutToken,
  needs: ['disabled'],
  without: everything,
  cases: everyCall,
  about: ({
    case: { preflight = false, leads = false },
  }): {
    readonly preflight?: boolean;
    readonly leads?: boolean;
  } => ({ preflight, leads }),
  ask: async (ask) => ask.case.ask(ask),
  // What a browser asks before it sends anything is often answered by who stands in front of the service.
  judge: (exchange, { preflight, leads }) =>
    expectStatus(exchange, [...refusals, ...(preflight ? (['2xx'] as const) : []), ...(leads ? redirects : [])]),
  fix: 'Serve none of these routes without a configured token: an unset token must not equal an empty or missing one.',
});

export const answerIgnoresToken = rule({
  id: 'disabled.answer-ignores-token',
  clause: clauses.disabledWithoutToken,
  needs: ['disabled'],
  without: everything,
  cases: () => [...calls, preflight, ...oddCalls],
  about: ({ subject, case: call }) => ({ names: presentedTokens(subject, call).map(({ name }) => name) }),
  async ask(ask) {
    const controls = [await send(ask, ask.case, null)];
    const presented: Exchange[] = [];
    for (const { token } of presentedTokens(ask.subject, ask.case)) {
      presented.push(await send(ask, ask.case, token));
      controls.push(await send(ask, ask.case, null));
    }
    return { controls, presented };
  },
  judge: ({ controls, presented }, { names }) =>
    presented.flatMap((exchange, at) => expectSameAnswer(controls, exchange, names[at] ?? 'a token')),
  fix: 'Decide that the interface is disabled before you look at the token.',
});

export const looksLikeUnknownRoute = observation({
  id: 'disabled.looks-like-unknown-route',
  clause: clauses.disabledLooksNotShown,
  needs: ['disabled'],
  async ask(ask) {
    const target = `/v1/${invented(ask.random)}`;
    return {
      disabled: await send(ask, { name: 'GET', method: 'GET', below: '' }, null),
      unknown: await ask.send({ method: 'GET', target, key: null, instance: 'disabled' }),
    };
  },
  observe: ({ disabled, unknown }) => [
    `the disabled admin interface answers ${whatCame(disabled)}, an unknown route ${whatCame(unknown)}`,
  ],
  fix: 'Nothing to fix: the specification leaves open how a disabled interface answers.',
});
