/** A revocation is of one key: whatever it has in common with others, they stay valid. */
import {
  type Ask,
  type Case,
  type Created,
  type Exchange,
  type Issued,
  type Key,
  rule,
  type Subject,
  succeeded,
} from '../../../src/vocabulary.ts';
import { clauses } from '../../clauses/index.ts';
import { everything } from '../../language/asking.ts';
import { expectVerified } from '../../language/expectations.ts';
import { inapplicableIf, inconclusiveIf, showsIdentifier, showsKey, succeeds } from '../../language/gates.ts';
import { aKey, environmentsOf, isLetIn, verifyingUntilRefused } from '../../language/issued-keys.ts';

interface Revoking extends Case {
  /** What another key has in common with the one that is revoked. */
  readonly common: 'time' | 'request' | 'beginning' | 'plan';
}

const casesOf = ({ admin }: Subject): readonly Revoking[] => [
  { name: 'keys that were made just before and after it', common: 'time' },
  { name: 'a key that was made by the same request', common: 'request' },
  { name: 'a key whose identifier begins with that of the revoked one', common: 'beginning' },
  ...(environmentsOf(admin).includes('test') ? [{ name: 'a test key of its plan', common: 'plan' } as const] : []),
];

type Making = Pick<Ask<unknown>, 'admin'>;

/** Of so many numbers in a row, each beginning has another one before it. */
const inARow = 11;

/** With whose identifier that of a key which is gone begins; where identifiers count, one of the next has one. */
async function* aKeyAfterAnother(ask: Making) {
  let made = yield* aKey(ask);
  const { admin } = ask;
  for (
    let more = 1;
    more < inARow && admin.isCounted(made.issued) && admin.former(made.issued) === undefined;
    more += 1
  )
    made = yield* aKey(ask);
  return made;
}

/** The key that is revoked, and those that are not. */
interface Made {
  readonly doomed: Pick<Issued, 'id' | 'key'> | undefined;
  readonly kept: readonly Key[];
}

const keysOf = (...issued: readonly Issued[]): readonly Key[] => issued.flatMap(({ key }) => key ?? []);

async function* made(ask: Making, common: Revoking['common']): AsyncGenerator<{ created: Created }, Made> {
  const { admin } = ask;
  if (common === 'beginning') {
    const { issued, key } = yield* aKeyAfterAnother(ask);
    const id = admin.former(issued);
    return { doomed: id === undefined ? undefined : { id }, kept: [key] };
  }
  const { issued, key } = yield* aKey(ask);
  if (common === 'plan') {
    const live = await admin.create();
    return { doomed: live, kept: keysOf(issued, await admin.create({ environment: 'test' })) };
  }
  const next = await admin.create(common === 'request' ? { mark: issued.mark } : {});
  const later = common === 'request' ? [] : keysOf(await admin.create());
  return { doomed: next.key === undefined ? undefined : next, kept: [key, ...later] };
}

export const revokesOneKey = rule({
  id: 'admin.revokes-one-key',
  clause: clauses.otherKeysStayValid,
  needs: ['admin.create', 'admin.revoke'],
  without: everything,
  // Which identifier comes next is known only where nobody else makes keys meanwhile.
  alone: true,
  cases: casesOf,
  about: ({ case: { common } }) => ({ isGone: common === 'beginning', isSame: common === 'request' }),
  async *ask(ask) {
    const { admin, verify } = ask;
    const { doomed, kept } = yield* made(ask, ask.case.common);
    const before: Exchange[] = [];
    for (const key of kept) before.push(await verify({ key }));
    yield { before };
    yield { revoked: doomed?.id === undefined ? null : await admin.revoke(doomed) };
    // What is revoked with it is so by then.
    if (doomed?.key !== undefined) await verifyingUntilRefused(ask)(doomed.key);
    const after: Exchange[] = [];
    for (const key of kept) after.push(await verify({ key }));
    yield { after };
  },
  given: ({ created, before, revoked }, { isGone, isSame }) => [
    showsKey(created),
    showsIdentifier(created),
    inapplicableIf(
      isSame && before !== undefined && !before.every(isLetIn),
      'the same request again replaces the key that it made',
    ),
    ...(before ?? []).map((each) => succeeds(each, 'verifying a new key')),
    inconclusiveIf(
      before?.some((each) => expectVerified(each).length > 0) ?? false,
      'a new key does not verify before that either: other rules report that',
    ),
    inapplicableIf(revoked === null, 'the service makes no such key'),
    // What a second revocation is answered is not said.
    inapplicableIf(!isGone && !!revoked && !succeeded(revoked), 'the service did not revoke the key'),
  ],
  judge: ({ after }) => after.flatMap(expectVerified),
  fix: 'Revoke the one record whose identifier is in the path, compared as a whole.',
});
