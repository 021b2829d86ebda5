/** Every key is limited: of whatever sort and plan, made or changed, and as its own plan says. */
import {
  admittedIn,
  atOnceOf,
  cellOf,
  type Exchange,
  isRefused,
  type Reason,
  rule,
  type Sorts,
  type Stretch,
  violation,
  type Wait,
  warning,
  whatCame,
} from '../../../src/vocabulary.ts';
import { clauses } from '../../clauses/index.ts';
import { inconclusiveIf } from '../../language/gates.ts';
import { type Height, heightsOf, isLive } from '../../language/heights.ts';
import { isTestSort, probes, probing, refusedAlike, sharersIn } from '../../language/probing.ts';
import { isBeyondStated, type StatedTiers, statedTiers } from '../../language/stated-limits.ts';
import { isFree } from './asides.ts';
import { expectAdmitted } from './waiting.ts';

const callsOf = ({ bursts, beside }: Sorts): Exchange[] =>
  [...bursts, ...beside.flatMap(({ known, looked }) => [known, looked])].flatMap(({ calls }) => calls);

/**
 * As low as another plan's, and clearly lower than that of live keys of its own plan; or as high, where less is stated: keys may have
 * more than others of their plan by agreement.
 */
function asOfAnother(
  one: Height,
  all: readonly Height[],
  order: readonly string[],
  stated: StatedTiers,
): Height | undefined {
  const own = all.filter((each) => isLive(each) && each.tier === one.tier);
  const rank = order.indexOf(one.tier);
  if (own.length === 0 || rank < 0 || isLive(one)) return undefined;
  const isLess = (low: Height, high: Height): boolean => low.most * 1.4 + 1 < high.least;
  const isLower = own.every((each) => isLess(one, each));
  const said = stated[one.tier];
  // That test keys have less than live ones contradicts nothing, unless the profile says what the plan has.
  if (isTestSort(one.sort) && said === undefined) return undefined;
  const isHigher = said !== undefined && one.least > 1.4 * atOnceOf(said) + 1;
  if (!isLower && !(isHigher && own.every((each) => isLess(each, one)))) return undefined;
  return all.find((each) => {
    const isBeyond = isLower ? order.indexOf(each.tier) < rank : order.indexOf(each.tier) > rank;
    const isAlike = one.most <= each.most * 1.15 + 1 && each.least <= one.least * 1.15 + 1;
    const isApart = own.every((its) => (isLower ? isLess(each, its) : isLess(its, each)));
    return isLive(each) && order.includes(each.tier) && isBeyond && isAlike && isApart;
  });
}

function ofAnotherPlan(sorts: Sorts, order: readonly string[], stated: StatedTiers): readonly Reason[] {
  // Whoever shares an account has what the others leave: that is no plan.
  if (sharing(sorts).length > 0) return [];
  const all = heightsOf(sorts);
  return all.flatMap((one) => {
    const other = asOfAnother(one, all, order, stated);
    if (other === undefined) return [];
    const expected = `${one.sort} to have the limit of its plan ${one.tier}`;
    const came = `${one.most} calls at once, as a key of ${other.tier}`;
    return [weighing(one.sort)(one.refusal, expected, came)];
  });
}

const weighing = (sort: string) => (isTestSort(sort) ? warning : violation);

const rankIn =
  (order: readonly string[]) =>
  ({ tier }: Height): number =>
    order.indexOf(tier);

/** Keys of one sort, of which those of a lower plan have clearly more than those of a higher one. */
function upsideDown(sorts: Sorts, order: readonly string[]): readonly Reason[] {
  const all = heightsOf(sorts).filter((each) => order.includes(each.tier));
  const rank = rankIn(order);
  const below = (one: Height): Height | undefined => {
    const higher = all.filter((each) => each.sort === one.sort && rank(each) > rank(one));
    return higher.every((each) => one.least > 1.4 * each.most + 1) ? higher[0] : undefined;
  };
  // Where it is so for live keys too, it is no matter of sorts: another rule reports that.
  if (all.some((each) => isLive(each) && below(each))) return [];
  return all.flatMap((one) => {
    const other = below(one);
    if (other === undefined) return [];
    const expected = `${one.sort} of ${one.tier} to have no more than one of ${other.tier}`;
    return [violation(one.refusal, expected, `${one.least} calls at once, and ${other.most} for ${other.tier}`)];
  });
}

/** A live key that has less than one of a lower plan at a route, though not at the one where all are looked at. */
function overtaken({ bursts: known, elsewhere = [] }: Sorts, order: readonly string[]): readonly Reason[] {
  const rank = rankIn(order);
  const isAbove = (one: Height, other: Height): boolean => rank(one) > rank(other) && one.least > 1.4 * other.most + 1;
  // Where it is so at every route, another rule reports it.
  const usual = heightsOf({ bursts: known });
  const isUsual = (one: Height, lower: Height): boolean =>
    usual.some(
      (each) => each.caller === one.caller && usual.some((its) => its.caller === lower.caller && isAbove(each, its)),
    );
  return [...Map.groupBy(elsewhere, ({ route }) => route)].flatMap(([route, bursts]) => {
    const all = heightsOf({ bursts });
    return all.flatMap((one) => {
      const lower = all.find((each) => rank(each) < rank(one) && each.least > 1.4 * one.most + 1 && isUsual(one, each));
      if (lower === undefined) return [];
      const expected = `${one.sort} of ${one.tier} to have no less than one of ${lower.tier}, for ${route}`;
      return [violation(one.refusal, expected, `${one.most} calls at once, and ${lower.least} for ${lower.tier}`)];
    });
  });
}

const inVain = (waits: readonly Wait[]): readonly Reason[] =>
  expectAdmitted({ trials: waits, planned: waits.length }).filter(({ weight }) => weight !== 'note');

/** After a change, the wait is that of the plan before it. Where nobody waits long enough, another rule reports that. */
const waitingInVain = ({ waits = [], usual = [] }: Sorts): readonly Reason[] =>
  usual.some(({ answer }) => answer !== null && isRefused(answer))
    ? []
    : inVain(waits).map((reason) => ({
        ...reason,
        expected: 'a key that was changed to be accepted after the wait that it was told',
      }));

/** Far more than is stated for its plan, where another key keeps to what is stated for its own: no copies of the service explain that. */
function beyondStated({ bursts, beside }: Sorts, stated: StatedTiers): readonly Reason[] {
  // What other routes admit is another rule's concern.
  const all = [...bursts, ...beside.map(({ looked }) => looked)].filter(({ route }) => route === bursts[0]?.route);
  const isBeyond = (each: Stretch): boolean => isBeyondStated(each, stated);
  const callers = [...Map.groupBy(all, ({ caller }) => caller).values()];
  const isKept = callers.some((own) =>
    own.every((each) => stated[each.tier ?? ''] !== undefined && each.calls.some(isRefused) && !isBeyond(each)),
  );
  return callers.flatMap((own) => {
    const found = own.find(isBeyond);
    if (found === undefined || !isKept) return [];
    // A higher limit is one as well.
    if (isTestSort(found.sort) && own.some(({ calls }) => calls.some(isRefused))) return [];
    const { sort, tier, calls } = found;
    const expected = `${sort} to have the limit that the profile states for ${tier}`;
    return [
      weighing(sort)(
        calls.findLast((each) => !isRefused(each)),
        expected,
        `${admittedIn(calls)} admitted calls`,
      ),
    ];
  });
}

/** Another status than 429 for keys of one sort or plan. */
function refusedOtherwise({ otherwise = [] }: Sorts): readonly Reason[] {
  return otherwise.flatMap(({ sort, tier, seen }) => {
    const alike = refusedAlike(seen);
    if (alike === undefined) return [];
    const expected = `429 for ${sort}${tier === null ? '' : ` of ${tier}`} beyond its limit`;
    return [violation(alike, expected, `${whatCame(alike)}, until it had rested`)];
  });
}

/** Others are refused with one that was made or changed; the last one, of another plan, is not, or all of them have one limit. */
function sharing({ shared = [] }: Sorts): readonly Reason[] {
  return shared.flatMap(({ exhausted, rounds }) => {
    const control = rounds.findLast(({ twin }) => twin.length === 0)?.other;
    if (control === undefined || cellOf(rounds, control) !== 'apart') return [];
    return sharersIn(rounds).map(({ other, answers }) =>
      warning(answers[0], `${other}, to succeed, which had rested`, `429, because ${exhausted} was exhausted`),
    );
  });
}

export const everyKey = rule({
  id: 'limit.every-key',
  clause: clauses.everyKeyIsLimited,
  needs: probes,
  ...probing,
  rests: 9,
  about: ({ subject }): { readonly order: readonly string[]; readonly stated?: StatedTiers } => ({
    order: [...subject.tierOrder],
    stated: statedTiers(subject),
  }),
  ask: async ({ limits }) => ({ sorts: await limits.sorts() }),
  given: ({ sorts }) => [
    inconclusiveIf(
      sorts !== undefined && !sorts.bursts.some(({ calls }) => calls.some(isRefused)),
      'no key of any sort met a limit within the budget',
    ),
    inconclusiveIf(
      sorts !== undefined && admittedIn(callsOf(sorts)) === 0,
      'no key of any sort was ever accepted, so a limit cannot be recognised',
    ),
  ],
  // Runs of other times do not say what is stated.
  judge: ({ sorts }, { order, stated = {} }) => [
    ...refusedOtherwise(sorts),
    ...sharing(sorts),
    ...beyondStated(sorts, stated),
    ...sorts.beside.filter(isFree).map(({ known, looked }) => {
      const of = looked.tier === null ? '' : ` of ${looked.tier}`;
      return violation(
        looked.calls.at(-1),
        `${looked.sort}${of} to be limited like ${known.sort}${known.tier === null ? '' : ` of ${known.tier}`}, for ${looked.route}`,
        `${looked.calls.length} calls were admitted, none refused; of the other one meanwhile ${admittedIn(known.calls)}`,
      );
    }),
    ...ofAnotherPlan(sorts, order, stated),
    ...upsideDown(sorts, order),
    ...overtaken(sorts, order),
    ...waitingInVain(sorts),
  ],
  fix: 'Take the limit from the current plan of the key, for keys of every sort.',
});
