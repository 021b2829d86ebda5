/**
 * Many keys that call at the same time may meet the limit of their addresses, and then nothing of their own is seen. So fewer ask
 * at a time, where it is stated how much the addresses take, or where a key that is known is refused too early.
 */
import type { Stretch } from '../../model/limits-ask.ts';
import type { Key } from '../../model/subject.ts';
import { admittedIn, isRefused } from '../model/decision.ts';
import type { RouteName } from './call.ts';
import type { Scale } from './ground.ts';
import type { Prober } from './prober.ts';
import type { Sorted } from './sorts.ts';

/** Keys of the highest plans take more than the first one; and a window of the address may have begun before. */
const usualShare = 0.4;
/** Refused with less than this share of what it has, a key met something else than its own limit. */
const ownShare = 0.7;
const fewer = 3;
/** Refused too early beside so few, it has less than others of its plan. */
const fewest = 2;
/** Of the time that is left, for one look at all of them. */
const timeShare = 0.12;
/** A rest of the key may be short for its address. */
export const rests = 1.5;

export interface Grouping extends Scale {
  readonly prober: Prober;
  /** The key whose burst is known, and what all addresses together take, if that is stated. */
  readonly known: Key | undefined;
  readonly room: number | undefined;
}

export type AskOne = (route: RouteName, one: Sorted) => Promise<Stretch>;

export type AskAll = (route: RouteName, asked: readonly Sorted[]) => Promise<Stretch[]>;

/** Each asks by itself, rested; those of a group at the same time. */
export function inGroups({ prober, known, room, burst, restMs, ...on }: Grouping, askOne: AskOne): AskAll {
  let size = room === undefined ? Number.POSITIVE_INFINITY : Math.max(1, Math.floor((usualShare * room) / burst));
  /** By keys of the plan whose burst is known, at the route where it is. */
  const isCrowded = (group: readonly Stretch[]): boolean =>
    group.some(
      ({ tier, calls, route }) =>
        route === on.route &&
        tier === (known?.tier ?? null) &&
        calls.some(isRefused) &&
        admittedIn(calls) < ownShare * burst,
    );
  return async (route, asked) => {
    const mostGroups = Math.max(1, Math.floor((timeShare * prober.leftMs) / (rests * restMs)));
    const smallest = Math.ceil(asked.length / mostGroups);
    const seen: Stretch[] = [];
    while (seen.length < asked.length) {
      const group = asked.slice(seen.length, seen.length + Math.max(size, smallest));
      await prober.sleep(rests * restMs);
      const came = await Promise.all(group.map(async (each) => askOne(route, each)));
      if (isCrowded(came) && group.length > Math.max(fewest, smallest)) {
        size = Math.ceil(group.length / fewer);
        continue;
      }
      seen.push(...came);
    }
    return seen;
  };
}
