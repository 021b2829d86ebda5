/** Access after a restart: by the tier and the features that a key had before it. */
import {
  type Actor,
  type Case,
  type Created,
  type Exchange,
  type Key,
  type Reason,
  rule,
  type StatusSet,
  statusFits,
  violation,
  type Wanted,
  whatCame,
} from '../../../src/vocabulary.ts';
import { clauses } from '../../clauses/index.ts';
import { type Cell, cellsOf, factless, hasAccess, ofIssuedKeys, restrictedOf } from '../../language/access-cells.ts';
import { type Change, changesOf } from '../../language/access-changes.ts';
import { inconclusiveIf, showsIdentifier, showsKey, succeeds } from '../../language/gates.ts';
import { aKey, settling } from '../../language/issued-keys.ts';
import { richTestKey } from '../../language/odd-cells.ts';

interface Restart extends Case {
  readonly actor: Actor;
  readonly entitled: Key;
  readonly cells: readonly Cell[];
  readonly changes: readonly Change[];
  /** A service may have reasons not to make such a key. */
  readonly rich: Wanted | undefined;
}

const expectAsBefore = (before: Exchange, after: Exchange, expected: StatusSet): readonly Reason[] =>
  !statusFits(before, expected) || statusFits(after, expected)
    ? []
    : [violation(after, `${expected} as before the restart`, whatCame(after))];

export const accessSurvivesRestart = rule({
  ...ofIssuedKeys,
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
        cells: cellsOf(actor.needs, subject, admin, admin.chooses.create),
        changes: typeof changes === 'string' ? [] : changes.filter((each) => each.runsBefore && each.actor === actor),
        rich: richTestKey(actor.needs, subject),
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
    const rich = ask.case.rich === undefined ? undefined : (await admin.create(ask.case.rich)).key;
    const richBefore = rich && (await run({ key: rich }));
    await ask.restart();
    const after: Exchange[] = [];
    for (const { key } of keys) after.push(await run({ key }));
    yield { after };
    yield { ofRich: rich && richBefore ? { before: richBefore, after: await run({ key: rich }) } : null };
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
  // Runs of other times made no key with every feature.
  judge: ({ before, after, ofRich = null }, { may }) => [
    ...after.flatMap((exchange, at) => expectAsBefore(before[at]!, exchange, hasAccess(may[at] === true))),
    ...(ofRich === null ? [] : expectAsBefore(ofRich.before, ofRich.after, '2xx')),
  ],
  fix: 'Store the tier and the features of each key with it, as they are now, and read them again when the service starts.',
});
