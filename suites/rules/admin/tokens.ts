/** Who may manage keys. What then happens to the keys is in `keys.ts`. */
import {
  type AdminOperation,
  type AdminOptions,
  type Case,
  type Credential,
  expectErrorBody,
  expectStatus,
  type Key,
  rule,
  type Secret,
  type Subject,
  succeeded,
  sweep,
} from '../../../src/vocabulary.ts';
import { clauses } from '../../clauses/index.ts';
import { hasBodyByRight, isAdmin, isError } from '../../language/answers.ts';
import { everything } from '../../language/asking.ts';
import { type Dress, dresses } from '../../language/dresses.ts';
import { inapplicableIf, inconclusiveIf, showsIdentifier, succeeds } from '../../language/gates.ts';
import { inTheOtherCase, oneLess, tokenNearMisses, wrongInTheMiddle } from '../../language/near-misses.ts';
import {
  expectRefused,
  gentlest,
  noOperation,
  operationsOf,
  perform,
  refusedBeside,
  rightTokenWorks,
  send,
  tokenOf,
} from '../../language/operations.ts';

interface Operation extends Case {
  readonly operation: AdminOperation;
}

const operationCases = (subject: Subject): readonly Operation[] | string => {
  const operations = operationsOf(subject);
  return operations.length === 0 ? noOperation : operations.map((operation) => ({ name: operation, operation }));
};

interface Tokenless extends Operation {
  /** Where the right token stands instead. */
  readonly elsewhere?: (token: Secret) => Pick<AdminOptions, 'query' | 'headers'>;
  /** By another method, behind a guard that knows the usual one: a framework may answer HEAD too, or take it from a header. */
  readonly overridden?: Pick<AdminOptions, 'headers' | 'method'>;
}

const overridden: Required<Tokenless>['overridden'] = {
  method: 'POST',
  headers: [['X-HTTP-Method-Override', 'DELETE']],
};

/** What is in a query is in logs, too. */
const namesInQueries = ['token', 'admin_token'];

const base64 = (text: string): string => Buffer.from(text, 'latin1').toString('base64');

const places: readonly (Case & Required<Pick<Tokenless, 'elsewhere'>>)[] = [
  ...namesInQueries.map((name) => ({
    name: `in the query, as ${name}`,
    elsewhere: (token: Secret) => ({ query: [name, token] as const }),
  })),
  {
    name: 'as a bearer has it',
    elsewhere: (token) => ({ headers: [['Authorization', token.derive('bearer', (value) => `Bearer ${value}`)]] }),
  },
  {
    name: 'as the password of a user',
    elsewhere: (token) => ({
      headers: [['Authorization', token.derive('basic', (value) => `Basic ${base64(`admin:${value}`)}`)]],
    }),
  },
];

function tokenless(subject: Subject): readonly Tokenless[] | string {
  const all = operationCases(subject);
  const operation = gentlest(subject);
  if (typeof all === 'string' || operation === undefined) return all;
  const revoke = all.find(({ operation: each }) => each === 'revoke');
  return [
    ...all,
    ...(revoke === undefined
      ? []
      : [{ ...revoke, name: 'revoke by POST that X-HTTP-Method-Override calls DELETE', overridden }]),
    // Of a list it is asked with all other methods.
    ...all
      .filter((each) => each.operation === 'read')
      .map((each) => ({ ...each, name: 'read by HEAD', overridden: { method: 'HEAD' } as const })),
    ...places.map(({ name, elsewhere }) => ({ name: `${operation} with the token ${name}`, operation, elsewhere })),
  ];
}

export const withoutToken = rule({
  id: 'admin.without-token',
  clause: clauses.adminNeedsToken,
  needs: ['admin.token'],
  without: everything,
  cases: tokenless,
  // Runs of other times know only of queries.
  about: ({ case: { operation, elsewhere } }): { readonly operation: AdminOperation; readonly inQuery?: boolean } => ({
    operation,
    inQuery: elsewhere !== undefined,
  }),
  ask: (ask) => {
    const { operation, elsewhere, overridden: how } = ask.case;
    return refusedBeside(ask, operation, null, elsewhere?.(tokenOf(ask.subject)) ?? how);
  },
  given: (so, { operation }) => rightTokenWorks(so, operation),
  // That a key elsewhere is left open says nothing of tokens, but is a reason not to be strict.
  judge: (so, { inQuery }) =>
    expectRefused(so).map((reason) => (inQuery ? { ...reason, weight: 'warning' as const } : reason)),
  fix: 'Check X-Admin-Token before every operation, even if the header is missing.',
});

interface Mistaken extends Operation {
  readonly of: (token: Secret) => Credential;
  readonly how?: Dress['how'];
}

export const wrongToken = rule({
  id: 'admin.wrong-token',
  clause: clauses.adminNeedsToken,
  needs: ['admin.token'],
  without: everything,
  cases(subject): readonly Mistaken[] | string {
    const gentle = gentlest(subject);
    if (gentle === undefined) return noOperation;
    const others = operationsOf(subject).filter((operation) => operation !== gentle);
    return [
      ...tokenNearMisses.map(({ name, of }) => ({ name: `${gentle} with ${name}`, operation: gentle, of })),
      ...dresses.map(({ name, how }) => ({
        name: `${gentle} with ${wrongInTheMiddle.name}, ${name}`,
        operation: gentle,
        of: wrongInTheMiddle.of,
        how,
      })),
      ...others.flatMap((operation) =>
        [wrongInTheMiddle, inTheOtherCase, oneLess].map(({ name, of }) => ({
          name: `${operation} with ${name}`,
          operation,
          of,
        })),
      ),
      // Whoever may most may look like an operator to one operation alone. The gentlest is asked with every sort of key.
      ...ofHighest(subject).flatMap((key) =>
        others.map((operation) => ({ name: `${operation} with the key ${key.name}`, operation, of: () => key })),
      ),
    ];
  },
  about: ({ case: { operation } }) => ({ operation }),
  async *ask(ask) {
    const { operation, of, how } = ask.case;
    yield* refusedBeside(ask, operation, of(tokenOf(ask.subject)), how);
    // The gentlest, which changes nothing, alone is asked in other clothes.
    yield { tokenless: how === undefined ? null : await send(ask, operation, null, { ...how, token: null }) };
  },
  given: ({ tokenless, ...so }, { operation }) => [
    ...rightTokenWorks(so, operation),
    inapplicableIf(
      !!tokenless && succeeded(tokenless),
      'asked so, it needs no token at all: another rule reports that',
    ),
  ],
  judge: expectRefused,
  fix: 'Compare the whole token, byte for byte; an empty token must match nothing.',
});

interface Presented extends Case {
  readonly shown: Credential;
  readonly asToken: boolean;
  /** In its own header, next to a wrong token in the one for tokens. */
  readonly beside?: Key;
}

const ofHighest = ({ keys, tierOrder }: Subject): readonly Key[] =>
  keys.filter(({ role, tier }) => role === 'entitled' && tier !== undefined && tier === tierOrder.at(-1)).slice(0, 1);

/** Who finds one credential that is valid may look at no other. The highest tier may most. */
function besideWrongTokens(subject: Subject): readonly Presented[] {
  const entitled = subject.keys.filter(({ role }) => role === 'entitled');
  const keys = [...entitled.slice(0, 1), ...ofHighest(subject)];
  return [...new Map(keys.map((key) => [key.name, key])).values()].slice(0, 2).map((key) => ({
    name: `${key.name} in X-API-Key next to a wrong token`,
    shown: null,
    asToken: true,
    beside: key,
  }));
}

export const apiKeyIsNoToken = rule({
  id: 'admin.api-key-is-no-token',
  clause: clauses.keyManagementIsApart,
  needs: ['key', 'admin.token'],
  // Wrong tokens may be limited harder than anything else: no more of them than there are tiers and kinds of keys.
  without: everything,
  cases: (subject): readonly Presented[] => [
    // A key may open it for what it may do itself, so each tier is tried, and each kind.
    ...[...new Map(subject.keys.map((key) => [`${key.tier} ${key.kind}`, key])).values()].flatMap((key) => [
      { name: `${key.name} in X-Admin-Token`, shown: key, asToken: true },
      { name: `${key.name} in X-API-Key`, shown: key, asToken: false },
    ]),
    { name: 'the token in X-API-Key', shown: tokenOf(subject), asToken: false },
    ...besideWrongTokens(subject),
  ],
  about: ({ subject }) => ({ operation: gentlest(subject) }),
  async *ask({ admin, verify, line, send: sendPlainly, subject, case: { shown: key, asToken, beside } }) {
    const target = subject.admin?.collection ?? '/v1/admin/keys';
    const operation = gentlest(subject);
    const performing = { admin, verify, line, subject };
    yield { keyless: asToken ? null : await sendPlainly({ method: 'GET', target, key: null }) };
    yield { right: asToken && operation !== undefined ? await send(performing, operation, null, {}) : null };
    if (!asToken) yield { exchange: await sendPlainly({ method: 'GET', target, key }) };
    else if (beside !== undefined) {
      const wrong = { token: 'no-such-token', headers: [['X-API-Key', beside.secret]] as const };
      const sending = operation === undefined ? admin.send({ method: 'GET', target, ...wrong }) : null;
      yield { exchange: await (sending ?? send(performing, operation ?? 'list', null, wrong)) };
    } else if (operation === undefined) yield { exchange: await admin.send({ method: 'GET', target, token: key }) };
    else yield { exchange: await send(performing, operation, null, { token: key }) };
  },
  given: ({ keyless, right }, { operation }) => [
    inconclusiveIf(!!keyless && succeeded(keyless), 'it is served without any credential; another rule reports that'),
    succeeds(right, `${operation} with the right token`),
  ],
  judge: ({ exchange }) => expectStatus(exchange, ['4xx', 501]),
  fix: 'Accept only the admin token for key management: no API key opens it, whatever its tier.',
});

export const rightToken = rule({
  id: 'admin.right-token',
  clause: clauses.adminNeedsToken,
  needs: ['admin.token'],
  without: everything,
  cases: operationCases,
  ask: (ask) => perform(ask, ask.case.operation, {}),
  given: ({ created }) => [showsIdentifier(created)],
  judge: ({ exchange }) => expectStatus(exchange, '2xx'),
  fix: 'Accept the configured token in X-Admin-Token; if the service does so already, correct the operation in the profile.',
});

export const errorShape = sweep({
  id: 'admin.error-shape',
  clause: clauses.adminErrorShape,
  needs: [],
  provoke: (ask) => ask.send({ method: 'GET', target: ask.subject.admin?.collection ?? '/v1/admin/keys', key: null }),
  includes: (exchange, scene) => isError(exchange) && isAdmin(exchange) && hasBodyByRight(exchange, scene),
  judge: expectErrorBody,
  fix: 'Return `error` and `detail` in errors of the admin interface too: clients read all errors alike.',
});
