/** What callers without a key, and keys together, meet at an address: each found once, however many rules ask for it. */
import { Inapplicable } from '../../model/ask.ts';
import type { AddressLimit, LimitsAsk, Neighbours, Probed, Round, Waits } from '../../model/limits-ask.ts';
import type { Key } from '../../model/subject.ts';
import { isRefused } from '../model/decision.ts';
import { modelOfProbed, noneMet } from '../model/probed.ts';
import { type AddressFound, crowdAt, findAddressLimit, ownPart } from './address-limit.ts';
import { forging, furtherForgeries } from './asides.ts';
import { atAddress } from './at-address.ts';
import type { Place, RouteName, Who } from './call.ts';
import type { At, Crews } from './crews.ts';
import type { Ground, Known, Once, SurveyOptions } from './ground.ts';
import { lookAt } from './look.ts';
import { waiting } from './manners.ts';
import { elsewhereOf } from './near.ts';
import { neighbours } from './neighbours.ts';
import type { Unhurried } from './numbers.ts';
import { paces } from './paces.ts';
import type { Prober } from './prober.ts';
import { type Met, meet } from './rested.ts';
import { addressAsStated } from './stated-address.ts';
import { guessing, lettingInAlways, type OnConnections, strangersReconnecting, strangersRefused } from './strangers.ts';

interface Standing {
  readonly options: SurveyOptions;
  readonly prober: Prober;
  readonly once: Once;
  readonly known: Known;
  /** Nothing goes on beside that would be taken for what is met at an address. To be called before anything else. */
  readonly quiet: () => Promise<unknown>;
  readonly ground: () => Promise<Ground>;
  readonly near: () => Promise<Neighbours>;
  readonly route: () => Promise<RouteName>;
  readonly crews: () => Promise<Crews | undefined>;
  readonly at: At;
  /** Once nobody else calls. */
  readonly inCalm: <T>(use: () => Promise<T>) => Promise<T>;
  readonly whoIs: (key: Key, place?: Place) => Who;
  readonly unhurried: Unhurried;
  /** What may go on while the first address waits. */
  readonly meanwhile: () => Promise<void>;
}

type OfAddresses =
  | 'addressAsStated'
  | 'strangersReconnecting'
  | 'strangersRefused'
  | 'crowd'
  | 'addressPaces'
  | 'guessing'
  | 'address'
  | 'elsewhere'
  | 'addressWaits'
  | 'withoutKey'
  | 'withoutKeyModel'
  | 'forged'
  | 'keyWaits'
  | 'callersAt'
  | 'betweenAt'
  | 'everyRouteAt'
  | 'disguisedAt'
  | 'refusedRunsAt';

/** `strangersAhead`: their model, as far as it comes while others experiment. */
type AddressAsks = Pick<LimitsAsk, OfAddresses> & { readonly strangersAhead: () => Promise<Probed> };

export function addressAsks(standing: Standing): AddressAsks {
  const { options, prober, once, known, quiet, ground, near, route, crews, at, inCalm, whoIs, unhurried, meanwhile } =
    standing;
  const nobodyAt = ({ places: [first] }: SurveyOptions): Who => ({ keys: [null], ...first });
  /** Who looks at addresses; the first key, where there are no crews. */
  const atFirst = async (): Promise<Ground> => (await crews())?.get('address')?.on ?? ground();

  const strangers = once(
    'strangers',
    async (): Promise<Met> =>
      at('address', ({ prober: own, options: ours, route: asked, burst }) => {
        // A caller without a limit would call until the budget ends.
        const most = Math.min(Math.ceil(20 * burst) + 500, own.leftRequests / 4);
        return meet(own, nobodyAt(ours), asked, most, options.addressLimit?.perMs);
      }),
  );

  /** Of callers without a key, who need no key to be refused first. */
  const byNobody = async <T>(use: (own: Prober, who: Who, asked: RouteName) => Promise<T>): Promise<T> => {
    const asked = await route();
    const crew = (await crews())?.get('address');
    if (crew === undefined) return use(prober, nobodyAt(options), asked);
    return crew.take((on) => use(on.prober, nobodyAt(on.options), asked));
  };

  const onConnections = once('strangers reconnecting', async () => {
    const met = await known<Met>('strangers');
    const letIn = met?.calls.findLast((each) => !isRefused(each));
    return byNobody((own, nobody, asked) => strangersReconnecting(own, options.random, nobody, asked, letIn));
  });

  const withoutKey = once('without key', async (): Promise<Probed> => {
    const { calls } = await strangers();
    return { caller: 'no key', tier: null, route: await route(), calls, sustainedFrom: null, stopped: null };
  });

  /** Its kind and numbers are nobody's promise: they come last. */
  const strangersModel = unhurried.of('model without key', async (): Promise<Probed> => {
    const first = await withoutKey();
    if (!first.calls.some(isRefused) || options.budget.quick) return first;
    const crew = (await crews())?.get('numbers');
    if (crew === undefined) return byNobody((own, nobody, asked) => lookAt(own, options, nobody, asked));
    // From where none of its keys calls.
    const asked = await route();
    return crew.take((on) => lookAt(on.prober, options, { keys: [null], ...on.options.places.at(-1)! }, asked));
  });

  const address = once('address', async (): Promise<AddressFound> => {
    const known = await near();
    if ((await crews()) === undefined) return findAddressLimit({ on: await ground(), near: known, strangers });
    const met = await strangers();
    return at('address', (on) => findAddressLimit({ on, near: known, strangers: async () => met }));
  });

  const addressGround = async (): Promise<Ground> => {
    const { who, burst, restMs } = await address();
    return { ...(await atFirst()), who, burst, restMs };
  };

  const strangersElsewhere = async (place: Place): Promise<Round[]> =>
    neighbours(await strangersGround(), [
      { name: 'a caller without a key at another address', who: { keys: [null], ...place } },
    ]);

  const elsewhereThen = once('elsewhere', async (): Promise<Neighbours> => {
    const on = await addressGround();
    const elsewhere = elsewhereOf(on.options);
    const rested = on.options.keys.find((each) => !on.who.keys.includes(each));
    if (elsewhere === undefined)
      throw new Inapplicable('there is only one client address; add limits: { addresses: […] }');
    if (rested === undefined) throw new Inapplicable('every key was needed to meet the limit of the address');
    const others = [{ name: 'a key at another address', who: whoIs(rested, elsewhere) }];
    return inCalm(async () => {
      // Callers without a key may share one account. They call from the address that is most like the first.
      const strangersRounds = await strangersElsewhere(on.options.places[1] ?? elsewhere).catch(() => []);
      return { rounds: [...(await neighbours(on, others)), ...strangersRounds], seesApart: options.seesApart };
    });
  });

  /** Callers without a key, where they meet a limit. */
  const strangersGround = async (): Promise<Ground> => {
    const { calls, burst, restMs } = await strangers();
    if (!calls.some(isRefused)) throw new Inapplicable(noneMet(modelOfProbed(await withoutKey())));
    const on = await atFirst();
    return { ...on, who: nobodyAt(on.options), burst, restMs };
  };

  const atStrangers = async <T>(use: (on: Ground) => Promise<T>): Promise<T> => {
    const on = await strangersGround();
    return at('address', () => use(on));
  };

  const there = async <T>(use: (on: Ground) => Promise<T>): Promise<T> => {
    await quiet();
    return atStrangers(use);
  };

  const thereAlone = async <T>(use: (on: Ground) => Promise<T>): Promise<T> => {
    await quiet();
    const alone = (): Promise<T> => atStrangers(use);
    return (await crews()) === undefined ? alone() : at('home', alone);
  };

  return {
    addressAsStated: once('address as stated', async () => {
      await quiet();
      const met = await address();
      const isAhead = (await crews())?.has('numbers');
      return at(isAhead ? 'waits' : 'address', (on) => addressAsStated(on, met));
    }),
    strangersReconnecting: async () => (await onConnections()).rounds,
    strangersRefused: once('strangers refused', async () => {
      const before = await known<OnConnections>('strangers reconnecting');
      return (
        (before && lettingInAlways(before)) ?? byNobody((own, nobody, asked) => strangersRefused(own, nobody, asked))
      );
    }),
    crowd: once('crowd', () => at('address', crowdAt)),
    addressPaces: once('address paces', () => atStrangers((on) => paces(on, false))),
    ...atAddress({ there, thereAlone, once, keys: options.keys }),
    guessing: once('guessing', () => atStrangers(guessing)),
    address: async (): Promise<AddressLimit> => (await address()).evidence,
    elsewhere: elsewhereThen,
    addressWaits: once('address waits', async (): Promise<Waits> => {
      const on = await addressGround();
      const { burst } = await ground();
      if (on.burst > ownPart * burst * on.who.keys.length && (await address()).evidence.by === 'many keys')
        throw new Inapplicable('the keys of the profile reach their own limits before that of their address; add keys');
      void meanwhile().catch(() => {});
      // Each takes as many calls as the address has.
      const trials = Math.min(options.trials, Math.max(4, Math.min(10, Math.floor(600 / on.burst))));
      return at('address', () => waiting(on, trials));
    }),
    withoutKey,
    withoutKeyModel: strangersModel.whole,
    strangersAhead: strangersModel.ahead,
    forged: once('forged', async () => {
      const on = await addressGround();
      return at('address', () => forging(on, furtherForgeries));
    }),
  };
}
