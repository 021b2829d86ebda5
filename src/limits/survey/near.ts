/** Whose limit it is, as far as all else must know it: and from where a key can then be asked without disturbing anybody. */
import { isDeepStrictEqual } from 'node:util';
import type { Neighbours } from '../../model/limits-ask.ts';
import type { Key } from '../../model/subject.ts';
import { cellOf } from '../model/cells.ts';
import type { Ground, Once, SurveyOptions } from './ground.ts';
import { neighbours, type Other } from './neighbours.ts';
import type { Place, Prober, Who } from './prober.ts';

/** What keys of one sort and plan share by mistake, others do not show. */
export const isAlike = (one: Key, other: Key): boolean => one.tier === other.tier && one.kind === other.kind;

export interface Near {
  readonly near: () => Promise<Neighbours>;
  /** Places to call from beside the first, which is left to callers without a key. */
  readonly away: readonly Place[];
  readonly anywhere: (key: Key) => Promise<Who>;
}

export interface Stand {
  readonly prober: Prober;
  readonly ground: () => Promise<Ground>;
  readonly whoIs: (key: Key, place?: Place) => Who;
}

export function nearOf(options: SurveyOptions, once: Once, { prober, ground, whoIs }: Stand): Near {
  const [home, elsewhere] = options.places;
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
  const anywhere = async (each: Key): Promise<Who> => {
    const { rounds } = await near();
    const follows = cellOf(rounds, 'the same key at another address') === 'together';
    const isOwn = cellOf(rounds, 'another key at the same address') === 'apart';
    return follows && isOwn && away.length > 0 ? { keys: [each], spread: away } : whoIs(each);
  };

  return { near, away, anywhere };
}
