import {
  type Ask,
  type Case,
  type Exchange,
  holdsText,
  Inapplicable,
  type Json,
  kindOf,
  member,
  type RunOptions,
  rule,
  type SourceLists,
  type Subject,
  statusFits,
  succeeded,
  sweep,
  violation,
} from '../../../src/vocabulary.ts';
import { clauses } from '../../clauses/index.ts';
import { isRun } from '../../language/answers.ts';
import { allButActor, cleanRunOf, everySource, patience, runnableRestricted } from '../../language/asking.ts';
import { expectFailureOfSources, expectPartial, expectUsableItems, isPartial } from '../../language/expectations.ts';
import {
  inapplicableIf,
  inconclusiveIf,
  isPartialRun,
  reaches,
  reachesOne,
  reachesTwo,
  succeeds,
} from '../../language/gates.ts';
import { broken, failing, waysToFail } from './failing.ts';

/** Runs of other times chose nothing, and asked no address twice. */
interface About {
  readonly [name: string]: boolean | string | null | undefined;
  readonly sure: boolean;
  readonly list: 'filled' | 'pair' | null;
  readonly inChunks: boolean;
  readonly isChosen?: boolean;
  readonly workedBefore?: boolean;
}

export const status = rule({
  id: 'partial.status',
  clause: clauses.partialMeansSomeFailed,
  needs: ['key', 'two-sources'],
  actor: 'sources',
  cases: waysToFail,
  about: ({ case: { sure, list, chunkBytes, chosen, workedBefore } }): About => ({
    sure,
    workedBefore: workedBefore === true,
    list: list ?? null,
    inChunks: chunkBytes !== undefined,
    isChosen: chosen !== undefined,
  }),
  async *ask(ask) {
    const { list, chunkBytes, chosen } = ask.case;
    const input = chosen ?? (list === undefined ? ask.actor.input : listOf(ask, list));
    // Whatever chunks leave behind on a connection is asked elsewhere.
    const sent = () => (chunkBytes === undefined ? {} : { chunkBytes, on: ask.line() });
    const run = (options: RunOptions = {}) =>
      ask.run({ ...(input === undefined ? {} : { input }), ...sent(), ...options });
    const clean = yield* cleanRunOf({ run, reached: ask.reached });
    const sources = failing(ask.case);
    const exchange = await (ask.case.workedBefore ? ask.run({ again: clean, sources }) : run({ sources }));
    yield { exchange };
    yield { reachedAgain: ask.case.workedBefore ? await ask.reached(exchange) : null };
  },
  // Fields that nobody gives together may not be taken together, nor sources that the profile does not name.
  given: ({ reachedAgain = null, ...so }, { list, inChunks, isChosen = false }) => [
    // It counts both runs. A result may be kept, and then no source has failed.
    inapplicableIf(
      reachedAgain !== null && !!so.reachedByClean && reachedAgain.times < 2 * so.reachedByClean.times,
      'the same run again does not ask each of its sources again',
    ),
    inapplicableIf(
      (typeof list === 'string' || inChunks || isChosen) && so.clean !== undefined && !succeeded(so.clean),
      'a clean run with another input than that of the profile, or in chunks, does not succeed',
    ),
    inapplicableIf(
      list === 'pair' && !!so.reachedByClean && so.reachedByClean.times < 2,
      'the actor does not read a second source that the profile does not name',
    ),
    inapplicableIf(
      isChosen && !!so.reachedByClean && (so.reachedByClean.times < 2 || !holdsBoth(so.reachedByClean.of)),
      'a clean run with other choices does not give the items of both sources',
    ),
    ...reachesTwo(so),
  ],
  // A caller may choose that one failure ends the run.
  judge: ({ exchange }, { sure, isChosen = false, workedBefore = false }) =>
    expectPartial(exchange, sure && !((isChosen || workedBefore) && statusFits(exchange, [502, 504]))),
  fix: 'If a source failed, return the items of the others with `"status": "PARTIAL"`, in capitals.',
});

/** What works in a list of two works in every other; that an address stands in it twice makes no source fail. */
interface Listed extends Case {
  readonly list?: 'three' | 'twice';
}

const lists: readonly Listed[] = [
  { name: 'the sources of the profile' },
  { name: 'three sources', list: 'three' },
  { name: 'the same source twice', list: 'twice' },
];

function listOf({ actor }: Pick<Ask<Case>, 'actor'>, which: Exclude<keyof SourceLists, 'chosen'>): Json {
  const input = actor.sourceLists?.[which];
  if (input === undefined) throw new Inapplicable('the schema of this actor has no room for that');
  return input;
}

/** Actors that not every key may run. */
const ofRestricted = (subject: Subject): readonly Listed[] =>
  runnableRestricted(subject)
    .filter(({ actor }) => actor.sources > 0)
    .map((each) => ({ ...each, name: `the sources of ${each.actor.name}` }));

export const allSourcesWork = rule({
  id: 'partial.all-sources-work',
  clause: clauses.partialMeansSomeFailed,
  needs: ['key', 'sources'],
  actor: 'sources',
  cases: (subject) => [...lists, ...ofRestricted(subject)],
  about: ({ case: { list } }) => ({ list: list ?? null }),
  async *ask(ask) {
    const { list } = ask.case;
    const input = list === undefined ? undefined : listOf(ask, list);
    yield* cleanRunOf({ run: () => ask.run(input === undefined ? {} : { input }), reached: ask.reached });
  },
  given: (so, { list }) => [
    inapplicableIf(
      typeof list === 'string' && so.clean !== undefined && statusFits(so.clean, ['4xx']),
      'the service does not take such a list of sources',
    ),
    ...reachesOne(so),
  ],
  judge: ({ clean }) =>
    isPartial(clean) ? [violation(clean, 'a status other than PARTIAL, because every source worked', '"PARTIAL"')] : [],
  fix: 'Return PARTIAL only if a source failed.',
});

export const hasItems = sweep({
  id: 'partial.has-items',
  clause: clauses.partialHasUsableItems,
  needs: ['key', 'two-sources'],
  actor: 'sources',
  provoke: async ({ run }) => ({
    exchange: await run({ sources: { ok2: 'refused' } }),
    // Beside a source that works and says nothing.
    beside: await run({ sources: { ok: 'empty', ok2: 'refused' } }),
  }),
  given: ({ exchange }) => [isPartialRun(exchange)],
  // An answer of another kind may have a `status` of its own.
  includes: (exchange) => isRun(exchange) && isPartial(exchange),
  judge: expectUsableItems,
  fix: 'Return PARTIAL only with usable items: a run without any has failed.',
});

const tokenOf = (exchange: Exchange, slot: string): string =>
  exchange.planted?.sources.find((source) => source.slot === slot)?.token ?? '';

const holdsBoth = (clean: Exchange): boolean =>
  ['ok', 'ok2'].every((slot) => tokenOf(clean, slot) !== '' && holdsText(member(clean, 'items'), tokenOf(clean, slot)));

export const itemsOfWorkingSources = rule({
  id: 'partial.items-of-working-sources',
  clause: clauses.partialHasUsableItems,
  needs: ['key', 'two-sources'],
  actor: 'sources',
  cases: () => broken,
  about: ({ case: { slot } }) => ({ worked: slot === 'ok' ? 'ok2' : 'ok' }),
  async *ask(ask) {
    yield* cleanRunOf(ask);
    yield { exchange: await ask.run({ sources: failing(ask.case) }) };
  },
  given: ({ clean, reachedByClean, exchange }) => [
    reaches(clean, reachedByClean, 2),
    inconclusiveIf(
      !!clean && !holdsBoth(clean),
      'the items of a clean run do not contain what its two sources returned',
    ),
    inapplicableIf(!!exchange && statusFits(exchange, [502, 504]), 'the run was refused as a whole'),
    succeeds(exchange, 'a run with one source of two'),
    inconclusiveIf(
      !!exchange && expectUsableItems(exchange).length > 0,
      'the PARTIAL result has no items at all; another rule reports that',
    ),
  ],
  judge({ exchange }, { worked }) {
    const items = member(exchange, 'items');
    return holdsText(items, tokenOf(exchange, worked))
      ? []
      : [violation(exchange, 'the items of the source that worked', kindOf(items))];
  },
  fix: 'Keep the items of the working sources if another one fails.',
});

export const allSourcesFail = rule({
  id: 'partial.all-sources-fail',
  waits: true,
  clause: clauses.slowSourceIs502or504,
  needs: ['key', 'sources'],
  actor: 'sources',
  without: allButActor,
  cases: () => [...broken, { name: 'sources that are too slow', behaviour: 'slow' as const }],
  deadlineMs: patience,
  about: ({ case: { behaviour } }) => ({ tooSlow: behaviour === 'slow' }),
  async *ask(ask) {
    yield* cleanRunOf(ask);
    yield { exchange: await ask.run({ sources: everySource(ask.case.behaviour) }) };
  },
  given: reachesOne,
  judge: ({ exchange }, { tooSlow }) => expectFailureOfSources(exchange, tooSlow),
  fix: 'If no source returned anything, answer 502 (broken) or 504 (too slow), never PARTIAL without items.',
});
