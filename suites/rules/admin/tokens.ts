/** Who may manage keys. What then happens to the keys is in `keys.ts`. */
import {
  type AdminOperation,
  type AdminOptions,
  type Ask,
  type Case,
  type Created,
  type Credential,
  type Exchange,
  expectErrorBody,
  expectStatus,
  type Issued,
  member,
  type Reason,
  rule,
  Secret,
  type Subject,
  succeeded,
  sweep,
} from '../../../src/vocabulary.ts';
import { clauses } from '../../clauses/index.ts';
import { hasBodyByRight, isAdmin, isError } from '../../language/answers.ts';
import { everything } from '../../language/asking.ts';
import { expectVerified, expectVerifiedWithTier } from '../../language/expectations.ts';
import { inconclusiveIf, showsIdentifier, succeeds } from '../../language/gates.ts';
import { anotherTier, ofTier } from '../../language/issued-keys.ts';
import { inTheOtherCase, tokenNearMisses, wrongInTheMiddle } from '../../language/near-misses.ts';

/** Those that the profile describes; one on a record needs `create`, for no record is touched that the run did not make. */
function operationsOf({ admin }: Subject): readonly AdminOperation[] {
  const known = admin?.operations ?? [];
  return known.includes('create') ? known : known.filter((operation) => operation === 'list');
}

/** The one that changes least. */
const gentlest = (subject: Subject): AdminOperation | undefined =>
  operationsOf(subject).find((operation) => operation === 'list') ?? operationsOf(subject)[0];

const noOperation = 'the profile describes no operation of the admin interface: add `admin.list` or `admin.create`';

/** Rules that ask for it need it. */
const tokenOf = ({ admin }: Subject): Secret => admin?.token ?? new Secret('no-token', '');

type Performing = Pick<Ask<unknown>, 'admin' | 'verify' | 'line' | 'subject'>;

const isOnRecord = (operation: AdminOperation): boolean => operation !== 'list' && operation !== 'create';

/** A record for operations on one, made with the right token. */
const recordFor = async ({ admin }: Performing, operation: AdminOperation): Promise<Issued | null> =>
  isOnRecord(operation) ? admin.create() : null;

async function send(
  { admin, subject }: Performing,
  operation: AdminOperation,
  record: Issued | null,
  options: AdminOptions,
) {
  if (operation === 'list') return admin.list(options);
  if (operation === 'create' || record === null) return (await admin.create(options)).exchange;
  // Where a change may choose, it shows: to another tier.
  return admin[operation](record, { ...options, ...(operation === 'change' ? ofTier(anotherTier(subject)) : {}) });
}

/** One operation with a credential; where it would change a key, verifying that before and after. */
async function* perform(ask: Performing, operation: AdminOperation, options: AdminOptions) {
  const record = await recordFor(ask, operation);
  yield { created: record?.created ?? null };
  const key = operation === 'read' ? undefined : record?.key;
  yield { before: key === undefined ? null : await ask.verify({ key }) };
  yield { exchange: await send(ask, operation, record, options) };
  yield { after: key === undefined ? null : await ask.verify({ key }) };
}

/** The operation with a wrong credential, after it has succeeded with the right one on the same connection. */
async function* refusedBeside(ask: Performing, operation: AdminOperation, token: Credential) {
  const on = ask.line();
  const record = await recordFor(ask, operation);
  yield { recorded: record?.created ?? null };
  yield { right: await send(ask, operation, record, { on }) };
  yield* perform(ask, operation, { on, token });
}

const rightTokenWorks = (
  so: { readonly recorded?: Created | null; readonly right?: Exchange; readonly created?: Created | null },
  operation: string,
) => [
  showsIdentifier(so.recorded),
  succeeds(so.right, `${operation} with the right token`),
  showsIdentifier(so.created),
];

/** Refused, and without effect: the key of the record verifies as before. */
function expectRefused({ exchange, before, after }: Changed): readonly Reason[] {
  const refused = expectStatus(exchange, '4xx');
  if (refused.length > 0 || before === null || after === null || expectVerified(before).length > 0) return refused;
  const tier = member(before, 'tier');
  return expectVerifiedWithTier(after, typeof tier === 'string' ? tier : null);
}

interface Changed {
  readonly exchange: Exchange;
  readonly before: Exchange | null;
  readonly after: Exchange | null;
}

interface Operation extends Case {
  readonly operation: AdminOperation;
}

const operationCases = (subject: Subject): readonly Operation[] | string => {
  const operations = operationsOf(subject);
  return operations.length === 0 ? noOperation : operations.map((operation) => ({ name: operation, operation }));
};

export const withoutToken = rule({
  id: 'admin.without-token',
  clause: clauses.adminNeedsToken,
  needs: ['admin.token'],
  without: everything,
  cases: operationCases,
  about: ({ case: { operation } }) => ({ operation }),
  ask: (ask) => refusedBeside(ask, ask.case.operation, null),
  given: (so, { operation }) => rightTokenWorks(so, operation),
  judge: expectRefused,
  fix: 'Check X-Admin-Token before every operation, even if the header is missing.',
});

export const wrongToken = rule({
  id: 'admin.wrong-token',
  clause: clauses.adminNeedsToken,
  needs: ['admin.token'],
  without: everything,
  cases(subject) {
    const gentle = gentlest(subject);
    if (gentle === undefined) return noOperation;
    const others = operationsOf(subject).filter((operation) => operation !== gentle);
    return [
      ...tokenNearMisses.map(({ name, of }) => ({ name: `${gentle} with ${name}`, operation: gentle, of })),
      ...others.flatMap((operation) =>
        [wrongInTheMiddle, inTheOtherCase].map(({ name, of }) => ({
          name: `${operation} with ${name}`,
          operation,
          of,
        })),
      ),
    ];
  },
  about: ({ case: { operation } }) => ({ operation }),
  ask: (ask) => refusedBeside(ask, ask.case.operation, ask.case.of(tokenOf(ask.subject))),
  given: (so, { operation }) => rightTokenWorks(so, operation),
  judge: expectRefused,
  fix: 'Compare the whole token, byte for byte; an empty token must match nothing.',
});

interface Presented extends Case {
  readonly shown: Credential;
  readonly asToken: boolean;
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
  ],
  about: ({ subject }) => ({ operation: gentlest(subject) }),
  async *ask({ admin, verify, line, send: sendPlainly, subject, case: { shown: key, asToken } }) {
    const target = subject.admin?.collection ?? '/v1/admin/keys';
    const operation = gentlest(subject);
    const performing = { admin, verify, line, subject };
    yield { keyless: asToken ? null : await sendPlainly({ method: 'GET', target, key: null }) };
    yield { right: asToken && operation !== undefined ? await send(performing, operation, null, {}) : null };
    if (!asToken) yield { exchange: await sendPlainly({ method: 'GET', target, key }) };
    else if (operation === undefined) yield { exchange: await admin.send({ method: 'GET', target, token: key }) };
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
