/**
 * Experiments side by side: each crew has keys that were made for it, and addresses of its own, so that nothing that one asks is met by
 * another. Only where keys are known to have limits of their own, and the made ones the same as the first; otherwise one experiment follows
 * the other.
 */
import { Inapplicable, Inconclusive } from '../../model/ask.ts';
import type { Exchange } from '../../model/exchange.ts';
import type { Neighbours } from '../../model/limits-ask.ts';
import type { Key } from '../../model/subject.ts';
import { cellOf } from '../model/cells.ts';
import { crewNames, isAmple, isWorthCrews, mostOfBurst } from '../model/crews.ts';
import { admittedIn, isRefused } from '../model/decision.ts';
import type { Place } from './call.ts';
import type { Ground, KeyWanted, SurveyOptions } from './ground.ts';
import { untilRefused } from './rested.ts';

/** `home` has the keys of the profile. */
export type CrewName = 'home' | (typeof crewNames)[number];

export class Crew {
  readonly on: Ground;
  #last: Promise<unknown> = Promise.resolve();

  constructor(on: Ground) {
    this.on = on;
  }

  /** One experiment at a time, in the order in which they were asked for. */
  take<T>(use: (on: Ground) => Promise<T>): Promise<T> {
    const turn = this.#last.then(() => use(this.on));
    this.#last = turn.catch(() => {});
    return turn;
  }
}

/** What one crew does, or else whoever is there. */
export type At = <T>(name: CrewName, use: (on: Ground) => Promise<T>) => Promise<T>;

export type Crews = ReadonlyMap<CrewName, Crew>;

/** How many keys of the first one's plan a crew has: one is looked at, the others call beside it, or together with it at an address. */
const ofFirst = 3;
const ofAddress = 4;
/** Of a plan's limit, at least, that a made key was seen to have. */
const least = 0.8;
/** A first burst may lie across the end of a window. */
const looks = 2;
/** Beyond what a rested key has, so that it is refused. */
const few = 3;

/** Waits are told to keys of every plan, paces are stated for each, and an address counts them all. */
function wantedFor(name: CrewName, { key, options }: Ground): readonly KeyWanted[] {
  const own: KeyWanted = key.tier === undefined ? {} : { tier: key.tier };
  const plans = options.tierKeys.flatMap(({ tier }) => (tier === undefined || tier === key.tier ? [] : [{ tier }]));
  const count = name === 'address' ? ofAddress : name === 'numbers' ? 1 : ofFirst;
  return [
    ...Array.from({ length: count }, () => own),
    ...(name === 'routes' ? [] : plans),
    ...(name === 'waits' && options.makesTestKeys ? [{ ...own, environment: 'test' as const }] : []),
  ];
}

const isOwn = ({ rounds }: Neighbours): boolean =>
  cellOf(rounds, 'another key at the same address') === 'apart' &&
  cellOf(rounds, 'the same key at another address') === 'together';

/** The last address is left to whoever is compared with a key that calls from everywhere. */
function placesOf(block: readonly Place[]): Pick<SurveyOptions, 'places' | 'spread'> {
  const [first, ...others] = block;
  return { spread: [first!, ...others.slice(0, -1)], places: [first!, ...others] };
}

/** Keeps the keys of crews until the survey ends. */
export type Keep = (use: (over: Promise<void>) => Promise<void>) => Promise<void>;

/** Undefined: nothing can be asked side by side. */
export async function crewsOf(on: Ground, near: () => Promise<Neighbours>, keep: Keep): Promise<Crews | undefined> {
  const { prober, options } = on;
  const { blocks, tierOrder } = options;
  if (options.budget.quick || blocks.length <= crewNames.length) return undefined;
  const isWorth = (ofAddress: number): boolean =>
    isWorthCrews(on.burst, ofAddress, on.restMs, {
      maxRequests: prober.leftRequests,
      maxSeconds: prober.leftMs / 1000,
    });
  if (!isWorth(0)) return undefined;
  if (!isOwn(await near()) || options.seesApart === 'unknown') return undefined;
  const ofAddress = await addressAlone(on);
  if (ofAddress === undefined || !isWorth(ofAddress)) return undefined;
  const fits = options.wantsNumbers && isAmple(on.burst, ofAddress, prober.leftRequests);
  const names = crewNames.filter((name) => name !== 'numbers' || fits);
  const wanted = names.map((name) => wantedFor(name, on));
  const { promise: unneeded, resolve: release } = Promise.withResolvers<void>();
  const keys = await keysFor(on, wanted.flat(), (use) => keep((over) => use(Promise.race([over, unneeded]))));
  if (keys.length < wanted.flat().length) return undefined;
  const groundOf = (name: CrewName, block: readonly Place[], own: readonly Key[]): Ground => {
    const spread = placesOf(block);
    const plans = tierOrder.flatMap((tier) => own.find((key) => key.tier === tier) ?? []);
    return {
      ...on,
      prober: prober.beside(name === 'numbers'),
      options: { ...options, ...spread, keys: own, tierKeys: plans },
      key: own[0]!,
      who: { keys: own.slice(0, 1), spread: spread.spread },
    };
  };
  let next = 0;
  const crews = names.map((name, at): [CrewName, Crew] => {
    const own = keys.slice(next, next + wanted[at]!.length);
    next += own.length;
    return [name, new Crew(groundOf(name, blocks[at + 1]!, own))];
  });
  const home = {
    ...groundOf('home', blocks[0]!, options.keys),
    options: { ...options, ...placesOf(blocks[0]!) },
  };
  const all = new Map<CrewName, Crew>([['home', new Crew(home)], ...crews]);
  if (await areAlike(crews.map(([, crew]) => crew.on))) return all;
  release();
  return undefined;
}

function keysFor({ prober, options }: Ground, wanted: readonly KeyWanted[], keep: Keep): Promise<readonly Key[]> {
  return new Promise((resolve, reject) => {
    keep((over) =>
      options.withPlans(prober.spend, wanted, async (keys) => {
        resolve(keys);
        if (keys.length === wanted.length) await over;
      }),
    ).catch(reject);
  });
}

/** A caller without a key may be looked for so long, in bursts of the key and of the calls that are left. */
const bursts = 20;
const callsShare = 0.06;
const several = 3;

/**
 * How much an address has, 0 where nobody is refused. Undefined where whoever is refused at one address is refused at others too: then
 * crews would disturb each other, however many addresses they have.
 */
async function addressAlone({ prober, options: { blocks }, route, burst }: Ground): Promise<number | undefined> {
  const [there, elsewhere] = [blocks.at(-1)?.at(-2), blocks[0]?.at(-2)];
  const by = prober.beside();
  const wanted = Math.min(bursts * burst, callsShare * prober.leftRequests);
  const calls = await untilRefused(by, { keys: [null], ...there }, route, wanted);
  if (!calls.some(isRefused)) return 0;
  const others = by.of(await by.probe({ keys: [null], ...elsewhere }, route).askMany(several));
  return others.some(isRefused) ? undefined : calls.filter((each) => !isRefused(each)).length;
}

/** All exhausted at once: each has as much as the first key, so none shares its account with another. */
async function areAlike(grounds: readonly Ground[]): Promise<boolean> {
  try {
    for (let look = 0; look < looks; look += 1) {
      await grounds[0]!.prober.sleep(grounds[0]!.restMs);
      const asked = await Promise.all(grounds.map(aBurst));
      if (asked.every((calls, at) => isAsMuch(calls, grounds[at]!.burst))) {
        await grounds[0]!.prober.sleep(grounds[0]!.restMs);
        return true;
      }
    }
  } catch (error) {
    if (!(error instanceof Inconclusive) && !(error instanceof Inapplicable)) throw error;
  }
  return false;
}

const aBurst = async ({ prober, who, route, burst }: Ground): Promise<Exchange[]> =>
  prober.of(await prober.probe(who, route).askMany(Math.ceil(mostOfBurst * burst) + few));

function isAsMuch(calls: readonly Exchange[], burst: number): boolean {
  const admitted = admittedIn(calls);
  return admitted >= least * burst - 1 && admitted <= mostOfBurst * burst + 1 && calls.some(isRefused);
}
