/**
 * Everything that a run finds out about limits, each once, however many rules ask for it. What decides is elsewhere:
 * here are experiments, and they return exchanges.
 */
import { Inapplicable, Inconclusive } from '../../model/ask.ts';
import type { FoundLimit } from '../../model/limit-model.ts';
import type { LimitsAsk, Sorts, Waits } from '../../model/limits-ask.ts';
import type { Key } from '../../model/subject.ts';
import { cellOf } from '../model/cells.ts';
import { isShort } from '../model/crews.ts';
import { modelOfProbed } from '../model/probed.ts';
import { addressAsks } from './addresses.ts';
import { between, forging } from './asides.ts';
import { everyRoute } from './beside.ts';
import type { Place, Who } from './call.ts';
import { type At, type Crews, crewsOf, type Keep } from './crews.ts';
import { disguised } from './disguises.ts';
import { everybody } from './everybody.ts';
import { foundSoFar } from './found.ts';
import { firstKey, type Ground, groundsOf, type Known, type Once, type SurveyOptions } from './ground.ts';
import { hammering, otherRefusals, reconnecting, routesRefused, waiting } from './manners.ts';
import { nearOf } from './near.ts';
import { exhaustingBy } from './neighbours.ts';
import { numbersOf, unhurriedBy } from './numbers.ts';
import { pacesOfKeys } from './paces.ts';
import { Prober } from './prober.ts';
import { sortsOf } from './sorts.ts';
import { pacedAsStated } from './stated.ts';
import { allOver } from './throughout.ts';

export type Surveyed = LimitsAsk & {
  found(): Promise<FoundLimit[]>;
  /** What goes on beside ends. */
  end(): Promise<void>;
};

/** Of the calls that are left, where experiments go on side by side: each of them spends what it finds. */
const forNumbers = 0.12;
/** And where it fits models meanwhile. */
const forNumbersAhead = 0.2;

/** What an address takes in so many of its windows, and so many calls: enough for its stated pace and for the numbers of keys together. */
const windowsOfBoth = 30;
const callsOfBoth = 2000;

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
  /** To be called before anything else: what waits for it must not be among what it waits for. Crews do not disturb each other. */
  const quiet = async (): Promise<unknown> => {
    const before = [...found.values()];
    return (await crews()) ?? Promise.allSettled(before);
  };
  const [home] = options.places;
  const whoIs = (key: Key, place: Place = home): Who => ({ keys: [key], ...place });
  const { met, route, footing, ground, scale } = groundsOf(prober, options, once, whoIs);
  const { near, away, anywhere, beside, company, crossed } = nearOf(options, once, { prober, ground, whoIs });

  const { promise: over, resolve: end } = Promise.withResolvers<void>();
  const keep: Keep = (use) => once('keys of crews', () => use(over))();
  const crews = once('crews', async (): Promise<Crews | undefined> => {
    if (options.blocks.length === 0 || options.budget.quick) return undefined;
    try {
      const on = await ground();
      if (await isInHaste()) await asks.everybody().catch(() => {});
      const all = await crewsOf(on, near, keep);
      if (all !== undefined) void beginAll(all.has('numbers'));
      return all;
    } catch (error) {
      if (!(error instanceof Inconclusive) && !(error instanceof Inapplicable)) throw error;
      return undefined;
    }
  });
  const isInHaste = once('haste', async () => isShort((await ground()).restMs, prober.leftMs));
  /** By a crew, or else by the first key. */
  const at: At = async (name, use) => {
    const crew = (await crews())?.get(name);
    return crew === undefined ? use(await ground()) : crew.take(use);
  };

  const { promise: done, resolve: finish } = Promise.withResolvers<void>();
  const unhurried = unhurriedBy({ once, crews, others: done });
  const numbers = numbersOf({ options, prober, once, crews, at, met, near, anywhere, whoIs, unhurried });
  const { key } = numbers;

  /** Keys that call from everywhere leave the first address to callers without one. */
  const strangersBeside = async (): Promise<void> => {
    const { rounds } = await near();
    const follows = cellOf(rounds, 'the same key at another address') === 'together';
    if (follows && away.length > 0 && found.has('strangers')) await ofAddresses.withoutKeyModel();
  };

  /** While the first address waits, keys are looked at elsewhere, if nothing that happens there reaches them. */
  const keysMeanwhile = async (): Promise<void> => {
    if (!options.wantsNumbers || (await crews()) !== undefined) return;
    const { by } = await ofAddresses.address();
    const { rounds } = await ofAddresses.elsewhere();
    const isAlone = by === 'no key' && cellOf(rounds, 'a key at another address') === 'apart';
    const { spread } = isAlone ? await anywhere(firstKey(options)) : {};
    if (spread !== undefined) await key();
  };

  const { promise: allDone, resolve: settle } = Promise.withResolvers<void>();
  /** By the first key, once nobody else calls: who forgets a crowd, or sheds whoever is not the loudest, shows only then. */
  const inCalm = async <T>(use: (on: Ground) => Promise<T>): Promise<T> => {
    if ((await crews()) !== undefined) await allDone;
    return at('home', use);
  };

  const stand = { options, prober, once, known, quiet, ground, near, route, crews, at, inCalm, whoIs, unhurried };
  const { strangersAhead, ...ofAddresses } = addressAsks({ ...stand, meanwhile: keysMeanwhile });

  /** What rules will ask for, in the order of each crew. */
  const beginAll = async (isAhead: boolean): Promise<void> => {
    const ahead = [
      [asks.everybody, asks.sorts],
      [asks.waits],
      [asks.paces, asks.asStated, asks.pacesOfRuns, asks.pacesOfReads, asks.pacesOfNew],
      [asks.reconnecting, asks.everyRoute, asks.disguised, asks.forgedByKey, asks.refusedRuns],
      [asks.address, asks.addressWaits, asks.addressPaces, asks.forged, asks.guessing],
      [asks.keyWaits, asks.everyRouteAt, asks.betweenAt, asks.disguisedAt, asks.strangersReconnecting],
      isAhead ? [numbers.ahead, strangersAhead, asks.addressAsStated] : [],
    ].flat();
    if (options.wantsNumbers) prober.reserve((isAhead ? forNumbersAhead : forNumbers) * prober.leftRequests);
    await Promise.allSettled(ahead.map((begin) => begin()));
    if (isAhead) prober.reserve(undefined);
    settle();
    for (const begin of [asks.crossed, asks.elsewhere, asks.between]) await begin().catch(() => {});
    finish();
    prober.reserve(undefined);
    const isRoomForBoth = prober.leftRequests >= windowsOfBoth * (options.addressLimit?.requests ?? 0) + callsOfBoth;
    const paced = asks.addressAsStated().catch(() => {});
    if (!isRoomForBoth) await paced;
    if (options.wantsNumbers) await asks.key().catch(() => {});
    await paced;
    if (options.wantsNumbers) await asks.withoutKeyModel().catch(() => {});
    if (isAhead) await asks.hammering().catch(() => {});
  };

  const asks: Surveyed = {
    met,
    ...ofAddresses,
    key: async () => {
      if ((await crews()) === undefined) void strangersBeside().catch(() => {});
      return key();
    },
    ...pacesOfKeys(once, at),
    between: once('between', () => inCalm(between)),
    sorts: once('sorts', async () => {
      const on = await scale();
      const home = (await crews())?.get('home');
      const look = (own: SurveyOptions, by: Prober): Promise<Sorts> =>
        own.withSorts(by.spend, (sorted) => sortsOf(by, own, sorted, on, near));
      return home === undefined ? look(options, prober) : home.take((ours) => look(ours.options, ours.prober));
    }),
    everybody: once('everybody', async () => ((await isInHaste()) ? everybody(await ground()) : at('home', everybody))),
    asStated: once('as stated', async () => {
      const known = await near();
      return at('paces', (on) => pacedAsStated(on, known));
    }),
    everyRoute: once('every route', () => at('routes', everyRoute)),
    forgedByKey: once('forged by key', () => at('routes', (on) => forging(on))),
    disguised: once('disguised', () => at('routes', async (on) => disguised(on, await beside(on)))),
    found: async () => foundSoFar(known),
    ...allOver(prober, options, known),
    end: async () => {
      prober.end();
      end();
      await Promise.allSettled(found.values());
    },
    otherRefusals: once('other refusals', async () => otherRefusals(prober, options)),
    tiers: numbers.tiers,
    neighbours: near,
    crossed: once('crossed', () => inCalm(crossed)),
    waits: once('waits', async (): Promise<Waits> => {
      const wait = async (on: Ground): Promise<Waits> => waiting(on, options.trials, await company(on));
      return (await crews()) === undefined ? wait(await footing()) : at('waits', wait);
    }),
    hammering: once('hammering', async () => {
      const model = modelOfProbed(await key());
      return at('waits', (on) => hammering(on, model));
    }),
    reconnecting: once('reconnecting', () => at('routes', reconnecting)),
    routes: once('routes', () => at('routes', routesRefused)),
    refusedRuns: once('refused runs', () =>
      at('routes', (on) =>
        options.refusedRuns(exhaustingBy(on, on.options === options ? undefined : on.options.places[0].from)),
      ),
    ),
  };

  return asks;
}
