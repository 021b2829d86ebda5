/**
 * Keys of every sort and plan, each until it is refused: in groups that their addresses hold, and alone where what was seen of one may
 * be the limit of an address.
 */
import { Inconclusive } from '../../model/ask.ts';
import { type Exchange, statusOf, succeeded } from '../../model/exchange.ts';
import type { Neighbours, SideBySide, Sorts, Stretch, Wait } from '../../model/limits-ask.ts';
import type { Key } from '../../model/subject.ts';
import { admittedIn, isRefused } from '../model/decision.ts';
import { type Caller, data, margin, sideBySide } from './beside.ts';
import type { RouteName, Who } from './call.ts';
import { addressStated, type Ground, type Scale, type SurveyOptions } from './ground.ts';
import { type AskOne, inGroups, rests } from './groups.ts';
import { otherRefusals } from './manners.ts';
import { atOnePlaceIfApart } from './near.ts';
import type { Prober } from './prober.ts';
import { untilRefused } from './rested.ts';
import { sharedBySorts } from './shared.ts';
import { admittedTo, cheapest, doubtful, enough, isMet, more, onePerPlan, overtaken, ranking } from './suspects.ts';
import { waitersWait } from './waiters.ts';

/** A key, and what sort it is of: `a live key`. */
export interface Sorted {
  readonly sort: string;
  readonly key: Key;
}

/** How often each key is looked at: the first look may lie across the end of a window. */
const looks = 2;
/** Of the calls that are left: the rest is for the rules that follow. */
const share = 0.4;
/** As many may turn out to have no limit, next to each other. */
const limitless = 8;
/** Of the calls that are left, for one other route. */
const elsewhereShare = 0.02;

const fewOtherwise = 3;

/** Served at first, and then answered 403 or 503, say, for the same request, several times. */
function isShutOtherwise(calls: readonly Exchange[]): boolean {
  const others = calls.filter((each) => !succeeded(each));
  const statuses = new Set(others.map(statusOf));
  return (
    calls.slice(0, 1).every(succeeded) && others.length >= fewOtherwise && statuses.size === 1 && !statuses.has(429)
  );
}

const isOfChanged = ({ sort }: Sorted): boolean => sort.startsWith('a key whose');

const callerAt =
  (route: RouteName) =>
  ({ sort, key }: Sorted): Caller => ({ sort, caller: key.name, tier: key.tier ?? null, route, at: route, key });

/** Of a key that is refused at once again and again. */
const longestRests = 4 * rests;

/** So many rests are left to the rules that follow. */
const spare = 60;

/** A key in its first moments, next to one of its plan that is known: what counts it may not know it yet. */
async function justMade(
  prober: Prober,
  { spread, withMore }: SurveyOptions,
  known: Sorted,
  { route, burst, restMs }: Scale,
): Promise<SideBySide[]> {
  await prober.sleep(rests * restMs);
  return withMore(prober.spend, known.key.tier, 1, async ([key]) => {
    if (key === undefined) return [];
    const caller = callerAt(route)(known);
    const looked = { ...caller, sort: 'a key that was just made', caller: key.name, key };
    return [await sideBySide(prober, spread, caller, looked, burst)];
  });
}

/** Keys that were changed, and live ones of all plans, wait as they are told: what tells the wait may know another plan than what counts. */
async function allWait(
  prober: Prober,
  options: SurveyOptions,
  sorted: readonly Sorted[],
  known: Sorted,
  scale: Scale,
): Promise<Required<Pick<Sorts, 'waits' | 'usual'>>> {
  const changed = sorted.filter(isOfChanged);
  if (changed.length === 0) return { waits: [], usual: [] };
  // From all addresses, so that no limit of one is met.
  const whoIs = (key: Key): Who => ({ keys: [key], spread: options.spread });
  const on: Ground = { prober, options, who: whoIs(known.key), key: known.key, ...scale };
  await prober.sleep(rests * scale.restMs);
  const wait = async (who: readonly Sorted[]): Promise<readonly Wait[]> =>
    waitersWait(
      on,
      who.map(({ key }) => ({ who: whoIs(key), route: scale.route })),
    );
  const [waits, usual] = await Promise.all([wait(changed), wait(onePerPlan(sorted))]);
  return { waits, usual };
}

/** All of them, and a key that is not refused next to one of the same plan, or of a higher one, that is. */
export async function sortsOf(
  prober: Prober,
  all: SurveyOptions,
  sorted: readonly Sorted[],
  on: Scale,
  near: () => Promise<Neighbours>,
): Promise<Sorts> {
  const neighbours = await near().catch(() => undefined);
  const options = atOnePlaceIfApart(all, neighbours?.rounds ?? []);
  const { spread: places, keys, tierOrder, budget, routes, further, beyondStated } = options;
  const { burst, restMs } = on;
  const rank = ranking(tierOrder);
  const allowed = prober.leftRequests * share;
  let bursts: Stretch[] = [];
  /** All of one look have the same: those that have no limit leave something to the others. */
  let fair = 0;
  // What others spend meanwhile is not theirs.
  const shareOut = (): void => {
    const spent = bursts.reduce((sum, { calls }) => sum + calls.length, 0);
    fair = Math.max(0, Math.floor((allowed - spent) / Math.max(limitless, sorted.length)));
  };
  const mostOf = (key: Key): number => Math.min(Math.max(3 * burst + 30, beyondStated(key)), fair);
  /** Refused otherwise than by 429. */
  const odd = new Set<Sorted>();
  const askOnce: AskOne = async (route, one) => {
    const { sort, key } = one;
    const own: Who = { keys: [key], spread: places };
    // Who is not refused by a little more than it has elsewhere is looked at next to another one.
    const most = route === on.route ? mostOf(key) : Math.ceil(more * admittedTo(key, bursts)) + margin;
    const calls = await untilRefused(prober, own, route, most, Math.ceil(burst / 4));
    if (isShutOtherwise(calls)) odd.add(one);
    return { sort, caller: key.name, tier: key.tier ?? null, route, calls };
  };
  /** What looks like distress may be the refusals of one key, which did not stop the others. */
  const askOne: AskOne = async (route, one) => {
    try {
      return await askOnce(route, one);
    } catch (error) {
      if (!(error instanceof Inconclusive) || !prober.isDistressed) throw error;
      await prober.sleep(rests * restMs);
      if (odd.size === 0) throw error;
      prober.forgive();
      return askOnce(route, one);
    } finally {
      if (odd.size > 0) prober.forgive();
    }
  };
  const atAddress = addressStated(options);
  const room = atAddress === undefined ? undefined : atAddress * places.length;
  const burstsAt = inGroups({ prober, ...on, known: keys[0], room }, askOne);
  const besideAt = async (
    route: RouteName,
    found: readonly Stretch[],
    asked: readonly Sorted[],
  ): Promise<SideBySide[]> => {
    const callerOf = callerAt(route);
    const met = asked.filter((each) => isMet(each, found) && !odd.has(each));
    const beside: SideBySide[] = [];
    for (const free of asked.filter((each) => !met.includes(each) && !odd.has(each))) {
      const known =
        met.find(({ key }) => key.tier !== undefined && key.tier === free.key.tier) ??
        met.find((each) => rank(free) >= 0 && rank(each) > rank(free));
      if (known === undefined) continue;
      if (beside.length >= enough) break;
      // What all of them asked before may have used up their addresses.
      await prober.sleep(rests * restMs);
      beside.push(await sideBySide(prober, places, callerOf(known), callerOf(free), admittedTo(known.key, found)));
    }
    return beside;
  };

  for (let round = 0; round < (budget.quick ? 1 : looks); round += 1) {
    shareOut();
    bursts.push(...(await burstsAt(on.route, sorted)));
  }
  for (const each of doubtful(options, sorted, bursts)) {
    shareOut();
    await prober.sleep(rests * restMs);
    const alone = await askOne(on.route, each);
    // Then it was an address that refused it, which others had used up.
    const wasOfAddress = !alone.calls.some(isRefused) && alone.calls.length >= admittedTo(each.key, bursts);
    if (wasOfAddress) bursts = bursts.filter(({ caller }) => caller !== each.key.name);
    bursts.push(alone);
  }
  const otherwise: NonNullable<Sorts['otherwise']>[number][] = [];
  const served = sorted.find((each) => isMet(each, bursts) && !odd.has(each));
  for (const { sort, key } of [...odd].slice(0, enough)) {
    if (served === undefined) break;
    const seen = await otherRefusals(prober, { keys: [key, served.key], routes: [on.route], spread: places });
    otherwise.push({ sort, caller: key.name, tier: key.tier ?? null, route: on.route, seen });
  }
  const shared = await sharedBySorts(prober, options, sorted, on, near, (key) => admittedTo(key, bursts));
  const beside = await besideAt(on.route, bursts, sorted);
  const first = sorted.find((each) => each.key === keys[0] && isMet(each, bursts) && !odd.has(each));
  if (odd.size > 0) prober.forgive();
  let waited: Partial<Pick<Sorts, 'waits' | 'usual'>> = {};
  if (first !== undefined && !budget.quick && prober.leftMs > spare * restMs) {
    beside.push(...(await justMade(prober, options, first, on)));
    const met = sorted.filter((each) => isMet(each, bursts) && !odd.has(each));
    waited = await allWait(prober, options, met, first, on);
  }
  if (budget.quick || !routes.includes('run')) return { bursts, beside, otherwise, shared, ...waited };
  // Who is free at one route needs no look at another; whether asking if a key is valid counts is left open.
  const elsewhere = [...data, ...further.slice(0, 1)].filter((each) => each !== on.route && each !== 'verify');
  const limited = cheapest(
    sorted.filter((each) => isMet(each, bursts) && !odd.has(each)),
    bursts,
    elsewhereShare * prober.leftRequests,
  );
  const atOthers: Stretch[] = [];
  for (const route of limited.length > 1 ? elsewhere : []) {
    const found = await burstsAt(route, limited);
    beside.push(...(await besideAt(route, found, limited)));
    // Each alone, so that neither is refused for the other one; with what was seen before, that is two looks at each.
    for (const each of overtaken(options, limited, found)) {
      const own = found.filter(({ caller }) => caller === each.key.name);
      // Who is refused at once may not have rested enough: that alone says nothing of its plan.
      for (let rest = rests; rest <= longestRests; rest *= 2) {
        await prober.sleep(rest * restMs);
        own.push(await askOne(route, each));
        if (own.every(({ calls }) => admittedIn(calls) > 0)) break;
      }
      atOthers.push(...own);
    }
  }
  return { bursts, beside, otherwise, shared, ...waited, elsewhere: atOthers };
}
