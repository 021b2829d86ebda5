/** Whether a limit holds at every pace: for simultaneous calls, and for calls that go on after a refusal. */
import {
  admittedIn,
  type Exchange,
  excessOf,
  type Gate,
  isRefused,
  type NewKeys,
  type Paces,
  type Reason,
  roomIn,
  rule,
  statusOf,
  succeeded,
  violation,
  warning,
  whatCame,
} from '../../../src/vocabulary.ts';
import { clauses } from '../../clauses/index.ts';
import { inapplicableIf, inconclusiveIf } from '../../language/gates.ts';
import { givingInReasons } from '../../language/giving-in.ts';
import { orNothing, probes, probing, straysIn } from '../../language/probing.ts';
import { isFarBeyond, isFloodBeyond, statedTiers, tookMs } from '../../language/stated-limits.ts';

export const neverRefused = ({ inTurn }: Paces): boolean => inTurn.every(({ calls }) => !calls.some(isRefused));

/** The calls that went on one by one after the first refusal. */
const tailsOf = ({ inTurn }: Paces): readonly (readonly Exchange[])[] =>
  inTurn.map(({ calls }) => calls.slice(calls.findIndex(isRefused)));

/** How many of them were admitted in the time of a wave, with room for luck. */
const meanwhile = (paces: Paces, waveMs: number): number =>
  Math.max(
    0,
    ...tailsOf(paces).map((calls) => admittedIn(calls) * Math.min(1, (3 * waveMs) / Math.max(1, tookMs(calls)))),
  );

const shareOf = (calls: readonly Exchange[]): number => admittedIn(calls) / Math.max(1, calls.length);

/** A limit that admits by lot admits the same share at any pace. */
const isMoreOften = (paces: Paces, wave: readonly Exchange[]): boolean =>
  shareOf(wave) > 2 * Math.max(0, ...tailsOf(paces).map(shareOf));

const needed = 3;

const clearWaves = ({ atOnce }: Paces): Paces['atOnce'] =>
  atOnce.filter(({ primed, wave }) => !primed.some(isRefused) && wave.length > 0);

/** Each of several waves admitted many more than there was room for, and than calls in turn got in a longer time. */
function lettingThrough(paces: Paces): Paces['atOnce'] {
  const clear = clearWaves(paces);
  const over = clear.filter(
    (each) => excessOf(each) > meanwhile(paces, tookMs(each.wave)) && isMoreOften(paces, each.wave),
  );
  return clear.length >= needed && over.length === clear.length ? over : [];
}

export function wavesMet(paces: Paces): readonly Gate[] {
  const clear = clearWaves(paces);
  return [
    inconclusiveIf(
      forgiven(paces) !== undefined,
      'a refusal gives the quota back, for calls at the same time or not: another rule reports that',
    ),
    inconclusiveIf(clear.length === 0, 'no wave met a caller that had calls left'),
    inconclusiveIf(
      clear.length < needed && clear.every((each) => excessOf(each) > 0),
      'the budget was too small to see whether simultaneous calls are limited',
    ),
  ];
}

export const atOnceReasons = (paces: Paces): readonly Reason[] =>
  lettingThrough(paces)
    .slice(0, 1)
    .map(({ wave, left }) =>
      violation(
        wave.findLast((each) => !isRefused(each)),
        `about ${left} of ${wave.length} simultaneous calls to be admitted, as of calls one after another`,
        `${admittedIn(wave)} were, and as many each time it was tried`,
      ),
    );

/** A call or two are chance. */
const few = 2;

/** Each new key was admitted far more at once, and as usual ever after; one by one, another was not. */
function newReasons(paces: Paces, { atOnce, inTurn }: NewKeys): readonly Reason[] {
  const left = roomIn(paces.inTurn);
  const isOver = (wave: readonly Exchange[]): boolean => excessOf({ primed: [], left, wave }) > 0;
  const all = atOnce.filter(({ wave, later }) => isOver(wave) && !isOver(later));
  const [first] = all;
  const isUsual = inTurn.some(isRefused) && admittedIn(inTurn) <= 2 * left + few;
  if (first === undefined || all.length < needed || !isUsual) return [];
  return [
    violation(
      first.wave.findLast((each) => !isRefused(each)),
      `about ${left} of the first ${first.wave.length} calls of a new key to be admitted, as of its later ones`,
      `${admittedIn(first.wave)} were, and as many of each key that was made for this`,
    ),
  ];
}

export const holdsAtOnce = rule({
  id: 'limit.holds-at-once',
  clause: clauses.limitHoldsAtOnce,
  needs: probes,
  ...probing,
  rests: 5,
  about: ({ subject, key }) => ({ stated: statedTiers(subject)[key.tier ?? ''] ?? null }),
  async *ask({ limits }) {
    yield { paces: await limits.paces() };
    const runs = await limits.pacesOfRuns();
    yield { runs: runs === null ? null : orNothing(runs) };
    const reads = await limits.pacesOfReads();
    yield { reads: reads === null ? null : orNothing(reads) };
    const made = await limits.pacesOfNew();
    yield { made: made === null ? null : orNothing(made) };
  },
  given({ paces }, { stated }) {
    if (paces === undefined) return [];
    if (neverRefused(paces)) {
      const calls = paces.inTurn[0]?.calls ?? [];
      return [
        inconclusiveIf(
          stated === null || !isFarBeyond(calls, stated),
          `only simultaneous calls were refused: ${calls.length} calls one after another were admitted. A limit on calls in flight looks like that; nothing is known about a limit on their number`,
        ),
      ];
    }
    return wavesMet(paces);
  },
  // Runs of other times made no keys for this, and asked no reads.
  judge({ paces, runs = null, reads = null, made = null }) {
    if (neverRefused(paces)) {
      const calls = paces.inTurn[0]?.calls ?? [];
      return [
        violation(
          calls.at(-1),
          '429 for calls one after another too, beyond the limit that the profile documents',
          `${calls.length} of them were admitted`,
        ),
      ];
    }
    const reasons = atOnceReasons(paces);
    // Runs that are never refused in turn have no limit that could be overrun, or take too long for it.
    if (reasons.length > 0) return reasons;
    const ofOthers = [runs, reads].flatMap((each) => (each === null || neverRefused(each) ? [] : atOnceReasons(each)));
    return ofOthers.length > 0 || made === null ? ofOthers : newReasons(paces, made);
  },
  fix: 'Check and count in one atomic step: otherwise all calls in flight see the same number.',
});

/** A flood is sixteen times what is admitted at first: eight copies, each with a limit of its own, would admit half of it. */
const beyondCopies = 0.58;

/** Calls in turn are refused now and then, and yet a flood of many times the limit is admitted except for one in this many. */
function forgiven({
  inTurn,
  flood,
}: Paces): { readonly flood: readonly Exchange[]; readonly share: number } | undefined {
  const [first] = inTurn;
  const met = first?.calls.findIndex(isRefused) ?? -1;
  if (first === undefined || met < 4 || flood.length === 0) return undefined;
  const pace = flood.length / Math.max(1, tookMs(flood));
  const usual = first.calls.length / Math.max(1, tookMs(first.calls));
  const share = admittedIn(flood) / flood.length;
  return pace >= 2 * usual && share > beyondCopies && flood.some(isRefused) ? { flood, share } : undefined;
}

/** Less often than this, calls may be admitted by what a bucket gained. */
const leastLeak = 0.04;
/** A limit by time admits a part as large of a flood that is so much faster, and copies of the service none of its end. */
const timesAsFast = 4;
const asLarge = 0.75;

/** Another refusal than 429 is another rule's. */
const servedShareOf = (calls: readonly Exchange[]): number =>
  calls.filter(succeeded).length / Math.max(1, calls.length);

/** The part that is admitted however fast calls come, long after the first refusal: these are not counted. */
export function leakOf({ inTurn: [first], flood }: Paces): number {
  const met = first?.calls.findIndex(isRefused) ?? -1;
  if (first === undefined || met < 4 || flood.length === 0) return 0;
  const tail = first.calls.slice(met);
  const usual = servedShareOf(tail);
  const pace = flood.length / Math.max(1, tookMs(flood));
  const isFast = pace >= (timesAsFast * tail.length) / Math.max(1, tookMs(tail));
  const third = Math.floor(flood.length / 3);
  const least = Math.min(servedShareOf(flood.slice(third, 2 * third)), servedShareOf(flood.slice(2 * third)));
  return isFast && least >= Math.max(leastLeak, asLarge * usual) ? least : 0;
}

export function forgivenReasons(paces: Paces, who: 'key' | 'address'): readonly Reason[] {
  const found = forgiven(paces);
  if (found === undefined) return givingInReasons(paces, who);
  const { flood } = found;
  const came = `of ${flood.length} calls in one burst ${admittedIn(flood)} were admitted: each refusal was followed by as many as a rested ${who} has`;
  return [violation(flood.find(isRefused), `a refused ${who} to stay refused for a while`, came)];
}

export const refusalForgivesNothing = rule({
  id: 'limit.refusal-forgives-nothing',
  clause: clauses.refusalForgivesNothing,
  needs: probes,
  ...probing,
  about: ({ subject, key }) => ({ stated: statedTiers(subject)[key.tier ?? ''] ?? null }),
  ask: async ({ limits }) => ({ paces: await limits.paces() }),
  given: ({ paces }) => [
    inconclusiveIf(
      paces !== undefined && neverRefused(paces),
      'calls one after another were not refused, so nothing is known about calls after a refusal',
    ),
  ],
  judge: ({ paces }, { stated }) => {
    const reasons = forgivenReasons(paces, 'key');
    const { flood } = paces;
    // Where numbers are stated, no pace has to be compared: calls one after another may be as fast as a burst.
    if (reasons.length > 0 || !isFloodBeyond(flood, stated ?? undefined)) return reasons;
    const came = `${admittedIn(flood)} of ${flood.length} calls in ${Math.round(tookMs(flood))} ms were admitted, although the profile documents ${stated?.requests} in ${stated?.perMs} ms`;
    return [violation(flood.find(isRefused), 'a refused key to stay refused for a while', came)];
  },
  fix: 'A refusal must not lower any counter of its caller: look for a reset in the refusal path.',
});

export const answers429 = rule({
  id: 'limit.answers-429',
  clause: clauses.limitPerKey,
  needs: probes,
  ...probing,
  ask: async ({ limits }) => ({ paces: await limits.paces() }),
  given: ({ paces }) => [
    inapplicableIf(paces !== undefined && neverRefused(paces), 'calls one after another were not refused'),
  ],
  judge({ paces }) {
    const others = straysIn(paces);
    if (others.length < needed) return [];
    const came = `${whatCame(others[0]!)}, and so ${others.length} times, between calls that got 429`;
    // A service that has too much to do may say so at any time.
    const says = others.every((each) => (statusOf(each) ?? 0) >= 500) ? warning : violation;
    return [says(others[0], '429 for each call of a key beyond its limit', came)];
  },
  fix: 'Answer 429 in one place for all refusals of the limiter: no other status tells a client that waiting helps.',
});
