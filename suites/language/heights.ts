/** How many calls at once keys of each sort and plan have, without any model. */
import { admittedIn, type Exchange, isRefused, type Sorts } from '../../src/vocabulary.ts';

export interface Height {
  readonly sort: string;
  readonly tier: string;
  readonly caller: string;
  /** Of several looks after a rest. */
  readonly least: number;
  readonly most: number;
  readonly refusal: Exchange | undefined;
}

/** Those that were refused each time. */
export function heightsOf({ bursts }: Pick<Sorts, 'bursts'>): readonly Height[] {
  return [...Map.groupBy(bursts, ({ caller }) => caller)].flatMap(([caller, own]): Height[] => {
    const [{ sort, tier }] = own as [Sorts['bursts'][number]];
    if (tier === null || own.length < 2 || !own.every(({ calls }) => calls.some(isRefused))) return [];
    const counts = own.map(({ calls }) => admittedIn(calls));
    const refusal = own[0]!.calls.find(isRefused);
    return [{ sort, tier, caller, least: Math.min(...counts), most: Math.max(...counts), refusal }];
  });
}

export const isLive = ({ sort }: Height): boolean => sort === 'a live key';
