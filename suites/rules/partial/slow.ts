/** One source is too slow, and the others work. */
import {
  type Case,
  type Exchange,
  Inapplicable,
  kindOf,
  member,
  type RunOptions,
  rule,
  type SourceBehaviour,
  succeeded,
  violation,
  workingSlots,
} from '../../../src/vocabulary.ts';
import { clauses } from '../../clauses/index.ts';
import { allButActor, patience } from '../../language/asking.ts';
import { expectPartial, isPartial } from '../../language/expectations.ts';
import { inapplicableIf, reaches } from '../../language/gates.ts';
import { holdsAll, plantedIn, sourcesIn, takesLongList } from './many-sources.ts';

interface Slow extends Case {
  /** Of as many as a list may hold. */
  readonly many: boolean;
  /** Another one fails in another way. */
  readonly beside?: SourceBehaviour;
  /** The first is slow instead of the last; what fails beside it is the last. */
  readonly isFirst?: true;
}

const slow: readonly Slow[] = [
  { name: 'one of two', many: false },
  { name: 'the first of two', many: false, isFirst: true },
  { name: 'the last of many', many: true },
  { name: 'the last of many, beside one that is refused', many: true, beside: 'refused' },
  { name: 'the first of many, and the last is refused', many: true, beside: 'refused', isFirst: true },
];

const tokensOf = (exchange: Exchange, worked: (behaviour: string) => boolean): readonly string[] =>
  plantedIn(exchange)
    .filter(({ behaviour }) => worked(behaviour))
    .map(({ token }) => token);

/** PARTIAL without the items of all that worked, where a clean run shows those of each. */
const lacksItems = (clean: Exchange, exchange: Exchange): boolean =>
  isPartial(exchange) &&
  holdsAll(
    clean,
    tokensOf(clean, () => true),
  ) &&
  !holdsAll(
    exchange,
    tokensOf(exchange, (behaviour) => behaviour === 'ok'),
  );

/** The last one: who reads one after the other, and stops when the time of the run is up, has read all others by then. */
function lastOf(clean: Exchange) {
  const planted = new Set(plantedIn(clean).map(({ slot }) => slot));
  return workingSlots.findLast((slot) => planted.has(slot)) ?? 'ok2';
}

type About = { readonly many: boolean; readonly wanted: number; readonly refusesOne?: boolean };

export const slowSource = rule({
  id: 'partial.slow-source',
  waits: true,
  clause: clauses.partialMeansSomeFailed,
  needs: ['key', 'two-sources'],
  actor: 'sources',
  without: allButActor,
  cases: () => slow,
  deadlineMs: (subject) => 2 * patience(subject),
  about: ({ actor, case: { many, beside } }): About => ({
    many,
    wanted: many ? sourcesIn(actor.manySources) : 2,
    refusesOne: beside === 'refused',
  }),
  async *ask({ run, reached, actor, case: { many, beside, isFirst } }) {
    if (many && actor.manySources === undefined) throw new Inapplicable('this actor takes no longer list of sources');
    const input: RunOptions = many ? { input: actor.manySources ?? null } : {};
    const clean = await run(input);
    yield { clean };
    yield { reachedByClean: succeeded(clean) ? await reached(clean) : null };
    const last = many ? lastOf(clean) : 'ok2';
    const others: RunOptions['sources'] = beside === undefined ? {} : { [isFirst ? last : 'ok2']: beside };
    const fails: RunOptions = { ...input, sources: { ...others, [isFirst ? 'ok' : last]: 'slow' } };
    const exchange = await run(fails);
    yield { exchange };
    yield { reachedByIt: isFirst ? await reached(exchange) : null };
    // A busy machine may make a service give up a source that works; hardly twice.
    const again = many && !beside && lacksItems(clean, exchange) ? await run(fails) : null;
    yield { again };
    yield { reachedAgain: again === null ? null : await reached(again) };
  },
  // Runs of older rules do not say how many.
  given: ({ clean, reachedByClean, reachedByIt = null }, { many, wanted = 2, refusesOne = true }) => [
    many ? takesLongList(clean) : undefined,
    reaches(clean, reachedByClean, wanted),
    // Nobody hears of the one that is refused. One that is asked twice may hide one that is never asked.
    inapplicableIf(
      reachedByIt !== null && reachedByIt.times !== (refusesOne ? wanted - 1 : wanted),
      'the sources behind one that is too slow are not asked once each: the time of the run may be up before that',
    ),
  ],
  judge({ clean, exchange, again, reachedAgain }, { wanted }) {
    const reasons = expectPartial(exchange, true);
    // One that was not asked any more when the time was up has not worked.
    if (!again || !reachedAgain || reachedAgain.times < wanted || !lacksItems(clean, again)) return reasons;
    return [...reasons, violation(again, 'the items of each source that worked', kindOf(member(again, 'items')))];
  },
  fix: 'Treat a source that is too slow as failed: return the items of all the others, as PARTIAL.',
});
