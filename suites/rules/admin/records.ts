/** What becomes of records: none by a refused creation, and none that was revoked lives again after a restart. */
import { type Exchange, rule, Secret, succeeded, violation, whatCame } from '../../../src/vocabulary.ts';
import { clauses } from '../../clauses/index.ts';
import { everything } from '../../language/asking.ts';
import {
  inapplicableIf,
  inconclusiveIf,
  isAnswered,
  showsIdentifier,
  showsKey,
  succeeds,
} from '../../language/gates.ts';
import {
  aKey,
  isLetIn,
  recordsIn,
  revokedKinds,
  verifyingUntilRefused,
  wasRevoked,
} from '../../language/issued-keys.ts';
import { wrongInTheMiddle } from '../../language/near-misses.ts';

type Beside = {
  readonly before: Exchange;
  readonly after: Exchange;
};

const hasGrown = ({ before, after }: Beside): boolean => (recordsIn(after) ?? 0) > (recordsIn(before) ?? 0);

const threeTimes = 3;

export const refusalCreatesNothing = rule({
  id: 'admin.refusal-creates-nothing',
  clause: clauses.adminNeedsToken,
  needs: ['admin.create', 'admin.list'],
  without: everything,
  cases: () => [{ name: 'no token', of: () => null }, wrongInTheMiddle],
  // Nobody else may make a key meanwhile.
  alone: true,
  async *ask(ask) {
    const { admin, subject } = ask;
    const token = ask.case.of(subject.admin?.token ?? new Secret('no-token', ''));
    const first = await admin.list();
    yield { lists: [first] };
    yield* aKey(ask);
    const shown: Beside = { before: first, after: await admin.list() };
    yield { shown };
    const tries: Beside[] = [];
    // Somebody else may make a key meanwhile, but not each time.
    while (tries.length < threeTimes && tries.every(hasGrown)) {
      const before = await admin.list();
      const { exchange: refused } = await admin.create({ token });
      yield { lists: [before], refused };
      tries.push({ before, after: await admin.list() });
      yield { tries: [...tries] };
    }
  },
  given: ({ lists = [], created, shown, refused, tries = [] }) => [
    ...[...lists, shown?.after, ...tries.map(({ after }) => after)].map((each) => succeeds(each, 'listing keys')),
    showsKey(created),
    inapplicableIf(!!shown && !hasGrown(shown), 'the length of the list does not change when a key is created'),
    isAnswered(refused, ['4xx', 501, 503], 'creating a key without the right token'),
  ],
  judge: ({ tries }) =>
    tries.every(hasGrown)
      ? tries.map(({ after }) => violation(after, 'no further record in the list', 'one more than before the refusal'))
      : [],
  fix: 'Check X-Admin-Token before you store anything, not in parallel.',
});

export const revocationSurvivesRestart = rule({
  id: 'admin.revocation-survives-restart',
  clause: clauses.revokedKeyIsInvalid,
  needs: ['admin.create', 'admin.revoke', 'admin.restart'],
  without: everything,
  alone: 'last',
  async *ask(ask) {
    const { admin, verify } = ask;
    const { issued, key } = yield* aKey(ask);
    yield { valid: await verify({ key }) };
    const kept = await admin.create();
    yield { revoked: await admin.revoke(issued) };
    // Nothing is written after the last revocation: who stores it with what comes next has not stored it.
    const kinds = await revokedKinds(ask);
    const lastOf = verifyingUntilRefused(ask);
    yield { before: await lastOf(key) };
    const beside = [];
    for (const each of kinds) beside.push({ ...each, before: await lastOf(each.key) });
    await ask.restart();
    yield { exchange: await verify({ key }) };
    const others = [];
    for (const { key: of, ...each } of beside) others.push({ ...each, after: await verify({ key: of }) });
    yield { others };
    // A service that knows its keys again may know no more how to find what it kept of them.
    if (kept.key === undefined || kept.id === undefined) return;
    const stillValid = await verify({ key: kept.key });
    const revokedThen = await admin.revoke(kept);
    // Its time to take effect begins anew.
    const later = await verifyingUntilRefused(ask)(kept.key);
    yield { afterwards: { valid: stillValid, revoked: revokedThen, later } };
  },
  given: ({ created, valid, revoked, before }) => [
    showsKey(created),
    showsIdentifier(created),
    succeeds(valid, 'verifying a new key'),
    succeeds(revoked, 'revoking it'),
    inconclusiveIf(
      !!before && isLetIn(before),
      'a revoked key is accepted before the restart too; another rule reports that',
    ),
  ],
  // Runs of other times looked at one key.
  judge: ({ exchange, others = [], afterwards }) => [
    ...[exchange, ...others.filter((each) => wasRevoked(each) && !isLetIn(each.before)).map(({ after }) => after)]
      .filter(isLetIn)
      .map((each) => violation(each, 'the key to be refused as before the restart', whatCame(each))),
    ...(afterwards !== undefined && [afterwards.valid, afterwards.revoked].every(succeeded) && isLetIn(afterwards.later)
      ? [
          violation(
            afterwards.later,
            'a key that was made before the restart and revoked after it to be refused',
            whatCame(afterwards.later),
          ),
        ]
      : []),
  ],
  fix: 'Store that a key was revoked, not only that it was created.',
});
