/** Who may manage keys. What then happens to the keys is in `keys.ts`. */
import {
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
  type Operation,
  operationCases,
  operationsOf,
  perform,
  refusedBeside,
  rightTokenWorks,
  send,
  tokenOf,
} from '../../language/operations.ts';

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
