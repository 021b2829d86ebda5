/** Who may manage keys. What then happens to the keys is in `admin-keys.ts`. */
import {
  type AdminOperation,
  type AdminOptions,
  type Ask,
  type Case,
  type Credential,
  type Exchange,
  hasErrorBody,
  hasStatus,
  Inconclusive,
  member,
  type Reason,
  rule,
  type Secret,
  type Subject,
  succeeded,
} from '../../../src/vocabulary.ts';
import { clauses } from '../../clauses/index.ts';
import { hasBodyByRight, isAdmin, isError } from '../../language/answers.ts';
import { verifies, verifiesWithTier } from '../../language/expectations.ts';
import { aRecord } from '../../language/issued-keys.ts';
import { tokenNearMisses, wrongInTheMiddle } from '../../language/near-misses.ts';
import { everything, mustSucceed } from '../../language/sure.ts';

/** Those that the profile describes; one on a record needs `create`, for no record is touched that the run did not make. */
function operationsOf({ admin }: Subject): readonly AdminOperation[] {
  const known = admin?.operations ?? [];
  return known.includes('create') ? known : known.filter((operation) => operation === 'list');
}

/** The one that changes least. */
const gentlest = (subject: Subject): AdminOperation | undefined =>
  operationsOf(subject).find((operation) => operation === 'list') ?? operationsOf(subject)[0];

const noOperation = 'the profile describes no operation of the admin interface: give `admin.list` or `admin.create`';

const tokenOf = ({ admin }: Subject): Secret => {
  if (admin?.token === undefined) throw new Inconclusive('there is no admin token');
  return admin.token;
};

type Performed = {
  readonly exchange: Exchange;
  /** For an operation that would change a key: verifying it before and after. */
  readonly before: Exchange | null;
  readonly after: Exchange | null;
};

type Performing = Pick<Ask<unknown>, 'admin' | 'verify' | 'line'>;

/** One operation with a credential; on a record that the rule makes for it, with the right token, where it needs one. */
async function perform(ask: Performing, operation: AdminOperation, options: AdminOptions): Promise<Performed> {
  const { admin, verify } = ask;
  if (operation === 'list') return { exchange: await admin.list(options), before: null, after: null };
  if (operation === 'create') return { exchange: (await admin.create(options)).exchange, before: null, after: null };
  const issued = await aRecord(ask);
  const { key } = issued;
  if (operation === 'read' || key === undefined) {
    return { exchange: await admin[operation](issued, options), before: null, after: null };
  }
  const before = await verify({ key });
  return { exchange: await admin[operation](issued, options), before, after: await verify({ key }) };
}

/** The operation with a wrong credential, after it has succeeded with the right one on the same connection. */
async function refusedBeside(ask: Performing, operation: AdminOperation, token: Credential): Promise<Performed> {
  const on = ask.line();
  mustSucceed((await perform(ask, operation, { on })).exchange, `${operation} with the right token`);
  return perform(ask, operation, { on, token });
}

/** Refused, and without effect: the key of the record verifies as before. */
function isRefused({ exchange, before, after }: Performed): readonly Reason[] {
  const refused = hasStatus(exchange, '4xx');
  if (refused.length > 0 || before === null || after === null || verifies(before).length > 0) return refused;
  const tier = member(before, 'tier');
  return verifiesWithTier(after, typeof tier === 'string' ? tier : null);
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
  ask: (ask) => refusedBeside(ask, ask.case.operation, null),
  judge: isRefused,
  mend: 'Check X-Admin-Token in front of every operation, also when it is absent.',
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
      ...others.map((operation) => ({
        name: `${operation} with ${wrongInTheMiddle.name}`,
        operation,
        of: wrongInTheMiddle.of,
      })),
    ];
  },
  ask: (ask) => refusedBeside(ask, ask.case.operation, ask.case.of(tokenOf(ask.subject))),
  judge: isRefused,
  mend: 'Compare the whole token, byte for byte, and let an empty one match nothing.',
});

export const apiKeyIsNoToken = rule({
  id: 'admin.api-key-is-no-token',
  clause: clauses.keyManagementIsApart,
  needs: ['key', 'admin.token'],
  // Wrong tokens may be limited harder than anything else: no more of them than there are tiers and kinds of keys.
  without: everything,
  cases: ({ keys }) =>
    // A key may open it for what it may do itself, so each tier is tried, and each kind.
    [...new Map(keys.map((key) => [`${key.tier} ${key.kind}`, key])).values()].flatMap((key) => [
      { name: `${key.name} in X-Admin-Token`, key, asToken: true },
      { name: `${key.name} in X-API-Key`, key, asToken: false },
    ]),
  async ask({ admin, send, subject, case: { key, asToken } }) {
    const target = subject.admin?.collection ?? '/v1/admin/keys';
    if (!asToken) {
      if (succeeded(await send({ method: 'GET', target, key: null }))) {
        throw new Inconclusive('it is served without any credential: another rule says so');
      }
      return send({ method: 'GET', target, key });
    }
    const operation = gentlest(subject);
    if (operation === undefined) return admin.send({ method: 'GET', target, token: key });
    mustSucceed(
      operation === 'list' ? await admin.list() : (await admin.create()).exchange,
      `${operation} with the right token`,
    );
    return operation === 'list' ? admin.list({ token: key }) : (await admin.create({ token: key })).exchange;
  },
  judge: (exchange) => hasStatus(exchange, ['4xx', 501]),
  mend: 'Key management takes the admin token alone: no API key opens it, whatever its tier.',
});

export const rightToken = rule({
  id: 'admin.right-token',
  clause: clauses.adminNeedsToken,
  needs: ['admin.token'],
  without: everything,
  cases: operationCases,
  ask: async (ask) => (await perform(ask, ask.case.operation, {})).exchange,
  judge: (exchange) => hasStatus(exchange, '2xx'),
  mend: 'Take the configured token in X-Admin-Token; if it is taken, correct what the profile says of the operation.',
});

export const errorShape = rule({
  id: 'admin.error-shape',
  clause: clauses.adminErrorShape,
  needs: [],
  ask: ({ send, subject }) => send({ method: 'GET', target: subject.admin?.collection ?? '/v1/admin/keys', key: null }),
  judge: () => [],
  sweep: {
    includes: (exchange) => isError(exchange) && isAdmin(exchange) && hasBodyByRight(exchange),
    judge: hasErrorBody,
  },
  mend: 'Answer errors of the admin interface with `error` and `detail` too: clients have one way to read them.',
});
