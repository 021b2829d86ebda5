import {
  type Case,
  type Exchange,
  holdsText,
  Inapplicable,
  Inconclusive,
  kindOf,
  member,
  rule,
  type SourceBehaviour,
  statusFits,
  violation,
  whatCame,
} from '../../../src/vocabulary.ts';
import { clauses } from '../../clauses/index.ts';
import { isWhole } from '../../language/answers.ts';
import { failsWithItsSources, isPartial, partialHasItems, saysPartial } from '../../language/expectations.ts';
import { allButActor, everySource, mustReach, mustSucceed, patience } from '../../language/sure.ts';

type Slot = 'ok' | 'ok2';

interface Failing extends Case {
  readonly behaviour: SourceBehaviour;
  /** Which of the two sources fails: the second one, unless it is said otherwise. */
  readonly slot?: Slot;
}

/** Everybody would call such a source failed. */
const broken: readonly Failing[] = [
  { name: 'a refused connection', behaviour: 'refused' },
  { name: 'a reset connection', behaviour: 'reset' },
  { name: 'garbage for an answer', behaviour: 'garbage' },
  { name: 'a refused connection of the first source', behaviour: 'refused', slot: 'ok' },
];

/** An actor might make items of these, or take them for an empty source. */
const doubtful: readonly Failing[] = [
  { name: 'an answer of 500', behaviour: 'status-500' },
  { name: 'an answer cut off', behaviour: 'cut-off' },
];

const failing = ({ behaviour, slot = 'ok2' }: Failing) => ({ [slot]: behaviour });

export const status = rule({
  id: 'partial.status',
  clause: clauses.partialMeansSomeFailed,
  needs: ['key', 'two-sources'],
  actor: 'sources',
  cases: () => [
    ...broken.map((each) => ({ ...each, sure: true })),
    ...doubtful.map((each) => ({ ...each, sure: false })),
  ],
  async ask(ask) {
    const { sure } = ask.case;
    await mustReach(ask, 2);
    return { exchange: await ask.run({ sources: failing(ask.case) }), sure };
  },
  judge: ({ exchange, sure }) => saysPartial(exchange, sure),
  mend: 'Return the items of the sources that worked with `"status": "PARTIAL"`, in capitals, when another failed.',
});

export const slowSource = rule({
  id: 'partial.slow-source',
  waits: true,
  clause: clauses.partialMeansSomeFailed,
  needs: ['key', 'two-sources'],
  actor: 'sources',
  without: allButActor,
  deadlineMs: patience,
  async ask(ask) {
    await mustReach(ask, 2);
    return ask.run({ sources: { ok2: 'slow' } });
  },
  judge: (exchange) => saysPartial(exchange, true),
  mend: 'A source that is too slow has failed like any other: return what the others gave, as PARTIAL.',
});

export const allSourcesWork = rule({
  id: 'partial.all-sources-work',
  clause: clauses.partialMeansSomeFailed,
  needs: ['key', 'sources'],
  actor: 'sources',
  ask: async (ask) => mustReach(ask, 1),
  judge: (exchange) =>
    isPartial(exchange)
      ? [violation(exchange, 'another status than PARTIAL, for every source worked', '"PARTIAL"')]
      : [],
  mend: 'Say PARTIAL only when a source has failed.',
});

const mustBePartial = (exchange: Exchange): Exchange => {
  if (isPartial(exchange)) return exchange;
  // A service that refuses such a run as a whole is warned about by `partial.status`; it has no PARTIAL to look at.
  if (statusFits(exchange, [502, 504])) throw new Inapplicable('the run was refused as a whole');
  throw new Inconclusive(`no PARTIAL result came when one source of two failed, but ${whatCame(exchange)}`);
};

export const hasItems = rule({
  id: 'partial.has-items',
  clause: clauses.partialHasUsableItems,
  needs: ['key', 'two-sources'],
  actor: 'sources',
  ask: async ({ run }) => mustBePartial(await run({ sources: { ok2: 'refused' } })),
  judge: partialHasItems,
  sweep: { includes: (exchange) => isPartial(exchange) && isWhole(exchange), judge: partialHasItems },
  mend: 'PARTIAL promises usable items: where there are none, the run has failed.',
});

const tokenOf = (exchange: Exchange, slot: string): string =>
  exchange.planted?.sources.find((source) => source.slot === slot)?.token ?? '';

export const itemsOfWorkingSources = rule({
  id: 'partial.items-of-working-sources',
  clause: clauses.partialHasUsableItems,
  needs: ['key', 'two-sources'],
  actor: 'sources',
  cases: () => broken,
  async ask(ask) {
    const clean = await mustReach(ask, 2);
    const items = member(clean, 'items');
    if (!['ok', 'ok2'].every((slot) => tokenOf(clean, slot) !== '' && holdsText(items, tokenOf(clean, slot)))) {
      throw new Inconclusive('the items of a clean run do not hold what its two sources said');
    }
    const exchange = await ask.run({ sources: failing(ask.case) });
    if (statusFits(exchange, [502, 504])) throw new Inapplicable('the run was refused as a whole');
    if (partialHasItems(mustSucceed(exchange, 'a run with one source of two')).length > 0) {
      throw new Inconclusive('the PARTIAL result has no items at all: another rule says so');
    }
    return { exchange, worked: ask.case.slot === 'ok' ? 'ok2' : 'ok' };
  },
  judge({ exchange, worked }) {
    const items = member(exchange, 'items');
    return holdsText(items, tokenOf(exchange, worked))
      ? []
      : [violation(exchange, 'the items of the source that worked', kindOf(items))];
  },
  mend: 'Keep what the working sources gave when another one fails.',
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
  async ask(ask) {
    const { behaviour } = ask.case;
    await mustReach(ask, 1);
    return { exchange: await ask.run({ sources: everySource(behaviour) }), tooSlow: behaviour === 'slow' };
  },
  judge: ({ exchange, tooSlow }) => failsWithItsSources(exchange, tooSlow),
  mend: 'Where no source gave anything, answer 502 (broken) or 504 (too slow), never a PARTIAL without items.',
});

export const doesNotStick = rule({
  id: 'partial.does-not-stick',
  clause: clauses.partialDoesNotStick,
  needs: ['key', 'two-sources'],
  actor: 'sources',
  async ask({ run, line }) {
    const on = line();
    // PARTIAL before this rule has made a source fail: it stuck from another, or it is said always.
    const before = mustSucceed(await run({ on }), 'a clean run');
    if (isPartial(before)) return { partial: null, next: before };
    const partial = mustBePartial(await run({ on, sources: { ok2: 'refused' } }));
    return { partial, next: mustSucceed(await run({ on }), 'the next clean run') };
  },
  judge: ({ next }) =>
    isPartial(next) ? [violation(next, 'another status than PARTIAL once the sources work again', '"PARTIAL"')] : [],
  mend: 'Keep the failure of a source with the run that met it: do not remember it for the next.',
});
