/** A change is there for good, for every answer, and not for the first ones alone. */
import { type Exchange, member, rule, statusFits, succeeded } from '../../../src/vocabulary.ts';
import { clauses } from '../../clauses/index.ts';
import { everything } from '../../language/asking.ts';
import { expectTier, isSameTier } from '../../language/expectations.ts';
import { inapplicableIf, showsIdentifier, showsKey, succeeds } from '../../language/gates.ts';
import { aKey, anotherTier, isLetIn, ofTier, settling } from '../../language/issued-keys.ts';

/** A cache that keeps what is used has something to keep; copies take turns. */
const uses = 3;
const looks = 6;

const isGone = (answer: Exchange): boolean => statusFits(answer, 401) || (succeeded(answer) && !isLetIn(answer));

/** Without the end of it, if the key is not known from then on: newer keys may have displaced it, and then it has no tier. */
const untilGone = (still: readonly Exchange[]): readonly Exchange[] =>
  still.slice(0, still.findLastIndex((answer) => !isGone(answer)) + 1);

export const changeLasts = rule({
  id: 'admin.change-lasts',
  // The time that a change may take is spent.
  waits: 'apart',
  clause: clauses.changeIsKnown,
  needs: ['admin.create', 'admin.change'],
  without: everything,
  deadlineMs: ({ bounds }) => 2 * bounds.revocationMs + 30_000,
  about: ({ subject }) => ({ to: anotherTier(subject) ?? null }),
  async *ask(ask) {
    const { admin, verify, subject, sleep } = ask;
    const { issued, key } = yield* aKey(ask);
    for (let use = 1; use < uses; use += 1) await verify({ key });
    yield { before: await verify({ key }) };
    const to = anotherTier(subject);
    yield { changed: await admin.change(issued, ofTier(to)) };
    const settle = settling(ask);
    yield {
      after: await settle(
        () => verify({ key }),
        (answer) => isSameTier(member(answer, 'tier'), to),
      ),
    };
    await sleep(subject.bounds.revocationMs);
    const still: Exchange[] = [];
    for (let look = 0; look < looks; look += 1) still.push(await verify({ key }));
    yield { still };
  },
  given: ({ created, before, changed, after, still }, { to }) => [
    inapplicableIf(to === null, 'the profile knows no other tier'),
    showsKey(created),
    showsIdentifier(created),
    succeeds(before, 'verifying a new key'),
    inapplicableIf(!!changed && statusFits(changed, '4xx'), 'the service does not change this key'),
    succeeds(changed, 'changing it'),
    inapplicableIf(
      !!after && !isSameTier(member(after, 'tier'), to ?? undefined),
      'the change was never seen: another rule reports that',
    ),
    inapplicableIf(
      !!still && untilGone(still).length === 0,
      'the key is not known any more: another rule reports that',
    ),
  ],
  judge: ({ still }, { to }) =>
    untilGone(still)
      .flatMap((answer) => expectTier(answer, to ?? ''))
      .slice(0, 2),
  fix: 'Change a record in one place, or in every copy of it: no copy and no cache may bring the old one back.',
});
