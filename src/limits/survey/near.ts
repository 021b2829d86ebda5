/** Whose limit it is, as far as all else must know it: and from where a key can then be asked without disturbing anybody. */
import { isDeepStrictEqual } from 'node:util';
import type { Neighbours, Round } from '../../model/limits-ask.ts';
import type { Key } from '../../model/subject.ts';
import { cellOf } from '../model/cells.ts';
import type { Place, Who } from './call.ts';
import type { Beside } from './disguises.ts';
import { type Ground, ifTimeIsLeft, type Once, type SurveyOptions } from './ground.ts';
import type { Company } from './manners.ts';
import { crossing, neighbours, type Other } from './neighbours.ts';
import type { Prober } from './prober.ts';
import type { Waiter } from './waiters.ts';

/** Profiles with hundreds of keys exist. */
const mostOthers = 12;

/** So many refusals in a row that whoever sheds callers because of one sheds some. */
const insisting = 40;

/** What keys of one sort and plan share by mistake, others do not show. */
export const isAlike = (one: Key, other: Key): boolean => one.tier === other.tier && one.kind === other.kind;

/** The last address: where there are many, a key that calls from everywhere leaves it out. */
export const elsewhereOf = ({ places: [, ...others] }: SurveyOptions): Place | undefined => others.at(-1);

/** Whoever has an account of its own at each address has several at several: then it is called from one of them. */
export const atOnePlaceIfApart = (options: SurveyOptions, rounds: Neighbours['rounds']): SurveyOptions =>
  cellOf(rounds, 'another key at the same address') === 'apart' &&
  cellOf(rounds, 'the same key at another address') === 'apart'
    ? { ...options, spread: [options.spread[0]] }
    : options;

export interface Near {
  readonly near: () => Promise<Neighbours>;
  /** Places to call from beside the first, which is left to callers without a key. */
  readonly away: readonly Place[];
  readonly anywhere: (key: Key, on?: Ground) => Promise<Who>;
  /** The other keys, where they have limits of their own, and places to call from. */
  readonly beside: (on: Ground) => Promise<Beside>;
  /** Keys that have limits of their own may wait at the same time. */
  readonly company: (on: Ground) => Promise<Company>;
  /** Each other key of the profile, while the first one is exhausted. */
  readonly crossed: (on: Ground) => Promise<readonly Round[]>;
}

export interface Stand {
  readonly prober: Prober;
  readonly ground: () => Promise<Ground>;
  readonly whoIs: (key: Key, place?: Place) => Who;
}

export function nearOf(options: SurveyOptions, once: Once, { prober, ground, whoIs }: Stand): Near {
  const [home] = options.places;
  const elsewhere = elsewhereOf(options);
  const away = options.spread.filter((each) => !isDeepStrictEqual(each, home));

  /** Where another key has a limit of its own here, another address tells only whether the service sees that it is one. */
  const isStillOpen = (rounds: Neighbours['rounds']): boolean =>
    options.seesApart === 'unknown' || cellOf(rounds, 'another key at the same address') !== 'apart';

  const near = once('neighbours', async (): Promise<Neighbours> => {
    const on = await ground();
    const ask = async (other: Key | undefined): Promise<Neighbours> => {
      const others: Other[] = [
        ...(other === undefined ? [] : [{ name: 'another key at the same address', who: whoIs(other) }]),
        ...(elsewhere === undefined
          ? []
          : [{ name: 'the same key at another address', who: whoIs(on.key, elsewhere) }]),
        ...(other === undefined || elsewhere === undefined
          ? []
          : [{ name: 'another key at another address', who: whoIs(other, elsewhere), isNeeded: isStillOpen }]),
      ];
      return { rounds: await neighbours(on, others), seesApart: options.seesApart };
    };
    const [, other] = options.keys;
    if (other !== undefined && isAlike(on.key, other)) return ask(other);
    return options.withMore(prober.spend, on.key.tier, 1, ([made]) => ask(made ?? other));
  });

  /** If the limit follows the caller, it calls from many addresses, so that no limit of an address is met first. */
  const anywhere = async (each: Key, on?: Ground): Promise<Who> => {
    const { rounds } = await near();
    const follows = cellOf(rounds, 'the same key at another address') === 'together';
    const isOwn = cellOf(rounds, 'another key at the same address') === 'apart';
    const places = on === undefined || on.options === options ? away : on.options.spread;
    return follows && isOwn && places.length > 0 ? { keys: [each], spread: places } : whoIs(each);
  };

  const apart = async ({ options: { keys } }: Ground): Promise<readonly Key[]> => {
    const rounds = await near().then(
      (found) => found.rounds,
      () => [],
    );
    return cellOf(rounds, 'another key at the same address') === 'apart' ? keys.slice(1) : [];
  };

  const beside = async (on: Ground): Promise<Beside> => {
    const others = await apart(on);
    const { spread = [] } = others.length === 0 ? {} : await anywhere(on.key, on);
    return { others, places: spread };
  };

  const company = async (on: Ground): Promise<Company> => {
    const others = await apart(on);
    const { who, route, key: first, options: own } = on;
    const reads: Waiter[] = route !== 'read' && own.routes.includes('run') ? [{ who, route: 'read' }] : [];
    if (others.length === 0) return { alikes: [], others: reads };
    const same = others.filter((each) => each.tier === first.tier && first.tier !== undefined);
    const test = own.keys.find(({ kind }) => kind === 'test' && kind !== first.kind);
    const plans = own.tierKeys.filter(({ tier }) => tier !== first.tier && tier !== test?.tier);
    const further = [...(test === undefined ? [] : [test]), ...plans].map(
      async (key): Promise<Waiter> => ({ who: await anywhere(key, on), route }),
    );
    return {
      alikes: same.slice(0, 2).map((each) => ({ ...who, keys: [each] })),
      others: [...(await Promise.all(further)), ...reads],
    };
  };

  const crossed = async (on: Ground): Promise<readonly Round[]> => {
    ifTimeIsLeft(on);
    const { rounds } = await near();
    const isApart = (name: string): boolean => cellOf(rounds, name) === 'apart';
    // Where keys are refused together anyway, nothing can be seen.
    if (!isApart('another key at the same address') && !isApart('another key at another address')) return [];
    const [, ...others] = on.options.keys;
    const place = elsewhereOf(on.options);
    const asked = others.slice(isAlike(on.key, others[0] ?? on.key) ? 1 : 0, mostOthers);
    // An address may count refusals too: nobody else calls from where they were, as far as the service sees.
    const isApartThere =
      place !== undefined &&
      options.seesApart !== 'unknown' &&
      !on.who.spread?.some((each) => isDeepStrictEqual(each, place));
    return crossing(
      on,
      asked.map((key) => ({ name: `key ${key.name}`, who: whoIs(key, place) })),
      isApartThere ? insisting : undefined,
    );
  };

  return { near, away, anywhere, beside, company, crossed };
}
