/** Records that are not there or not any more, and changes that say nothing: bad input, and nothing that touches a key. */
import {
  type AdminAsk,
  type Case,
  type Exchange,
  expectNoServerError,
  rule,
  Secret,
  type Subject,
  succeeded,
} from '../../../src/vocabulary.ts';
import { clauses } from '../../clauses/index.ts';
import { everything } from '../../language/asking.ts';
import { expectVerified } from '../../language/expectations.ts';
import { inapplicableIf, inconclusiveIf, showsIdentifier, showsKey, succeeds } from '../../language/gates.ts';
import { aKey } from '../../language/issued-keys.ts';

interface Odd extends Case {
  readonly operation: 'read' | 'revoke' | 'change';
  /** If omitted: one that looks like any other. */
  readonly id?: string;
  /** The same as it stands in the path, wrongly encoded. */
  readonly segment?: string;
  /** One that was revoked just before. */
  readonly revoked?: true;
}

const oddIdentifiers = [
  { name: 'with a NUL', id: 'record\0' },
  { name: 'that leads elsewhere', id: '../../auth/verify' },
  { name: 'of 2,000 characters', id: 'r.'.repeat(1000) },
  { name: 'that ends a string', id: "' OR '1'='1" },
  { name: 'beyond what integers hold', id: '99999999999999999999' },
];

function oddRecords({ admin }: Subject): readonly Odd[] | string {
  const known = (['read', 'revoke', 'change'] as const).filter((each) => admin?.operations.includes(each));
  return known.length === 0
    ? 'the profile describes no operation on a record'
    : known.flatMap((operation): Odd[] => [
        { name: `${operation} of a record that is not there`, operation },
        ...(known.includes('revoke')
          ? [{ name: `${operation} of a record that was revoked`, operation, revoked: true as const }]
          : []),
        ...(operation === 'read'
          ? [{ name: 'read of a record with a broken escape', operation, segment: '%zz' } as const]
          : []),
        ...oddIdentifiers.map(({ name, id }) => ({ name: `${operation} of a record ${name}`, operation, id })),
      ]);
}

/** What becomes of its record is not said. */
async function aRevokedRecord(admin: AdminAsk): Promise<Secret | undefined> {
  const spent = await admin.create();
  return spent.id !== undefined && succeeded(await admin.revoke(spent)) ? spent.id : undefined;
}

/** Whoever verifies before may be asked whether it still does. */
const verifies = (before: Exchange | undefined) => [
  succeeds(before, 'verifying a new key'),
  inconclusiveIf(
    before !== undefined && expectVerified(before).length > 0,
    'a new key does not verify before that either: other rules report that',
  ),
];

export const oddRecord = rule({
  id: 'admin.odd-records',
  clause: clauses.badInputIsNoServerError,
  needs: ['admin.create'],
  without: everything,
  // Whose key it was is known only where nobody else makes keys meanwhile.
  alone: true,
  cases: oddRecords,
  async *ask(ask) {
    const { admin, verify } = ask;
    const { operation, id, revoked, segment } = ask.case;
    const { key } = yield* aKey(ask);
    yield { before: await verify({ key }) };
    const spent = revoked ? await aRevokedRecord(admin) : undefined;
    const own = revoked ? spent : id === undefined ? undefined : new Secret('odd-record', id);
    const target = `${ask.subject.admin?.collection}/${segment}`;
    const exchange =
      segment !== undefined
        ? await admin.send({ method: 'GET', target })
        : own === undefined
          ? revoked
            ? null
            : await admin.attempt(operation)
          : await admin[operation]({ id: own });
    yield { exchange };
    yield { after: await verify({ key }) };
  },
  given: ({ created, before, exchange }) => [
    showsKey(created),
    ...verifies(before),
    inapplicableIf(exchange === null, 'this run has made no such record'),
  ],
  // What is done to nobody's record is done to nobody's key.
  judge: ({ exchange, after }) => [
    ...(exchange?.response === undefined ? [] : expectNoServerError(exchange)),
    ...expectVerified(after),
  ],
  fix: 'Look up the record by the whole identifier, and answer 404 if it does not exist.',
});

const oddChanges: readonly (Case & { readonly body: string })[] = [
  { name: 'malformed JSON', body: '{"cut": ' },
  { name: 'a list', body: '[]' },
  { name: 'null', body: 'null' },
  { name: 'a text', body: '"text"' },
  { name: 'nothing for the tier', body: '{"tier":null,"plan":null}' },
  { name: 'values of other types', body: '{"tier":42,"features":7,"label":{}}' },
];

export const oddChange = rule({
  id: 'admin.bad-changes',
  clause: clauses.adminBadPayloads,
  needs: ['admin.create', 'admin.change'],
  without: everything,
  alone: true,
  cases: () => oddChanges,
  async *ask(ask) {
    const { admin, verify, case: each } = ask;
    const { issued, key } = yield* aKey(ask);
    yield { before: await verify({ key }) };
    yield { exchange: await admin.change(issued, { body: each.body }) };
    yield { after: await verify({ key }) };
  },
  given: ({ created, before }) => [showsKey(created), showsIdentifier(created), ...verifies(before)],
  judge: ({ exchange, after }) => [...expectNoServerError(exchange), ...expectVerified(after)],
  fix: 'Validate what a change says before anything is stored, and answer 400 or 422.',
});
