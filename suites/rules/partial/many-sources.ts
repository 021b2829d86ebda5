/** More than two sources: what holds for one failed source holds for several, at any position. */
import {
  type Case,
  type Exchange,
  type Gate,
  holdsText,
  Inapplicable,
  type Json,
  kindOf,
  member,
  type Question,
  rule,
  type SourceBehaviour,
  type SourceSlot,
  statusFits,
  succeeded,
  violation,
  workingSlots,
} from '../../../src/vocabulary.ts';
import { clauses } from '../../clauses/index.ts';
import { allButActor, cleanRunOf, cleanRunOfMany } from '../../language/asking.ts';
import { expectFailureOfSources, expectPartial, isPartial } from '../../language/expectations.ts';
import { inapplicableIf, reaches, succeeds } from '../../language/gates.ts';

const slots = ['ok', 'ok2', 'ok3', 'ok4', 'ok5'] as const satisfies readonly SourceSlot[];

interface SomeFail extends Case {
  /** How each of them behaves; those that are not named work. */
  readonly behaviours: Partial<Record<SourceSlot, SourceBehaviour>>;
  /** Of as many as the actor takes, one near the end or the last one; or the last one of a crowd. */
  readonly list?: 'most' | 'crowd';
  readonly isLast?: true;
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
  failing('all but the last fail', 'ok', 'ok2', 'ok3', 'ok4'),
  failing('all but the third fail', 'ok', 'ok2', 'ok4', 'ok5'),
  // Each of them in a way of its own.
  {
    name: 'one is refused, and one answers 404',
    behaviours: { ok2: 'refused', ok3: 'status-404', ok4: 'garbage' },
  },
  { name: 'one near the end of a long list fails', behaviours: {}, list: 'most' },
  { name: 'the last one of a long list fails', behaviours: {}, list: 'most', isLast: true },
  { name: 'the last one of a very long list fails', behaviours: {}, list: 'crowd', isLast: true },
];

export const sourcesIn = (input: Json | undefined): number =>
  JSON.stringify(input ?? null).split('{{source.').length - 1;

const countOf = ({ actor }: Pick<Question, 'actor'>): { readonly wanted: number } => ({
  wanted: sourcesIn(actor.manySources),
});

/** The input of a case, and what its sources do. */
function askedOf({ actor, case: { behaviours, list, isLast } }: Question<SomeFail>) {
  if (list === undefined) return { input: actor.manySources ?? null, sources: behaviours };
  const input = actor.sourceLists?.[list];
  if (input === undefined) throw new Inapplicable('this actor takes no longer list of sources');
  // Behind the eighth, but not the last one if there are enough.
  const count = sourcesIn(input);
  const failed = workingSlots[count > 9 && !isLast ? count - 2 : count - 1]!;
  return { input, sources: { [failed]: 'refused' as const } };
}

/** A list may be too long for a service without its schema saying so. */
export const takesLongList = (exchange: Exchange | null | undefined): Gate =>
  inapplicableIf(
    !!exchange && (statusFits(exchange, ['4xx']) || isPartial(exchange)),
    'the service does not take a list of that length, or some of so many sources did not answer it',
  );

export const plantedIn = (exchange: Exchange): NonNullable<Exchange['planted']>['sources'] =>
  exchange.planted?.sources ?? [];

export const holdsAll = (exchange: Exchange, tokens: readonly string[]): boolean =>
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
  inOneGo: true,
  cases: () => someFail,
  about: ({ actor, case: { list } }) => ({
    most: list !== undefined,
    crowd: list === 'crowd',
    wanted: sourcesIn(list === undefined ? actor.manySources : actor.sourceLists?.[list]),
  }),
  async *ask(ask) {
    const { input, sources } = askedOf(ask);
    const run = () => ask.run({ input });
    // A busy machine may make a service give up one of so many that work. That it says so is looked at elsewhere.
    const whole = async () => {
      const first = await run();
      return isPartial(first) ? run() : first;
    };
    yield* cleanRunOf({ run: whole, reached: ask.reached });
    yield { exchange: await ask.run({ input, sources }) };
  },
  // Runs of other times asked no crowd.
  given: ({ clean, reachedByClean }, { most, wanted, crowd = false }) => [
    most ? takesLongList(clean) : undefined,
    inapplicableIf(
      crowd && !!reachedByClean && reachedByClean.times < wanted,
      'the service does not read a list of that length to its end',
    ),
    reaches(clean, reachedByClean, wanted),
  ],
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
    const longest = ask.actor.sourceLists?.most;
    yield { ofMost: longest === undefined ? null : await ask.run({ input: longest }) };
  },
  // How many of them were reached does not matter: a source that nobody asked is one of which nothing comes back.
  given: ({ ofTwo, clean }) => [succeeds(ofTwo, 'a clean run'), succeeds(clean, 'a clean run of many sources')],
  judge: ({ ofTwo, clean, ofMost }) =>
    [clean, ...(ofMost && succeeded(ofMost) ? [ofMost] : [])].flatMap((exchange) => {
      const tokens = plantedIn(exchange).map(({ token }) => token);
      const shown = plantedIn(ofTwo).map(({ token }) => token);
      // Who shows nothing of its sources, or takes longer for many than it waits for one, is not looked at.
      if (!holdsAll(ofTwo, shown) || !isPrompt(ofTwo, exchange)) return [];
      if (isPartial(exchange))
        return holdsAll(exchange, tokens) && !isPartial(ofTwo)
          ? [violation(exchange, `a status other than PARTIAL, because ${tokens.length} sources worked`, '"PARTIAL"')]
          : [];
      const expected = `the items of all ${tokens.length} sources, which worked`;
      return holdsAll(exchange, tokens) ? [] : [violation(exchange, expected, kindOf(member(exchange, 'items')))];
    }),
  fix: 'Collect the results of sources in a way that loses nothing if several finish at once.',
});
