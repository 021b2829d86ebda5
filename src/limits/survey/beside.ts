/** Two callers over the same time: a service that admits ten times as much to one of them limits it in name only. */
import type { Exchange } from '../../model/exchange.ts';
import type { RouteBeside, SideBySide, Sorts, Stretch } from '../../model/limits-ask.ts';
import type { Key } from '../../model/subject.ts';
import { admittedIn, isRefused } from '../model/decision.ts';
import type { Ground, Scale, SurveyOptions } from './ground.ts';
import { type AskOne, inGroups } from './groups.ts';
import { exhaust } from './neighbours.ts';
import type { Place, Prober, RouteName, Who } from './prober.ts';
import { untilRefused } from './rested.ts';

/** A key, and what sort it is of: `a live key`. */
export interface Sorted {
  readonly sort: string;
  readonly key: Key;
}

interface Caller extends Omit<Stretch, 'calls'> {
  readonly who: Who;
  readonly at: RouteName;
}

/** Ten times, and a margin. */
const times = 10;
const margin = 10;
const longest = 25;

/** Until the one that is looked at is refused, or has been admitted ten times as much as the other one meanwhile. */
async function sideBySide(
  prober: Prober,
  places: readonly Place[],
  known: Caller & { readonly key: Key | null },
  looked: Caller & { readonly key: Key | null },
  burst: number,
): Promise<SideBySide> {
  const [ofKnown, ofLooked]: [Exchange[], Exchange[]] = [[], []];
  // From address to address, so that the limit of none is met first.
  const whoIs = (key: Key | null): Who => ({ keys: [key], spread: places });
  for (;;) {
    const wanted = times * Math.max(burst, admittedIn(ofKnown)) + margin;
    // Where the other one is hardly ever refused, nothing is to be learned.
    const left = Math.min(wanted, longest * burst + margin) - ofLooked.length;
    const size = Math.min(24, left);
    if (size <= 0 || prober.leftRequests < 3 * size) break;
    const [own, other] = await Promise.all([
      prober.probe(whoIs(known.key), known.at).askMany(Math.ceil(size / 2)),
      prober.probe(whoIs(looked.key), looked.at).askMany(size),
    ]);
    ofKnown.push(...prober.of(own));
    const came = prober.of(other);
    ofLooked.push(...came);
    if (came.some(isRefused)) break;
  }
  const strip = ({ sort, caller, tier, route }: Caller): Omit<Stretch, 'calls'> => ({ sort, caller, tier, route });
  return { known: { ...strip(known), calls: ofKnown }, looked: { ...strip(looked), calls: ofLooked } };
}

const data: readonly RouteName[] = ['verify', 'read', 'run'];

export async function everyRoute(on: Ground): Promise<RouteBeside[]> {
  const { prober, options, route, key, burst } = on;
  const seen: RouteBeside[] = [];
  if (!options.routes.includes('run')) return seen;
  const caller = { sort: 'a key', caller: key.name, tier: key.tier ?? null, key, who: on.who };
  for (const other of [...data, ...options.further].filter((each) => each !== route)) {
    await exhaust(on);
    const first = prober.of(await prober.probe(on.who, other).askMany(2));
    if (first.some(isRefused)) continue;
    const known = { ...caller, route, at: route };
    const looked = { ...caller, route: other as string, at: other };
    seen.push({ request: other, beside: await sideBySide(prober, options.spread, known, looked, burst) });
  }
  return seen;
}

/** Keys next to others at one route: more of them say nothing new. */
const enough = 3;

/** What is left for the others afterwards, and how often each key is looked at. */
const looks = 2;
const share = 0.4;
/** Of calls that are far beyond the stated limit: more than a burst or two of it, and not yet enough to say so. */
const oddShare = { from: 0.25, to: 0.42 };
const belowShare = 1.2;
const liveSort = 'a live key';
const more = 1.6;
/** Of the calls that are left, for one other route. */
const elsewhereShare = 0.02;
/** As many may turn out to have no limit, next to each other. */
const atOnce = 8;

/**
 * Each key by itself until it is refused, all at the same time; a key that is not next to one of the same plan or of a higher one
 * that is.
 */
export async function sortsOf(
  prober: Prober,
  { spread: places, keys, tierOrder, budget, routes, further, beyondStated, addressStated }: SurveyOptions,
  sorted: readonly Sorted[],
  on: Scale,
): Promise<Sorts> {
  const { burst, restMs } = on;
  // Exhausted keys spend a call or two there; whether asking if a key is valid counts is left open.
  const elsewhere = (routes.includes('run') && !budget.quick ? [...data, ...further] : []).filter(
    (each) => each !== on.route && each !== 'verify',
  );
  const spared = prober.leftRequests * (1 - share);
  // Nearly all are refused soon: what is left is for those that are not.
  const mostOf = (key: Key): number =>
    Math.min(
      Math.max(3 * burst + 30, beyondStated(key)),
      Math.max(0, Math.floor((prober.leftRequests - spared) / atOnce)),
    );
  const bursts: Stretch[] = [];
  const admittedTo = (key: Key, of: readonly Stretch[]): number =>
    Math.max(0, ...of.filter(({ caller }) => caller === key.name).map(({ calls }) => admittedIn(calls)));
  const askOne: AskOne = async (route, { sort, key }) => {
    const own: Who = { keys: [key], spread: places };
    // At another route a little more than it has at this one: who is not refused then is looked at by itself.
    const most = route === on.route ? mostOf(key) : Math.ceil(more * admittedTo(key, bursts)) + margin;
    const calls = await untilRefused(prober, own, route, most, Math.ceil(burst / 4));
    return { sort, caller: key.name, tier: key.tier ?? null, route, calls };
  };
  const stated = addressStated === undefined ? undefined : addressStated * places.length;
  const burstsAt = inGroups({ prober, ...on, known: keys[0], room: stated }, askOne);
  const rank = ({ key }: Sorted): number => (key.tier === undefined ? -1 : tierOrder.indexOf(key.tier));
  const metIn =
    (bursts: readonly Stretch[]) =>
    ({ key }: Sorted): boolean =>
      bursts.some(({ caller, calls }) => caller === key.name && calls.some(isRefused));
  /** Each key that was not refused at a route, next to one that was. */
  const besideAt = async (
    route: RouteName,
    found: readonly Stretch[],
    asked: readonly Sorted[],
  ): Promise<SideBySide[]> => {
    const isMet = metIn(found);
    const callerOf = ({ sort, key }: Sorted) => {
      const who: Who = { keys: [key] };
      return { sort, caller: key.name, tier: key.tier ?? null, route: route as string, at: route, key, who };
    };
    const beside: SideBySide[] = [];
    for (const free of asked.filter((each) => !isMet(each))) {
      const own = (each: Sorted): boolean => each.key.tier !== undefined && each.key.tier === free.key.tier;
      const higher = (each: Sorted): boolean => rank(free) >= 0 && rank(each) > rank(free);
      const known = asked.find((each) => isMet(each) && own(each)) ?? asked.find((each) => isMet(each) && higher(each));
      if (known === undefined) continue;
      if (beside.length >= enough) break;
      // What all of them asked before may have used up their addresses.
      await prober.sleep(1.5 * restMs);
      const least = admittedTo(known.key, found);
      beside.push(await sideBySide(prober, places, callerOf(known), callerOf(free), least));
    }
    return beside;
  };
  // A second look: the first may lie across the end of a window.
  for (let round = 0; round < (budget.quick ? 1 : looks); round += 1)
    bursts.push(...(await burstsAt(on.route, sorted)));
  // Others called from the same addresses meanwhile: who has far more than is stated for it is looked at alone.
  const isOdd = ({ key }: Sorted): boolean => {
    const share = admittedTo(key, bursts) / beyondStated(key);
    return share > oddShare.from && share < oddShare.to;
  };
  const odd = sorted.filter((each) => beyondStated(each.key) > 0 && isOdd(each) && metIn(bursts)(each));
  // So is who has less than one of a lower plan: it may have met the limit of its address.
  const isBelow = (one: Sorted): boolean =>
    sorted.some(
      (each) =>
        each.sort === one.sort &&
        rank(each) >= 0 &&
        rank(each) < rank(one) &&
        admittedTo(each.key, bursts) > belowShare * admittedTo(one.key, bursts),
    );
  const below = sorted.filter(isBelow);
  // Where live keys are upside down too, it is no matter of sorts, and says enough.
  const doubted = below.some(({ sort }) => sort === liveSort) ? [] : below;
  for (const each of new Set([...odd.slice(0, enough), ...doubted])) {
    await prober.sleep(1.5 * restMs);
    bursts.push(await askOne(on.route, each));
  }
  const beside = await besideAt(on.route, bursts, sorted);
  // Who is free at one route needs no look at another.
  const met = sorted.filter(metIn(bursts));
  const ofEach = [...new Map(met.map((each) => [`${each.sort} of ${each.key.tier}`, each])).values()];
  const costOf = ({ key }: Sorted): number => more * admittedTo(key, bursts);
  const limited: Sorted[] = [];
  let left = elsewhereShare * prober.leftRequests;
  // Those that cost least, so that two of one plan are among them.
  for (const each of ofEach.toSorted((one, next) => costOf(one) - costOf(next))) {
    left -= costOf(each);
    if (left > 0) limited.push(each);
  }
  for (const route of limited.length > 1 ? elsewhere : [])
    beside.push(...(await besideAt(route, await burstsAt(route, limited), limited)));
  return { bursts, beside };
}
