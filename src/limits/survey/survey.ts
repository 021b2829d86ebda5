/**
 * Everything that a run finds out about limits, each once, however many rules ask for it. What decides is elsewhere:
 * here are experiments, and they return exchanges.
 */
import { Inapplicable, Inconclusive } from '../../model/ask.ts';
import type { FoundLimit } from '../../model/limit-model.ts';
import type { AddressLimit, LimitsAsk, Neighbours, Probed, SeesApart, Waits } from '../../model/limits-ask.ts';
import type { Key } from '../../model/subject.ts';
import { cellOf } from '../model/cells.ts';
import { isRefused, restOf } from '../model/decision.ts';
import { modelOfProbed, noneMet } from '../model/probed.ts';
import { crowdAt, findAddressLimit } from './address-limit.ts';
import { between, evading, forgers } from './asides.ts';
import { everyRoute, type Sorted, sortsOf } from './beside.ts';
import { foundLimits } from './found.ts';
import { lookAt, settleMs } from './look.ts';
import { hammering, otherRefusals, reconnecting, routesRefused, waiting } from './manners.ts';
import { exhaust, neighbours, type Other } from './neighbours.ts';
import { paces } from './paces.ts';
import { type Place, Prober, type RouteName, type Spending, type Who, type Wire } from './prober.ts';
import { type Met, meet } from './rested.ts';
import { strangersReconnecting, strangersRefused } from './strangers.ts';

export interface SurveyOptions {
  readonly wire: Wire;
  /** The one that is looked at first, then others. */
  readonly keys: readonly Key[];
  /** Keys of different tiers, the lowest first. */
  readonly tierKeys: readonly Key[];
  /** The first is called from unless another is needed. */
  readonly places: readonly [Place, ...Place[]];
  /** Calls that no limit of an address shall stop are spread over these. */
  readonly spread: readonly [Place, ...Place[]];
  readonly seesApart: SeesApart;
  /** From the lowest to the highest. */
  readonly tierOrder: readonly string[];
  /** A key of each sort and plan that can be had, also such as are made for it; they are removed again. */
  readonly withSorts: <T>(use: (sorted: readonly Sorted[]) => Promise<T>) => Promise<T>;
  /** So many more keys of a tier, as far as the service makes them; they are removed again. */
  readonly withMore: <T>(
    tier: string | undefined,
    count: number,
    use: (keys: readonly Key[]) => Promise<T>,
  ) => Promise<T>;
  /** The most calls that the profile states for an address at once. */
  readonly addressStated?: number;
  readonly budget: Spending & { readonly quick: boolean };
  readonly trials: number;
  readonly routes: readonly RouteName[];
  readonly trustedHeader?: string;
  readonly random: () => number;
}

/** The survey's own part of what rules may find out; refused runs need sources, which the engine has. */
export type Surveyed = Omit<LimitsAsk, 'refusedRuns'> & {
  exhausting(): Promise<Exhausting>;
  /** What is known by now, of what was asked for. */
  found(): Promise<FoundLimit[]>;
};

/** A key whose limit is known, and the ways to be refused by it and to be admitted again. */
export interface Exhausting {
  readonly key: Key;
  readonly burst: number;
  rest(): Promise<void>;
  exhaust(): Promise<void>;
}

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

export function survey(options: SurveyOptions): Surveyed {
  const prober = new Prober(options.wire, options.budget);
  const found = new Map<string, Promise<unknown>>();
  const once = <T>(name: string, find: () => Promise<T>): (() => Promise<T>) => {
    return () => {
      const known = (found.get(name) as Promise<T> | undefined) ?? find();
      found.set(name, known);
      return known;
    };
  };
  const [home, elsewhere] = options.places;
  const whoIs = (key: Key, place: Place = home): Who => ({ keys: [key], ...place });

  /** On the first route that is limited; where none is, on the one that was asked most. */
  const meeting = once('meeting', async (): Promise<Met & { readonly route: RouteName }> => {
    await prober.sleep(Math.min(settleMs, prober.leftMs * 0.02));
    const tried: (Met & { readonly route: RouteName })[] = [];
    for (const route of options.routes) {
      const most = Math.floor(prober.leftRequests * metShare);
      const came = { ...(await meet(prober, whoIs(firstKey(options)), route, most)), route };
      if (came.calls.some(isRefused) || prober.isDistressed) return came;
      tried.push(came);
    }
    return tried.reduce((furthest, each) => (each.calls.length > furthest.calls.length ? each : furthest));
  });

  const met = once('met', async (): Promise<Probed> => {
    const { calls, route } = await meeting();
    const { name, tier } = firstKey(options);
    return { caller: name, tier: tier ?? null, route, calls, sustainedFrom: null, stopped: null };
  });

  const key = once('key', async (): Promise<Probed> => {
    const first = await met();
    if (!first.calls.some(isRefused)) return first;
    return lookAt(prober, options, whoIs(firstKey(options)), first.route as RouteName, { further: true });
  });

  /** A key that is refused. Whether it is ever admitted, waiting tells. */
  const footing = once('footing', async (): Promise<Ground> => {
    const { calls, route, burst, restMs } = await meeting();
    if (!calls.some(isRefused)) throw new Inapplicable(noneMet(modelOfProbed(await met())));
    const main = firstKey(options);
    return { prober, options, who: whoIs(main), key: main, route, burst, restMs };
  });

  const ground = once('ground', async (): Promise<Ground> => {
    const on = await footing();
    if ((await met()).calls.every(isRefused))
      throw new Inconclusive('every call was refused, from the first to the last');
    if (on.restMs > prober.leftMs)
      throw new Inconclusive('what is left of the time does not suffice for a key to rest');
    return on;
  });

  const near = once('neighbours', async (): Promise<Neighbours> => {
    const on = await ground();
    const other = options.keys[1];
    const others: Other[] = [
      ...(other === undefined ? [] : [{ name: 'another key at the same address', who: whoIs(other) }]),
      ...(elsewhere === undefined ? [] : [{ name: 'the same key at another address', who: whoIs(on.key, elsewhere) }]),
      ...(other === undefined || elsewhere === undefined
        ? []
        : [{ name: 'another key at another address', who: whoIs(other, elsewhere) }]),
    ];
    return { rounds: await neighbours(on, others), seesApart: options.seesApart };
  });

  const withoutKey = once('without key', async (): Promise<Probed> => {
    const { route, burst } = await ground();
    const nobody: Who = { keys: [null], ...home };
    // Who has no limit here would be asked until the budget ends.
    const look = await lookAt(prober, options, nobody, route, { most: Math.ceil(20 * burst) + 500 });
    if (look.stopped === null || !look.calls.some(isRefused)) return look;
    await prober.sleep(restOf(modelOfProbed(look), look.calls) ?? settleMs);
    return lookAt(prober, options, nobody, route);
  });

  const address = once('address', async () =>
    findAddressLimit({ on: await ground(), near: await near(), withoutKey, modelOf: modelOfProbed }),
  );

  /** What other keys are compared with, also where the first one meets nothing. */
  const scale = async (): Promise<{ readonly route: RouteName; readonly burst: number; readonly restMs: number }> => {
    const { calls, route, burst, restMs } = await meeting();
    if (!calls.some(isRefused)) return { route, burst: Math.ceil(burst / 20), restMs: settleMs };
    return { route, burst, restMs: Number.isFinite(restMs) ? restMs : settleMs };
  };

  const addressGround = async (): Promise<Ground> => {
    const { who, burst, restMs } = await address();
    return { ...(await ground()), who, burst, restMs };
  };

  return {
    met,
    key,
    paces: once('paces', async () => paces(await ground())),
    between: once('between', async () => between(await ground())),
    sorts: once('sorts', async () => {
      const on = await scale();
      return options.withSorts((sorted) => sortsOf(prober, options, sorted, on));
    }),
    everyRoute: once('every route', async () => everyRoute(await ground())),
    forgedByKey: once('forged by key', async () => {
      const on = await ground();
      return evading(on, forgers(on));
    }),
    strangersReconnecting: once('strangers reconnecting', async () => {
      const { route } = await meeting();
      return strangersReconnecting(prober, options.random, { keys: [null], ...home }, route);
    }),
    strangersRefused: once('strangers refused', async () => {
      const { route } = await meeting();
      return strangersRefused(prober, { keys: [null], ...home }, route);
    }),
    crowd: once('crowd', async () => crowdAt(await ground())),
    found: async () => {
      const known = async <T>(name: string): Promise<T | undefined> =>
        (found.get(name) as Promise<T> | undefined)?.catch(() => undefined);
      const met = await known<{ evidence: AddressLimit }>('address');
      const parts = {
        key: await known<Probed>('key'),
        tiers: await known<readonly Probed[]>('tiers'),
        near: await known<Neighbours>('neighbours'),
        withoutKey: await known<Probed>('without key'),
        address: met?.evidence,
      };
      return foundLimits(parts);
    },
    otherRefusals: once('other refusals', async () => otherRefusals(prober, options, whoIs)),
    tiers: once('tiers', async () => {
      const first = await key();
      const look = async (each: Key): Promise<Probed> =>
        each === firstKey(options) ? first : lookAt(prober, options, whoIs(each), first.route as RouteName);
      // Keys that have limits of their own cannot disturb each other.
      const { rounds } = await near();
      if (cellOf(rounds, 'another key at the same address') === 'apart') return Promise.all(options.tierKeys.map(look));
      const probed: Probed[] = [];
      for (const each of options.tierKeys) probed.push(await look(each));
      return probed;
    }),
    neighbours: near,
    waits: once('waits', async (): Promise<Waits> => waiting(await footing(), options.trials)),
    hammering: once('hammering', async () => hammering(await ground(), modelOfProbed(await key()))),
    reconnecting: once('reconnecting', async () => reconnecting(await ground())),
    routes: once('routes', async () => routesRefused(await ground())),
    exhausting: async () => {
      const on = await ground();
      return {
        key: on.key,
        burst: on.burst,
        rest: () => prober.sleep(on.restMs),
        exhaust: async () => {
          await exhaust(on);
        },
      };
    },
    address: async (): Promise<AddressLimit> => (await address()).evidence,
    elsewhere: once('elsewhere', async (): Promise<Neighbours> => {
      const on = await addressGround();
      const rested = options.keys.find((each) => !on.who.keys.includes(each));
      if (elsewhere === undefined)
        throw new Inapplicable('there is one address to call from only; add limits: { addresses: […] }');
      if (rested === undefined) throw new Inapplicable('every key was needed to meet the limit of the address');
      const others = [{ name: 'a key at another address', who: whoIs(rested, elsewhere) }];
      return { rounds: await neighbours(on, others), seesApart: options.seesApart };
    }),
    addressWaits: once(
      'address waits',
      async (): Promise<Waits> => waiting(await addressGround(), Math.min(options.trials, 10)),
    ),
    withoutKey,
    forged: once('forged', async () => {
      const on = await addressGround();
      return evading(on, forgers(on));
    }),
  };
}

/** What is left for the rest of the survey after a limit was looked for. */
const metShare = 0.5;

function firstKey({ keys }: SurveyOptions): Key {
  const [first] = keys;
  if (first === undefined) throw new Inconclusive('there is no key');
  return first;
}
