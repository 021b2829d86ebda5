/** Who may run what, where the run makes and changes the keys itself: access follows what a key has now, however it was created. */
import {
  type AdminSubject,
  type Created,
  type Exchange,
  expectStatus,
  member,
  type RunOptions,
  rule,
  type Subject,
  statusFits,
  succeeded,
  type Wanted,
  warning,
  whatCame,
} from '../../../src/vocabulary.ts';
import { clauses } from '../../clauses/index.ts';
import { casesOf, hasAccess, type OneCell, ofIssuedKeys } from '../../language/access-cells.ts';
import { changesOf } from '../../language/access-changes.ts';
import { isSameTier } from '../../language/expectations.ts';
import {
  inapplicableIf,
  inconclusiveIf,
  isAnswered,
  showsIdentifier,
  showsKey,
  succeeds,
} from '../../language/gates.ts';
import { aKey, settling } from '../../language/issued-keys.ts';

/** A new key that is valid, but not of the requested tier, proves nothing about access. */
const isOfItsTier = (verified: Exchange | undefined, { tier }: { readonly tier: string | null }) =>
  inconclusiveIf(
    verified !== undefined && tier !== null && !isSameTier(member(verified, 'tier'), tier),
    'the new key does not verify with the requested tier: another rule reports that',
  );

const tierOf = (wanted: Wanted, { chooses }: AdminSubject): string | null =>
  chooses.create.includes('tier') ? (wanted.tier ?? null) : null;

const about = ({ subject, case: { cell } }: { subject: Subject; case: OneCell }) => ({
  tier: subject.admin === undefined ? null : tierOf(cell.wanted, subject.admin),
  refusable: cell.refusable === true,
  doubtful: cell.doubtful === true,
});

const canBeMade = (created: Created | undefined, { refusable }: { readonly refusable: boolean }) =>
  inapplicableIf(
    refusable && created !== undefined && statusFits(created.answer, [400, 403, 409, 422]),
    'the service makes no keys with such features',
  );

export const issuedKeyIsBarred = rule({
  ...ofIssuedKeys,
  id: 'access.issued-key-is-barred',
  clause: clauses.keyWithoutAccessIs403,
  cases: (subject) => casesOf(subject, false),
  about,
  async *ask(ask) {
    const { key } = yield* aKey(ask, ask.case.cell.wanted);
    yield { verified: await ask.verify({ key }) };
    yield { ran: await ask.run({ key }) };
  },
  given: ({ created, verified }, facts) => [
    canBeMade(created, facts),
    showsKey(created),
    succeeds(verified, 'verifying a new key'),
    isOfItsTier(verified, facts),
  ],
  judge: ({ ran }, { doubtful }) =>
    doubtful && succeeded(ran)
      ? [warning(ran, '403, unless this tier grants the feature (`grants` in the profile says so)', whatCame(ran))]
      : expectStatus(ran, 403),
  fix: 'Decide about access by the tier and the features in the record of the key, however it was created and whatever its prefix.',
});

export const issuedKeyRuns = rule({
  ...ofIssuedKeys,
  id: 'access.issued-key-runs',
  clause: clauses.keyWithAccessRuns,
  cases: (subject) => casesOf(subject, true),
  about,
  async *ask(ask) {
    const { key } = yield* aKey(ask, ask.case.cell.wanted);
    yield { verified: await ask.verify({ key }) };
    yield { ran: await ask.run({ key }) };
  },
  given: ({ created, verified, ran }, facts) => [
    canBeMade(created, facts),
    showsKey(created),
    succeeds(verified, 'verifying a new key'),
    isOfItsTier(verified, facts),
    // What fails otherwise is not about access.
    ran && !statusFits(ran, [401, 403]) ? succeeds(ran, 'a run with a new key') : undefined,
  ],
  judge: ({ ran }) => expectStatus(ran, '2xx'),
  fix: 'Give a new key the requested tier and features, and decide about access by these.',
});

const manyRuns = 4;

export const accessFollowsChange = rule({
  ...ofIssuedKeys,
  id: 'access.follows-change',
  clause: clauses.keyWithoutAccessIs403,
  needs: ['restricted', 'admin.create', 'admin.change'],
  cases: changesOf,
  about: ({ case: { from, to } }) => ({ mayBefore: from.may, mayAfter: to.may }),
  async *ask(ask) {
    const { admin, run, verify, line } = ask;
    const { from, to, runsBefore } = ask.case;
    const { issued, key } = yield* aKey(ask, from.wanted);
    yield { verified: await verify({ key }), before: runsBefore ? await run({ key }) : null };
    // A cache that keeps what is used often has something to keep.
    const on = line();
    for (let use = 1; use < (runsBefore ? manyRuns : 0); use += 1) await run({ key, on });
    yield { changed: await admin.change(issued, to.wanted) };
    const settle = settling(ask);
    const settledRun = (may: boolean, how: RunOptions = {}, waiting = settling(ask)) =>
      waiting(
        () => run({ key, ...how }),
        (answer) => statusFits(answer, hasAccess(may)),
      );
    const after = await settledRun(to.may, {}, settle);
    yield { after };
    // What a connection has learned of its key lives as long as the connection.
    yield {
      kept: runsBefore && statusFits(after, hasAccess(to.may)) ? await settledRun(to.may, { on }, settle) : null,
    };
    // Who looks once, or at the first change alone, does not see the second one.
    const back = runsBefore && statusFits(after, hasAccess(to.may)) ? await admin.change(issued, from.wanted) : null;
    yield { back: back && succeeded(back) ? await settledRun(from.may) : null };
  },
  given: ({ created, verified, before, changed, after }, { mayBefore, mayAfter }) => [
    showsKey(created),
    showsIdentifier(created),
    succeeds(verified, 'verifying a new key'),
    isAnswered(before, hasAccess(mayBefore), 'a run before the change'),
    succeeds(changed, 'changing the key'),
    mayAfter && after && !statusFits(after, [401, 403]) ? succeeds(after, 'a run after the change') : undefined,
  ],
  // Runs of other times changed a key once.
  judge: ({ after, kept = null, back = null }, { mayBefore, mayAfter }) => [
    ...expectStatus(after, hasAccess(mayAfter)),
    ...(kept === null || (mayAfter && !statusFits(kept, [401, 403])) ? [] : expectStatus(kept, hasAccess(mayAfter))),
    // What fails otherwise is not about access.
    ...(back === null || (mayBefore && !statusFits(back, [401, 403])) ? [] : expectStatus(back, hasAccess(mayBefore))),
  ],
  fix: 'Read the record of the key on every run, or drop cached data when the key changes.',
});
