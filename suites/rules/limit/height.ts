/** How high the limit of a key is: next to other tiers, and next to what the profile states. */
import {
  type LimitKind,
  type LimitModel,
  modelOfProbed,
  type Probed,
  type Reason,
  rule,
  type Sorts,
  summary,
  violation,
  warning,
} from '../../../src/vocabulary.ts';
import { clauses } from '../../clauses/index.ts';
import { inconclusiveIf } from '../../language/gates.ts';
import { type Height, heightsOf, isLive } from '../../language/heights.ts';
import { isIdentified, isOfKeys, orNothing, paceOf, probes, probing, refusalsIn } from '../../language/probing.ts';
import { type StatedTiers, showsMore, statedTiers } from '../../language/stated-limits.ts';

/** Each plan next to the nearest lower one whose limit is of the same sort: of two sorts, one was probably taken for another. */
function comparedIn(tiers: readonly Probed[]) {
  const measured = tiers.flatMap((probed) => {
    const model = modelOfProbed(probed);
    const { burst, perSecond } = model;
    const pace = paceOf(model);
    return burst === undefined || pace === undefined
      ? []
      : [{ probed, model, burst, pace, isWindow: perSecond === undefined }];
  });
  return measured.flatMap((higher, at) => {
    const lower = measured.slice(0, at).findLast(({ isWindow }) => isWindow === higher.isWindow);
    return lower === undefined ? [] : [{ lower, higher }];
  });
}

/** Seconds. */
const hour = 3600;

/** Live keys of the plans that have an order, the lowest first. */
const plansIn = (sorts: Sorts | null, order: readonly string[]): readonly Height[] =>
  heightsOf(sorts ?? { bursts: [] })
    .filter((each) => isLive(each) && order.includes(each.tier))
    .toSorted((one, other) => order.indexOf(one.tier) - order.indexOf(other.tier));

const isOfPlans = (heights: readonly Height[]): boolean => new Set(heights.map(({ tier }) => tier)).size > 1;

/** Where no model fits, what keys have at once still says whether a higher plan clearly has less, if not what it has in the long run. */
function lowerAtOnce(heights: readonly Height[]): readonly Reason[] {
  const plans = [...Map.groupBy(heights, ({ tier }) => tier).values()];
  return plans.flatMap((higher, at) => {
    const lower = plans.slice(0, at).find((each) => isLess(higher, each));
    if (lower === undefined) return [];
    const [one, other] = [higher[0]!, lower[0]!];
    const expected = `no lower limit for ${one.tier} than for ${other.tier}`;
    return [warning(one.refusal, expected, `${one.most} calls at once, and ${other.least} for ${other.tier}`)];
  });
}

const isLess = (higher: readonly Height[], lower: readonly Height[]): boolean =>
  higher.every(({ most }) => lower.every(({ least }) => most * 1.4 + 1 < least));

export const scalesWithTier = rule({
  id: 'limit.scales-with-tier',
  clause: clauses.limitsScaleWithPlan,
  needs: [...probes, 'two-tiers'],
  ...probing,
  late: true,
  cases: ({ tierOrder }) =>
    tierOrder.length < 2
      ? 'the order of the tiers is unknown; add tiers: [lowest, …]'
      : [{ name: 'tiers in the order of the profile' }],
  about: ({ subject }) => ({ order: [...subject.tierOrder] }),
  async *ask({ limits }) {
    yield { near: await limits.neighbours() };
    const tiers = await limits.tiers();
    const models = orNothing(tiers);
    const isOpen = models !== null && comparedIn(models).length === 0;
    yield { tiers, sorts: isOpen ? orNothing(await limits.sorts()) : null };
  },
  // Runs of other times looked at models alone.
  given: ({ near, tiers, sorts = null }, { order = [] }) => [
    isOfKeys(near),
    inconclusiveIf(
      tiers !== undefined && comparedIn(tiers).length === 0 && !isOfPlans(plansIn(sorts, order)),
      'for no two tiers were limits of one sort found, with their numbers',
    ),
  ],
  judge: ({ tiers, sorts = null }, { order = [] }) => [
    ...lowerAtOnce(plansIn(sorts, order)),
    ...comparedIn(tiers).flatMap(({ lower, higher }) => {
      const { tier } = higher.probed;
      const [slow, fast] = [lower.pace, higher.pace];
      const [few, many] = [lower.burst, higher.burst];
      const exchange = refusalsIn(higher.probed.calls)[0];
      const isBelow = (a: Pick<typeof slow, 'high'>, b: Pick<typeof slow, 'low'>): boolean => a.high * 1.02 < b.low;
      const falls = (isBelow(fast, slow) && !isBelow(few, many)) || (isBelow(many, few) && !isBelow(slow, fast));
      const below = lower.probed.tier;
      const told = `${tier}: ${summary(higher.model)}; ${below}: ${summary(lower.model)}`;
      if (falls) return [violation(exchange, `no lower limit for ${tier} than for ${below}`, told)];
      // More at once is no more, where it is spent within an hour.
      const inAnHour = (pace: typeof slow, burst: typeof few) => ({
        low: burst.low + hour * pace.low,
        high: burst.high + hour * pace.high,
      });
      if (isBelow(fast, slow) && isBelow(inAnHour(fast, many), inAnHour(slow, few)))
        return [warning(exchange, `no fewer calls in an hour for ${tier} than for ${below}`, told)];
      const isSame = !isBelow(slow, fast) && !isBelow(few, many) && !isBelow(fast, slow) && !isBelow(many, few);
      return isSame ? [warning(exchange, `a higher limit for ${tier} than for ${below}`, told)] : [];
    }),
  ],
  fix: 'Take the limit from the plan of the key: a higher plan allows more, never less.',
});

/** The evidence about a limit for which the profile states a number. */
const withStated = (all: readonly Probed[], stated: StatedTiers) =>
  all.flatMap((probed) => {
    const limit = stated[probed.tier ?? ''];
    return limit === undefined || paceOf(modelOfProbed(probed)) === undefined ? [] : [{ probed, limit }];
  });

const windows: readonly LimitKind[] = ['window aligned', 'window from first call', 'sliding log'];

/** Each window holds what is stated for its length: the number can be compared to the last call. */
const isWindowOf = ({ kind, windowMs }: LimitModel, perMs: number): boolean =>
  windows.includes(kind) && windowMs !== undefined && windowMs.low <= perMs * 1.02 && windowMs.high >= perMs * 0.98;

/** Whatever kind of window it is: as many calls as are stated, in as long. */
function keeps({ probed, limit }: ReturnType<typeof withStated>[number], tolerance: number): boolean {
  const { burst, windowMs, certainty } = modelOfProbed(probed);
  const isNear = ({ low, high }: { low: number; high: number }, right: number): boolean =>
    low >= right * (1 - tolerance) && high <= right * (1 + tolerance);
  return (
    certainty.is === 'undetermined' &&
    burst !== undefined &&
    windowMs !== undefined &&
    isNear(burst, limit.requests) &&
    isNear(windowMs, limit.perMs)
  );
}

export const asDeclared = rule({
  id: 'limit.as-declared',
  clause: clauses.limitsAsStated,
  needs: [...probes, 'limits.declared'],
  ...probing,
  late: true,
  about: ({ subject }) => ({ stated: statedTiers(subject), tolerance: subject.limits.tolerance }),
  async *ask({ limits, subject }) {
    const own = await limits.key();
    yield { own };
    yield { near: await limits.neighbours() };
    const tiers = subject.tierOrder.length > 1 ? await limits.tiers() : [];
    // A search that ended without a result goes no further than here.
    yield { tiers };
    yield { probed: [own, ...tiers.filter(({ caller }) => caller !== own.caller)] };
  },
  given: ({ near, probed }, { stated, tolerance }) => [
    isOfKeys(near),
    // One that is not identified shows no more than that it is too high, or that its numbers are those that are stated.
    inconclusiveIf(
      probed !== undefined &&
        !withStated(probed, stated).some(
          (each) => isIdentified(modelOfProbed(each.probed)) || keeps(each, tolerance),
        ) &&
        otherThanStated(probed, stated, tolerance).length === 0,
      'none of the limits that the profile documents was identified',
    ),
  ],
  judge: ({ probed }, { stated, tolerance }) => otherThanStated(probed, stated, tolerance),
  fix: 'Correct the limit or its documentation, so that they agree.',
});

function otherThanStated(all: readonly Probed[], stated: StatedTiers, tolerance: number): readonly Reason[] {
  return withStated(all, stated).flatMap(({ probed, limit }) => {
    const model = modelOfProbed(probed);
    const pace = paceOf(model)!;
    const wanted = (1000 * limit.requests) / limit.perMs;
    // A caller that was punished for calls that were refused was admitted less often than it might have been.
    const isMore = isIdentified(model) || showsMore(probed.calls, limit);
    const isOff = ({ low, high }: { low: number; high: number }, right: number): boolean =>
      (isIdentified(model) && high < right - Math.max(right * tolerance, 1e-9)) ||
      (isMore && low > right + right * tolerance);
    const burst = limit.burst ?? null;
    const atOnce = burst ?? (isWindowOf(model, limit.perMs) ? limit.requests : null);
    const wrong = isOff(pace, wanted) || (atOnce !== null && model.burst !== undefined && isOff(model.burst, atOnce));
    const text = `${limit.requests} calls in ${limit.perMs / 1000} s${burst === null ? '' : `, ${burst} at once`}`;
    return wrong ? [violation(refusalsIn(probed.calls)[0], text, summary(model))] : [];
  });
}
