/**
 * Everything that a run finds out about limits, each once, however many rules ask for it. What decides is elsewhere:
 * here are experiments, and they return exchanges.
 */
import { Inapplicable, Inconclusive } from '../../model/ask.ts';
import type { FoundLimit, LimitModel } from '../../model/limit-model.ts';
import type { AddressLimit, LimitsAsk, Neighbours, Probed, SeesApart, Waits } from '../../model/limits-ask.ts';
import type { Key } from '../../model/subject.ts';
import { cellOf } from '../model/cells.ts';
import { isRefused, restOf } from '../model/decision.ts';
import { modelOfProbed, noneMet } from '../model/probed.ts';
import { findAddressLimit } from './address-limit.ts';
import { foundLimits } from './found.ts';
import { lookAt, settleMs } from './look.ts';
import { hammering, otherRefusals, reconnecting, routesRefused, waiting } from './manners.ts';
import { exhaust, neighbours, type Other } from './neighbours.ts';
import { type Place, Prober, type RouteName, type Spending, type Who, type Wire } from './prober.ts';

export interface SurveyOptions {
  readonly wire: Wire;
  /** The one that is looked at first, then others. */
  readonly keys: readonly Key[];
  /** Keys of different tiers, the lowest first. */
  readonly tierKeys: readonly Key[];
  /** The first is called from unless another is needed. */
  readonly places: readonly [Place, ...Place[]];
  readonly seesApart: SeesApart;
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
  readonly model: LimitModel;
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

  const key = once('key', async (): Promise<Probed> => {
    const looked: Probed[] = [];
    for (const route of options.routes) {
      const probed = await lookAt(prober, options, whoIs(firstKey(options)), route, { further: true });
      if (probed.calls.some(isRefused) || prober.isDistressed) return probed;
      looked.push(probed);
    }
    // Nothing was met: the look that went furthest says most.
    return looked.reduce((most, each) => (each.calls.length > most.calls.length ? each : most));
  });

  /** A key that is refused. Whether it is ever admitted, waiting tells. */
  const footing = once('footing', async (): Promise<Ground> => {
    const probed = await key();
    const model = modelOfProbed(probed);
    if (model.kind === 'none met') throw new Inapplicable(noneMet(model));
    const restMs = restOf(model, probed.calls) ?? Number.POSITIVE_INFINITY;
    const burst = Math.max(1, model.burst?.high ?? model.atLeast?.calls ?? 1);
    const main = firstKey(options);
    return { prober, options, who: whoIs(main), key: main, route: probed.route as RouteName, model, burst, restMs };
  });

  const ground = once('ground', async (): Promise<Ground> => {
    const on = await footing();
    if (on.model.admitted === 0) throw new Inconclusive('every call was refused, from the first to the last');
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

  const addressGround = async (): Promise<Ground> => {
    const { who, burst, model, restMs } = await address();
    const on = await ground();
    return { ...on, who, burst, model, restMs };
  };

  return {
    key,
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
    hammering: once('hammering', async () => hammering(await ground())),
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
        throw new Inapplicable('there is only one client address; add limits: { addresses: […] }');
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
      const trusted = options.trustedHeader?.toLowerCase();
      const others = forgeries
        .filter(([name]) => name.toLowerCase() !== trusted)
        .map((header) => ({
          name: `with ${header[0]}: ${header[1]}`,
          who: { ...on.who, headers: [...(on.who.headers ?? []), header] },
        }));
      return neighbours(on, others);
    }),
  };
}

/** Documentation addresses: nobody's. */
const forgeries: readonly (readonly [string, string])[] = [
  ['X-Forwarded-For', '203.0.113.77'],
  ['X-Real-IP', '203.0.113.78'],
  ['Forwarded', 'for=203.0.113.79'],
];

function firstKey({ keys }: SurveyOptions): Key {
  const [first] = keys;
  if (first === undefined) throw new Inconclusive('there is no key');
  return first;
}
