/** Whose limit is looked at, and from where: a key that was refused, and what a rest is for it. */
import { Inapplicable, Inconclusive } from '../../model/ask.ts';
import { type Exchange, statusOf } from '../../model/exchange.ts';
import type { LimitsAsk, Probed, SeesApart } from '../../model/limits-ask.ts';
import { atOnceOf, type Key, type StatedLimit } from '../../model/subject.ts';
import { isRefused } from '../model/decision.ts';
import { modelOfProbed, noneMet } from '../model/probed.ts';
import { beneath, type MetBy } from './beneath.ts';
import type { Place, RouteName, Who } from './call.ts';
import { settleMs } from './look.ts';
import type { Prober, Spending, Wire } from './prober.ts';
import { meet } from './rested.ts';
import type { Sorted } from './sorts.ts';

/** Before a call that the engine makes for an experiment: it counts, and is refused when the budget is spent. */
export type Spend = () => void;

/** A key that a limit refuses, its own or that of its address, and the ways to be refused by it and to be admitted again. */
export interface Exhausting {
  readonly key: Key;
  readonly burst: number;
  /** From where it calls, if not from the first address. */
  readonly from: string | undefined;
  readonly spend: Spend;
  rest(): Promise<void>;
  exhaust(): Promise<void>;
}

export interface KeyWanted {
  readonly tier?: string;
  readonly environment?: 'test';
}

export interface SurveyOptions {
  readonly wire: Wire;
  /** The one that is looked at first, then others. */
  readonly keys: readonly Key[];
  /** Keys of different tiers, the lowest first. */
  readonly tierKeys: readonly Key[];
  /** The first is called from unless another is needed. */
  readonly places: readonly [Place, ...Place[]];
  /** Calls that must not meet the limit of an address are spread over these. */
  readonly spread: readonly [Place, ...Place[]];
  readonly seesApart: SeesApart;
  /** From the lowest to the highest. */
  readonly tierOrder: readonly string[];
  /** A key of each sort and plan that can be had, also such as are made for it; they are removed again. */
  readonly withSorts: <T>(spend: Spend, use: (sorted: readonly Sorted[]) => Promise<T>) => Promise<T>;
  /** How many more keys of a tier, as far as the service makes them; they are removed again. */
  readonly withMore: <T>(
    spend: Spend,
    tier: string | undefined,
    count: number,
    use: (keys: readonly Key[]) => Promise<T>,
  ) => Promise<T>;
  /** Keys of these plans, as far as the service makes them; they are removed again. */
  readonly withPlans: <T>(
    spend: Spend,
    wanted: readonly KeyWanted[],
    use: (keys: readonly Key[]) => Promise<T>,
  ) => Promise<T>;
  readonly makesTestKeys: boolean;
  /** Runs need sources, which the engine has. */
  readonly refusedRuns: (exhausting: Exhausting) => ReturnType<LimitsAsk['refusedRuns']>;
  readonly refusedRunsAt: (exhausting: Exhausting) => ReturnType<LimitsAsk['refusedRunsAt']>;
  /** Addresses for experiments side by side, as many as each needs; none where there are too few, or where not all rules are asked. */
  readonly blocks: readonly (readonly Place[])[];
  /** The list of keys, and a change of one that is made for it; nothing where the profile describes neither. */
  readonly administering: (spend: Spend) => Promise<readonly Exchange[]>;
  /** What the profile states for the plan of a key, and for an address. */
  readonly statedFor: (key: Key) => StatedLimit | undefined;
  readonly addressLimit?: StatedLimit;
  readonly budget: Spending & { readonly quick: boolean };
  /** Of an actor that the profile has, a key that may not run it. */
  readonly barred: Key | undefined;
  readonly trials: number;
  /** Whether a rule will ask for kinds and numbers. */
  readonly wantsNumbers: boolean;
  readonly routes: readonly RouteName[];
  /** What else is there to be run. */
  readonly further: readonly RouteName[];
  readonly trustedHeader?: string;
  /** How many calls at once are far beyond what the profile states for the plan of a key. */
  readonly beyondStated: (key: Key) => number;
  readonly random: () => number;
}

/** The most calls that the profile states for an address at once. */
export const addressStated = ({ addressLimit }: Pick<SurveyOptions, 'addressLimit'>): number | undefined =>
  addressLimit && atOnceOf(addressLimit);

/** A key whose limit was met: what the experiments after that need to know. */
export interface Ground {
  readonly prober: Prober;
  readonly options: SurveyOptions;
  readonly who: Who;
  readonly key: Key;
  readonly route: RouteName;
  readonly burst: number;
  readonly restMs: number;
}

/** What is found once, under a name. */
/** What was found under this name; undefined where nobody looked for it, or it was not found. */
export type Known = <T>(name: string) => Promise<T | undefined>;

export type Once = <T>(name: string, find: () => Promise<T>) => () => Promise<T>;

export type Scale = Pick<Ground, 'route' | 'burst' | 'restMs'>;

export interface Grounds {
  readonly met: () => Promise<Probed>;
  /** The route on which it was met, or that was asked most. */
  readonly route: () => Promise<RouteName>;
  /** A key that is refused. Waiting shows whether it is ever admitted. */
  readonly footing: () => Promise<Ground>;
  readonly ground: () => Promise<Ground>;
  /** What other keys are compared with, also where the first one meets nothing. */
  readonly scale: () => Promise<Scale>;
}

export function groundsOf(prober: Prober, options: SurveyOptions, once: Once, whoIs: (key: Key) => Who): Grounds {
  /** On the first route that is limited; where none is, on the one that was asked most. */
  const meeting = once('meeting', async (): Promise<MetBy> => {
    await prober.sleep(Math.min(settleMs, prober.leftMs * 0.02));
    const tried: MetBy[] = [];
    const who = whoIs(firstKey(options));
    const stated = options.statedFor(firstKey(options));
    const statedMs = stated?.perMs;
    const everywhere: Who = { keys: who.keys, spread: options.spread };
    for (const [at, route] of options.routes.entries()) {
      const share = Math.floor((prober.leftRequests * metShare) / (options.routes.length - at));
      const most = Math.min(share, stated === undefined ? share : timesStated * atOnceOf(stated) + few);
      const came = { ...(await meet(prober, who, route, most, statedMs)), route, who };
      if (prober.isDistressed) return came;
      if (came.calls.some(isRefused))
        return beneath(prober, came, {
          everywhere,
          routes: options.routes,
          most: Math.floor(prober.leftRequests * beneathShare),
          statedMs,
        });
      tried.push(came);
    }
    return tried.reduce((furthest, each) => (servedIn(each) > servedIn(furthest) ? each : furthest));
  });

  const met = once('met', async (): Promise<Probed> => {
    const { calls, route } = await meeting();
    const { name, tier } = firstKey(options);
    return { caller: name, tier: tier ?? null, route, calls, sustainedFrom: null, stopped: null };
  });

  const footing = once('footing', async (): Promise<Ground> => {
    const { calls, route, burst, restMs, who } = await meeting();
    if (!calls.some(isRefused)) throw new Inapplicable(noneMet(modelOfProbed(await met())));
    const main = firstKey(options);
    return { prober, options, who, key: main, route, burst, restMs };
  });

  const ground = once('ground', async (): Promise<Ground> => {
    const on = await footing();
    if ((await met()).calls.every(isRefused))
      throw new Inconclusive('every call was refused, from the first to the last');
    if (on.restMs > prober.leftMs) throw new Inconclusive('the remaining time is too short for a key to rest');
    return on;
  });

  const scale = async (): Promise<Scale> => {
    const { calls, route, burst, restMs } = await meeting();
    if (!calls.some(isRefused)) return { route, burst: Math.ceil(burst / 20), restMs: settleMs };
    return { route, burst, restMs: Number.isFinite(restMs) ? restMs : settleMs };
  };

  return {
    met,
    footing,
    ground,
    scale,
    route: async () => (await meeting().catch(() => ({ route: options.routes[0]! }))).route,
  };
}

const servedIn = ({ calls }: MetBy): number => calls.filter((each) => (statusOf(each) ?? 500) < 400).length;

/** So many rests are left to the experiments that come later. */
const spare = 25;

export const isTimeLeft = ({ prober, restMs }: Pick<Ground, 'prober' | 'restMs'>): boolean =>
  prober.leftMs >= spare * restMs;

/** For what is asked only where it takes no time from other rules. */
export function ifTimeIsLeft(on: Ground): void {
  if (!isTimeLeft(on))
    throw new Inapplicable('the time that was left is kept for other rules; raise limits: { max_seconds }');
}

/** What is left for the rest of the survey after a limit was looked for. */
const metShare = 0.5;
/** Whoever is refused nowhere near what is stated, on whatever copies of a service, is not looked for any further. */
const timesStated = 8;
const few = 50;
const beneathShare = 0.08;

export function firstKey({ keys }: SurveyOptions): Key {
  const [first] = keys;
  if (first === undefined) throw new Inconclusive('there is no key');
  return first;
}
