/** Pure: which of the keys that were looked at together must be looked at again, and which of them at other routes. */
import type { Stretch } from '../../model/limits-ask.ts';
import type { Key } from '../../model/subject.ts';
import { admittedIn, isRefused } from '../model/decision.ts';
import type { SurveyOptions } from './ground.ts';
import type { Sorted } from './sorts.ts';

/** Keys that are looked at alone, or next to another one: more of them say nothing new. */
export const enough = 3;
/** Of calls that are far beyond the stated limit: more than a burst or two of it, and not yet enough to say so. */
const oddShare = { from: 0.25, to: 0.42 };
const belowShare = 1.2;
/** So many times what another key of its plan has. */
const farAbove = 3;
/** And another key of its plan has so many times what it has itself. */
const farBelow = 1.4;
/** At another route, as much more is asked than a key has at this one. */
export const more = 1.6;
/** Times the calls that are meant for the others. */
const plansShare = 1.5;

export const admittedTo = (key: Key, bursts: readonly Stretch[]): number =>
  Math.max(0, ...bursts.filter(({ caller }) => caller === key.name).map(({ calls }) => admittedIn(calls)));

export const isMet = ({ key }: Sorted, bursts: readonly Stretch[]): boolean =>
  bursts.some(({ caller, calls }) => caller === key.name && calls.some(isRefused));

const isLive = ({ sort }: Sorted): boolean => sort === 'a live key';

export const onePerPlan = (sorted: readonly Sorted[]): readonly Sorted[] => [
  ...new Map(sorted.filter(isLive).map((each) => [each.key.tier, each])).values(),
];

export const ranking =
  (order: readonly string[]) =>
  ({ key }: Sorted): number =>
    key.tier === undefined ? -1 : order.indexOf(key.tier);

/**
 * Others called from the same addresses meanwhile. So it is not known yet of whom has far more than is stated for it, and of whom has
 * less than one of a lower plan.
 */
export function doubtful(
  { tierOrder, beyondStated }: Pick<SurveyOptions, 'tierOrder' | 'beyondStated'>,
  sorted: readonly Sorted[],
  bursts: readonly Stretch[],
): ReadonlySet<Sorted> {
  const rank = ranking(tierOrder);
  const isOdd = (each: Sorted): boolean => {
    const far = beyondStated(each.key);
    const part = admittedTo(each.key, bursts) / far;
    return far > 0 && part > oddShare.from && part < oddShare.to && isMet(each, bursts);
  };
  const isAbove = (one: Sorted, other: Sorted): boolean =>
    one.sort === other.sort && rank(other) >= 0 && rank(other) < rank(one);
  const below = sorted.filter((one) =>
    sorted.some(
      (each) => isAbove(one, each) && admittedTo(each.key, bursts) > belowShare * admittedTo(one.key, bursts),
    ),
  );
  // Where live keys are upside down too, it is no matter of sorts, and says enough.
  const isOfPlans = below.some(({ key }) => key.kind === 'live');
  // One that has no limit is refused by its addresses at the end.
  const isFarAbove = (one: Sorted): boolean =>
    sorted.some(
      ({ key }) =>
        key.tier === one.key.tier && admittedTo(one.key, bursts) > farAbove * Math.max(1, admittedTo(key, bursts)),
    );
  // Or its addresses refused it, which others called from meanwhile.
  const isFarBelow = (one: Sorted): boolean =>
    !isLive(one) &&
    sorted.some(
      ({ key }) => key.tier === one.key.tier && admittedTo(key, bursts) > farBelow * admittedTo(one.key, bursts) + 1,
    );
  const odd = sorted.filter((each) => isOdd(each) || isFarAbove(each) || isFarBelow(each));
  return new Set([...odd.slice(0, enough), ...(isOfPlans ? [] : below)]);
}

/** A live key that has less than one of a lower plan, and that one. */
export function overtaken(
  { tierOrder }: Pick<SurveyOptions, 'tierOrder'>,
  sorted: readonly Sorted[],
  bursts: readonly Stretch[],
): readonly Sorted[] {
  const rank = ranking(tierOrder);
  const live = sorted.filter((each) => isLive(each) && rank(each) >= 0 && isMet(each, bursts));
  const has = ({ key }: Sorted): number => admittedTo(key, bursts);
  for (const one of live) {
    const lower = live.find((each) => rank(each) < rank(one) && has(each) > belowShare * has(one));
    if (lower !== undefined) return [one, lower];
  }
  return [];
}

/** One of each sort and plan, those that cost least first, so that two of one plan are among them; and all plans, if these cost little. */
export function cheapest(sorted: readonly Sorted[], bursts: readonly Stretch[], calls: number): readonly Sorted[] {
  const costOf = ({ key }: Sorted): number => more * admittedTo(key, bursts);
  const ofEach = [...new Map(sorted.map((each) => [`${each.sort} of ${each.key.tier}`, each])).values()];
  const live = ofEach.filter(isLive);
  const plans = live.reduce((sum, each) => sum + costOf(each), 0) <= plansShare * calls ? live : [];
  let left = calls;
  const chosen = ofEach
    .toSorted((one, next) => costOf(one) - costOf(next))
    .filter((each) => {
      left -= costOf(each);
      return left > 0;
    });
  return [...new Set([...chosen, ...plans])];
}
