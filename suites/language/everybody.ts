/** Everybody in turn, against what the profile states: how much each had at once, and who was refused because of whom. */
import {
  admittedIn,
  atOnceOf,
  type Exchange,
  isRefused,
  type Reason,
  succeeded,
  type Turn,
  violation,
  warning,
} from '../../src/vocabulary.ts';
import { isTestSort } from './probing.ts';
import { type StatedTiers, tookMs } from './stated-limits.ts';

export type Turns = readonly Turn[];

export const ofPlan = ({ tier }: Turn): string => (tier === null ? '' : ` of ${tier}`);

/** How many were admitted before the first refusal was known, in a time in which no more than one came back. */
function heightIn({ calls, tier }: Turn, stated: StatedTiers): number | undefined {
  const limit = stated[tier ?? ''];
  const met = calls.findIndex(isRefused);
  if (limit === undefined || met < 1) return undefined;
  const burst = calls.filter((each, at) => at <= met || each.at.sent <= calls[met]!.at.end);
  return tookMs(burst) > limit.perMs / limit.requests ? undefined : admittedIn(burst);
}

interface Group {
  /** What is stated for them, at once. */
  readonly height: number;
  readonly own: Turns;
  readonly heights: readonly number[];
}

function heightsOf(turns: Turns, stated: StatedTiers, nameOf: (turn: Turn) => string): readonly Group[] {
  return [...Map.groupBy(turns, nameOf).values()].flatMap((own): readonly Group[] => {
    const limit = stated[own[0]!.tier ?? ''];
    if (limit === undefined) return [];
    const heights = own.flatMap((turn) => heightIn(turn, stated) ?? []);
    return [{ height: atOnceOf(limit), own, heights }];
  });
}

const isOften = ({ heights, own }: Group, looks: number): boolean =>
  heights.length >= looks && new Set(own.map(({ round }) => round)).size > 1;

/** A call may still have been on its way, or one may have come back. */
const isKept = (group: Group): boolean =>
  isOften(group, fewLooks) && group.heights.every((each) => Math.abs(each - group.height) <= 1);

/** Looks at one sort of a plan, and at a whole plan. */
const fewLooks = 2;
const enoughLooks = 3;
/** Copies of a service would admit twice as many at least. */
const lessThanTwice = 1.8;
const clearlyMore = 1.2;
const clearlyLess = 0.75;

/** One plan has always as many more at once, where all others have exactly what is stated. */
export function higherThanStated(turns: Turns, stated: StatedTiers): readonly Reason[] {
  const plans = heightsOf(
    turns.filter((turn) => !isTestSort(turn.sort)),
    stated,
    ({ tier }) => `${tier}`,
  );
  const isHigher = (plan: Group): boolean => {
    const [least, most] = [Math.min(...plan.heights), Math.max(...plan.heights)];
    const isMore = least > clearlyMore * plan.height + 1 && most < lessThanTwice * plan.height;
    return isOften(plan, enoughLooks) && most - least <= 1 && isMore;
  };
  if (!plans.some(isKept) || !plans.every((plan) => isHigher(plan) || isKept(plan))) return [];
  return plans.filter(isHigher).map(({ own: [first], height, heights }) => {
    const came = `${heights[0]}, each of ${heights.length} times, and what is stated for every other plan`;
    return violation(
      first!.calls.find(isRefused),
      `${height} calls at once${ofPlan(first!)}, as the profile states`,
      came,
    );
  });
}

/** One sort of key always has less than is stated for its plan, where live keys of that plan have exactly that. */
export function lowerThanStated(turns: Turns, stated: StatedTiers): readonly Reason[] {
  const groups = heightsOf(turns, stated, ({ sort, tier }) => `${sort} ${tier}`);
  const live = groups.filter((each) => each.own[0]!.sort === 'a live key' && isKept(each));
  return groups.flatMap((group): readonly Reason[] => {
    const [first] = group.own as [Turn];
    const isLower = isOften(group, fewLooks) && Math.max(...group.heights) < clearlyLess * group.height - 1;
    if (!isLower || !live.some(({ own }) => own[0]!.tier === first.tier)) return [];
    const came = `${Math.max(...group.heights)} at most, in ${group.heights.length} looks; live keys of that plan got ${group.height}`;
    const says = isTestSort(first.sort) ? warning : violation;
    return [says(first.calls.find(isRefused), `${group.height} calls at once for ${first.sort}${ofPlan(first)}`, came)];
  });
}

/** Of what is stated: a rest may have been short. */
const wholeShare = 0.4;

/** Refused at once behind another key of their plan, and admitted before it: two keys that take turns. */
export function sharing(turns: Turns, stated: StatedTiers): readonly Reason[] {
  const isWhole = ({ calls, tier }: Turn): boolean =>
    admittedIn(calls) >= wholeShare * (stated[tier ?? '']?.requests ?? Number.POSITIVE_INFINITY);
  const isShut = ({ calls }: Turn): boolean => calls.length > 0 && calls.every(isRefused);
  const rounds = [
    ...Map.groupBy(
      turns.filter(({ calls }) => calls.length > 0),
      ({ round }) => round,
    ).values(),
  ];
  /** What it was told before was true: its own refusals keep it out no longer. */
  const isRested = ({ caller, round }: Turn): boolean =>
    turns
      .filter((each) => each.caller === caller && each.round < round)
      .every(({ wait }) => wait?.answer != null && succeeded(wait.answer));
  /** Of a pair, the refusal of the second one. */
  const behind = (first: string, second: string): Exchange | undefined =>
    rounds.flatMap((own) => {
      const [one, other] = [own.find(({ caller }) => caller === first), own.find(({ caller }) => caller === second)];
      const isAfter = one && other && one.calls[0]!.at.sent < other.calls[0]!.at.sent && one.tier === other.tier;
      return isAfter && isWhole(one) && isShut(other) && isRested(other) ? other.calls.slice(0, 1) : [];
    })[0];
  const callers = [...new Set(turns.map(({ caller }) => caller))];
  for (const one of callers)
    for (const other of callers) {
      const [refusal, reverse] = one < other ? [behind(one, other), behind(other, one)] : [];
      if (refusal !== undefined && reverse !== undefined) {
        const came = `429 because ${one} was exhausted, and the other way round at another time`;
        return [warning(refusal, `key ${other} to be admitted, which had rested`, came)];
      }
    }
  return [];
}
