/**
 * Everything that a run finds out about limits, each once, however many rules ask for it. What decides is elsewhere:
 * here are experiments, and they return exchanges.
 */
import { Inapplicable, Inconclusive } from '../../model/ask.ts';
import type { FoundLimit } from '../../model/limit-model.ts';
import type { AddressLimit, LimitsAsk, Neighbours, Probed, Round, Waits } from '../../model/limits-ask.ts';
import type { Key } from '../../model/subject.ts';
import { cellOf } from '../model/cells.ts';
import { isRefused } from '../model/decision.ts';
import { modelOfProbed, noneMet } from '../model/probed.ts';
import { crowdAt, findAddressLimit, ownPart } from './address-limit.ts';
import { between, forging, furtherForgeries } from './asides.ts';
import { atAddress, type ExhaustingAddress } from './at-address.ts';
import { everyRoute } from './beside.ts';
import { disguised } from './disguises.ts';
import { everybody } from './everybody.ts';
import { foundSoFar } from './found.ts';
import { firstKey, type Ground, groundsOf, type Known, type Once, type Spend, type SurveyOptions } from './ground.ts';
import { lookAt } from './look.ts';
import { hammering, otherRefusals, reconnecting, routesRefused, waiting } from './manners.ts';
import { elsewhereOf, nearOf } from './near.ts';
import { exhaust, neighbours } from './neighbours.ts';
import { paces, pacesOfKeys } from './paces.ts';
import { type Place, Prober, type RouteName, type Who } from './prober.ts';
import { type Met, meet } from './rested.ts';
import { sortsOf } from './sorts.ts';
import { pacedAsStated } from './stated.ts';
import { addressAsStated } from './stated-address.ts';
import { guessing, lettingInAlways, type OnConnections, strangersReconnecting, strangersRefused } from './strangers.ts';
import { allOver } from './throughout.ts';

/** Refused runs need sources, which the engine has. */
export type Surveyed = Omit<LimitsAsk, 'refusedRuns' | 'refusedRunsAt'> & {
  exhaustingAddress(): Promise<ExhaustingAddress>;
  exhausting(): Promise<Exhausting>;
  found(): Promise<FoundLimit[]>;
  /** What goes on beside ends. */
  end(): Promise<void>;
};

/** A key whose limit is known, and the ways to be refused by it and to be admitted again. */
export interface Exhausting {
  readonly key: Key;
  readonly burst: number;
  readonly spend: Spend;
  rest(): Promise<void>;
  exhaust(): Promise<void>;
}

export function survey(options: SurveyOptions): Surveyed {
  const prober = new Prober(options.wire, options.budget);
  const found = new Map<string, Promise<unknown>>();
  const once: Once = <T>(name: string, find: () => Promise<T>) => {
    return () => {
      const known = (found.get(name) as Promise<T> | undefined) ?? find();
      found.set(name, known);
      return known;
    };
  };
  const known: Known = async <T>(name: string) => (found.get(name) as Promise<T> | undefined)?.catch(() => undefined);
  /** To be asked for before anything else: what waits for it must not be among what it waits for. */
  const quiet = async (): Promise<unknown> => Promise.allSettled([...found.values()]);
  const [home] = options.places;
  const nobody: Who = { keys: [null], ...home };
  const elsewhere = elsewhereOf(options);
  const whoIs = (key: Key, place: Place = home): Who => ({ keys: [key], ...place });
  const { met, route, footing, ground, scale } = groundsOf(prober, options, once, whoIs);
  const { near, away, anywhere, beside, company, crossed } = nearOf(options, once, { prober, ground, footing, whoIs });

  const key = once('key', async (): Promise<Probed> => {
    const first = await met();
    if (!first.calls.some(isRefused) || options.budget.quick) return first;
    // The others are looked at meanwhile.
    void tiersBeside().catch(() => {});
    return lookAt(prober, options, await anywhere(firstKey(options)), first.route as RouteName, { further: true });
  });

  /** Keys that call from everywhere leave the first address to callers without one. */
  const strangersBeside = async (): Promise<void> => {
    const { rounds } = await near();
    const follows = cellOf(rounds, 'the same key at another address') === 'together';
    if (follows && away.length > 0 && found.has('strangers')) await strangersModel();
  };

  /** While the first address waits, keys are looked at elsewhere, if nothing that happens there reaches them. */
  const keysMeanwhile = async (): Promise<void> => {
    if (!options.wantsNumbers) return;
    const { evidence } = await address();
    const { rounds } = await elsewhereThen();
    const isAlone = evidence.by === 'no key' && cellOf(rounds, 'a key at another address') === 'apart';
    const { spread } = isAlone ? await anywhere(firstKey(options)) : {};
    if (spread !== undefined) await key();
  };

  /** Keys that have limits of their own cannot disturb each other. */
  const tiersBeside = once('tiers beside', async (): Promise<readonly Probed[]> => {
    const { rounds } = await near();
    const { route: asked } = await met();
    const others = options.tierKeys.filter((each) => each !== firstKey(options));
    if (cellOf(rounds, 'another key at the same address') !== 'apart') return [];
    return Promise.all(others.map(async (each) => lookAt(prober, options, await anywhere(each), asked as RouteName)));
  });

  const strangers = once('strangers', async (): Promise<Met> => {
    const { route: asked, burst } = await ground();
    // A caller without a limit would call until the budget ends.
    const most = Math.min(Math.ceil(20 * burst) + 500, prober.leftRequests / 4);
    return meet(prober, nobody, asked, most, options.addressLimit?.perMs);
  });

  const onConnections = once('strangers reconnecting', async () => {
    const met = await known<Met>('strangers');
    const letIn = met?.calls.findLast((each) => !isRefused(each));
    return strangersReconnecting(prober, options.random, nobody, await route(), letIn);
  });

  const withoutKey = once('without key', async (): Promise<Probed> => {
    const { calls } = await strangers();
    return { caller: 'no key', tier: null, route: await route(), calls, sustainedFrom: null, stopped: null };
  });

  /** Its kind and numbers are nobody's promise: they come last. */
  const strangersModel = once('model without key', async (): Promise<Probed> => {
    const first = await withoutKey();
    if (!first.calls.some(isRefused) || options.budget.quick) return first;
    return lookAt(prober, options, nobody, await route());
  });

  const address = once('address', async () => findAddressLimit({ on: await ground(), near: await near(), strangers }));

  const addressGround = async (): Promise<Ground> => {
    const { who, burst, restMs } = await address();
    return { ...(await ground()), who, burst, restMs };
  };

  const strangersElsewhere = async (place: Place): Promise<Round[]> =>
    neighbours(await strangersGround(), [
      { name: 'a caller without a key at another address', who: { keys: [null], ...place } },
    ]);

  const elsewhereThen = once('elsewhere', async (): Promise<Neighbours> => {
    const on = await addressGround();
    const rested = options.keys.find((each) => !on.who.keys.includes(each));
    if (elsewhere === undefined)
      throw new Inapplicable('there is only one client address; add limits: { addresses: […] }');
    if (rested === undefined) throw new Inapplicable('every key was needed to meet the limit of the address');
    const others = [{ name: 'a key at another address', who: whoIs(rested, elsewhere) }];
    // Callers without a key may share one account. They call from the address that is most like the first.
    const strangersRounds = await strangersElsewhere(options.places[1] ?? elsewhere).catch(() => []);
    return { rounds: [...(await neighbours(on, others)), ...strangersRounds], seesApart: options.seesApart };
  });

  /** Callers without a key, where they meet a limit. */
  const strangersGround = async (): Promise<Ground> => {
    const { calls, burst, restMs } = await strangers();
    if (!calls.some(isRefused)) throw new Inapplicable(noneMet(modelOfProbed(await withoutKey())));
    return { ...(await ground()), who: nobody, burst, restMs };
  };

  return {
    met,
    key: async () => {
      void strangersBeside().catch(() => {});
      return key();
    },
    ...pacesOfKeys(once, ground),
    between: once('between', async () => between(await ground())),
    sorts: once('sorts', async () => {
      const on = await scale();
      return options.withSorts(prober.spend, (sorted) => sortsOf(prober, options, sorted, on, near));
    }),
    everybody: once('everybody', async () => everybody(await ground())),
    asStated: once('as stated', async () => pacedAsStated(await ground(), await near())),
    addressAsStated: once('address as stated', async () => {
      await quiet();
      return addressAsStated(await ground(), await address());
    }),
    everyRoute: once('every route', async () => everyRoute(await ground())),
    forgedByKey: once('forged by key', async () => forging(await ground())),
    disguised: once('disguised', async () => disguised(await ground(), await beside())),
    strangersReconnecting: async () => (await onConnections()).rounds,
    strangersRefused: once('strangers refused', async () => {
      const before = await known<OnConnections>('strangers reconnecting');
      return (before && lettingInAlways(before)) ?? strangersRefused(prober, nobody, await route());
    }),
    crowd: once('crowd', async () => crowdAt(await ground())),
    found: async () => foundSoFar(known),
    ...allOver(prober, options, known),
    end: async () => {
      prober.end();
      await Promise.allSettled(found.values());
    },
    otherRefusals: once('other refusals', async () => otherRefusals(prober, options)),
    tiers: once('tiers', async () => {
      const first = await key();
      if (options.budget.quick)
        throw new Inconclusive('--quick fits no models, so the limits of plans are not compared');
      const beside = await tiersBeside();
      const probed: Probed[] = [];
      for (const each of options.tierKeys) {
        const known = each === firstKey(options) ? first : beside.find(({ caller }) => caller === each.name);
        probed.push(known ?? (await lookAt(prober, options, whoIs(each), first.route as RouteName)));
      }
      return probed;
    }),
    neighbours: near,
    crossed,
    waits: once('waits', async (): Promise<Waits> => waiting(await footing(), options.trials, await company())),
    hammering: once('hammering', async () => hammering(await ground(), modelOfProbed(await key()))),
    reconnecting: once('reconnecting', async () => reconnecting(await ground())),
    routes: once('routes', async () => routesRefused(await ground())),
    exhausting: async () => {
      const on = await ground();
      return {
        key: on.key,
        burst: on.burst,
        spend: prober.spend,
        rest: () => prober.sleep(on.restMs),
        exhaust: async () => {
          await exhaust(on);
        },
      };
    },
    addressPaces: once('address paces', async () => paces(await strangersGround(), false)),
    ...atAddress({ quiet, strangersGround, once, options, prober }),
    guessing: once('guessing', async () => guessing(await strangersGround())),
    address: async (): Promise<AddressLimit> => (await address()).evidence,
    elsewhere: elsewhereThen,
    addressWaits: once('address waits', async (): Promise<Waits> => {
      const on = await addressGround();
      const { burst } = await ground();
      if (on.burst > ownPart * burst * on.who.keys.length && (await address()).evidence.by === 'many keys')
        throw new Inapplicable('the keys of the profile reach their own limits before that of their address; add keys');
      void keysMeanwhile().catch(() => {});
      // Each takes as many calls as the address has.
      return waiting(on, Math.min(options.trials, Math.max(4, Math.min(10, Math.floor(600 / on.burst)))));
    }),
    withoutKey,
    withoutKeyModel: strangersModel,
    forged: once('forged', async () => forging(await addressGround(), furtherForgeries)),
  };
}
