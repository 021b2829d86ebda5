/** More than two sources: what holds for one failed source holds for several, at any position. */
import {
  type Case,
  type Exchange,
  holdsText,
  kindOf,
  member,
  type Question,
  rule,
  type SourceBehaviour,
  type SourceSlot,
  violation,
} from '../../../src/vocabulary.ts';
import { clauses } from '../../clauses/index.ts';
import { allButActor, cleanRunOfMany } from '../../language/asking.ts';
import { expectFailureOfSources, expectPartial, isPartial } from '../../language/expectations.ts';
import { reaches, succeeds } from '../../language/gates.ts';

const slots = ['ok', 'ok2', 'ok3', 'ok4', 'ok5'] as const satisfies readonly SourceSlot[];

interface SomeFail extends Case {
  /** How each of them behaves; those that are not named work. */
  readonly behaviours: Partial<Record<SourceSlot, SourceBehaviour>>;
}

const failing = (name: string, ...which: readonly (typeof slots)[number][]): SomeFail => ({
  name,
  behaviours: Object.fromEntries(which.map((slot, at) => [slot, at % 2 === 0 ? 'refused' : 'reset'])),
});

const someFail: readonly SomeFail[] = [
  failing('the first of them fails', 'ok'),
  failing('the second of them fails', 'ok2'),
  failing('the third of them fails', 'ok3'),
  failing('the last of them fails', 'ok5'),
  failing('two of them fail', 'ok2', 'ok3'),
  failing('the first two fail', 'ok', 'ok2'),
  failing('all but the first fail', 'ok2', 'ok3', 'ok4', 'ok5'),
  failing('all but the third fail', 'ok', 'ok2', 'ok4', 'ok5'),
];

const countOf = ({ actor }: Question<SomeFail>): { readonly wanted: number } => ({
  wanted: JSON.stringify(actor.manySources ?? null).split('{{source.').length - 1,
});

const plantedIn = (exchange: Exchange): NonNullable<Exchange['planted']>['sources'] => exchange.planted?.sources ?? [];

const holdsAll = (exchange: Exchange, tokens: readonly string[]): boolean =>
  tokens.every((token) => holdsText(member(exchange, 'items'), token));

/** One that took much longer than a clean run may have given up a source that worked, as busy machines make services do. */
const isPrompt = (clean: Exchange, exchange: Exchange): boolean => tookMs(exchange) <= 5 * tookMs(clean) + 50;

const tookMs = ({ at }: Exchange): number => at.end - at.sent;

/** Of sources that worked, where a clean run shows those of all. */
function missingItems(clean: Exchange, exchange: Exchange) {
  const all = plantedIn(clean).map(({ token }) => token);
  const worked = plantedIn(exchange)
    .filter(({ behaviour }) => behaviour === 'ok')
    .map(({ token }) => token);
  if (!isPartial(exchange) || !isPrompt(clean, exchange)) return [];
  if (!holdsAll(clean, all) || holdsAll(exchange, worked)) return [];
  return [violation(exchange, 'the items of each source that worked', kindOf(member(exchange, 'items')))];
}

export const someOfMany = rule({
  id: 'partial.some-of-many',
  clause: clauses.partialMeansSomeFailed,
  needs: ['key', 'many-sources'],
  actor: 'sources',
  cases: () => someFail,
  about: countOf,
  async *ask(ask) {
    yield* cleanRunOfMany(ask);
    yield { exchange: await ask.run({ input: ask.actor.manySources ?? null, sources: ask.case.behaviours }) };
  },
  given: ({ clean, reachedByClean }, { wanted }) => [reaches(clean, reachedByClean, wanted)],
  judge: ({ clean, exchange }) => [...expectPartial(exchange, true), ...missingItems(clean, exchange)],
  fix: 'Count the failed sources: one or more, at any position, make a run PARTIAL, with the items of all others.',
});

export const allFailDifferently = rule({
  id: 'partial.all-fail-differently',
  waits: true,
  clause: clauses.brokenSourceIsGatewayError,
  needs: ['key', 'many-sources'],
  actor: 'sources',
  without: allButActor,
  about: countOf,
  async *ask(ask) {
    yield* cleanRunOfMany(ask);
    const behaviours = { ok: 'refused', ok2: 'reset', ok3: 'garbage', ok4: 'status-500', ok5: 'slow' } as const;
    yield { exchange: await ask.run({ input: ask.actor.manySources ?? null, sources: behaviours }) };
  },
  given: ({ clean, reachedByClean }, { wanted }) => [reaches(clean, reachedByClean, wanted)],
  judge: ({ exchange }) => expectFailureOfSources(exchange, false),
  fix: 'If no source returned anything, answer 502 or 504, even if they failed in different ways.',
});

export const itemsOfAll = rule({
  id: 'partial.items-of-all-sources',
  clause: clauses.workingSourcesGiveItems,
  needs: ['key', 'many-sources'],
  actor: 'sources',
  without: allButActor,
  about: countOf,
  async *ask(ask) {
    yield { ofTwo: await ask.run() };
    yield* cleanRunOfMany(ask);
  },
  // How many of them were reached does not matter: a source that nobody asked is one of which nothing comes back.
  given: ({ ofTwo, clean }) => [succeeds(ofTwo, 'a clean run'), succeeds(clean, 'a clean run of many sources')],
  judge: ({ ofTwo, clean }) => {
    const tokens = plantedIn(clean).map(({ token }) => token);
    const shown = plantedIn(ofTwo).map(({ token }) => token);
    // Who shows nothing of its sources, or takes longer for many than it waits for one, is not looked at.
    if (!holdsAll(ofTwo, shown) || isPartial(clean) || !isPrompt(ofTwo, clean)) return [];
    return holdsAll(clean, tokens)
      ? []
      : [violation(clean, `the items of all ${tokens.length} sources, which worked`, kindOf(member(clean, 'items')))];
  },
  fix: 'Collect the results of sources in a way that loses nothing if several finish at once.',
});
