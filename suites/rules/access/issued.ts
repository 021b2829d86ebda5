/** Who may run what, where the run makes and changes the keys itself: access follows what a key has now, however it was created. */
import {
  type Actor,
  type AdminSubject,
  type Case,
  type Created,
  type Exchange,
  expectStatus,
  type Key,
  member,
  type Reason,
  rule,
  type Subject,
  statusFits,
  succeeded,
  type Twin,
  violation,
  type Wanted,
  warning,
  whatCame,
} from '../../../src/vocabulary.ts';
import { clauses } from '../../clauses/index.ts';
import {
  type Cell,
  type Change,
  casesOf,
  cellsOverRestarts,
  changesOf,
  factless,
  type OneCell,
  restrictedOf,
} from '../../language/access-cells.ts';
import { everything } from '../../language/asking.ts';
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

const entitledRun: Twin = { name: 'entitled-run', ask: ({ run, actor }) => run({ key: actor.entitledKey ?? null }) };

const common = {
  needs: ['restricted', 'admin.create'],
  without: everything,
  twin: entitledRun,
} as const;

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
  ...common,
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
  ...common,
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

const hasAccess = (may: boolean) => (may ? '2xx' : 403);

export const accessFollowsChange = rule({
  ...common,
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
    const settledRun = (may: boolean) =>
      settling(ask)(
        () => run({ key }),
        (answer) => statusFits(answer, hasAccess(may)),
      );
    const after = await settledRun(to.may);
    yield { after };
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
  judge: ({ after, back = null }, { mayBefore, mayAfter }) => [
    ...expectStatus(after, hasAccess(mayAfter)),
    // What fails otherwise is not about access.
    ...(back === null || (mayBefore && !statusFits(back, [401, 403])) ? [] : expectStatus(back, hasAccess(mayBefore))),
  ],
  fix: 'Read the record of the key on every run, or drop cached data when the key changes.',
});

interface Restart extends Case {
  readonly actor: Actor;
  readonly entitled: Key;
  readonly cells: readonly Cell[];
  readonly changes: readonly Change[];
}

export const accessSurvivesRestart = rule({
  ...common,
  id: 'access.survives-restart',
  clause: clauses.keyWithoutAccessIs403,
  needs: ['restricted', 'admin.create', 'admin.restart'],
  alone: 'last',
  cases: (subject) => {
    const { admin } = subject;
    if (admin === undefined) return factless;
    const changes = changesOf(subject);
    const cases = restrictedOf(subject).map(
      (actor): Restart => ({
        name: actor.name,
        actor,
        entitled: actor.entitledKey,
        cells: cellsOverRestarts(actor.needs, subject, admin),
        changes: typeof changes === 'string' ? [] : changes.filter((each) => each.runsBefore && each.actor === actor),
      }),
    );
    return cases.some(({ cells }) => cells.length > 0) ? cases.filter(({ cells }) => cells.length > 0) : factless;
  },
  about: ({ case: { cells, changes } }) => ({ may: [...cells, ...changes.map(({ to }) => to)].map(({ may }) => may) }),
  async *ask(ask) {
    const { admin, run } = ask;
    const keys: { readonly created: Created; readonly key: Key }[] = [];
    for (const { wanted } of ask.case.cells) {
      const { issued, key } = yield* aKey(ask, wanted);
      keys.push({ created: issued.created, key });
    }
    for (const { from, to } of ask.case.changes) {
      const { issued, key } = yield* aKey(ask, from.wanted);
      yield { identified: issued.created };
      yield { changed: await admin.change(issued, to.wanted) };
      keys.push({ created: issued.created, key });
    }
    const before: Exchange[] = [];
    const settle = settling(ask);
    const expected = [...ask.case.cells, ...ask.case.changes.map(({ to }) => to)].map(({ may }) => hasAccess(may));
    for (const [at, { key }] of keys.entries())
      before.push(
        await settle(
          () => run({ key }),
          (answer) => statusFits(answer, expected[at]!),
        ),
      );
    yield { before };
    await ask.restart();
    const after: Exchange[] = [];
    for (const { key } of keys) after.push(await run({ key }));
    yield { after };
  },
  given: ({ created, identified, changed, before, after }, { may }) => [
    showsKey(created),
    showsIdentifier(identified),
    succeeds(changed, 'changing a key'),
    inconclusiveIf(
      before?.every((exchange, at) => !statusFits(exchange, hasAccess(may[at] === true))) ?? false,
      'no key had the access that it should have before the restart either: another rule reports that',
    ),
    ...(after ?? []).map((exchange) =>
      statusFits(exchange, ['2xx', 401, 403]) ? undefined : succeeds(exchange, 'a run after the restart'),
    ),
  ],
  judge: ({ before, after }, { may }) =>
    after.flatMap((exchange, at): readonly Reason[] => {
      const expected = hasAccess(may[at] === true);
      return !statusFits(before[at]!, expected) || statusFits(exchange, expected)
        ? []
        : [violation(exchange, `${expected} as before the restart`, whatCame(exchange))];
    }),
  fix: 'Store the tier and the features of each key with it, as they are now, and read them again when the service starts.',
});
