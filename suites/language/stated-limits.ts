/** What a profile states of limits, against what was seen. */
import { type Exchange, isRefused, type StatedLimit, type Stretch, type Subject } from '../../src/vocabulary.ts';

/** Windows that begin just then, buckets that were full, and a call or two of chance: more is no reading of what is stated. */
const beyond = 1.2;

/** In some stretch as long as the stated one, far more calls were admitted than that limit can admit. */
export function isFarBeyond(admitted: readonly Exchange[], stated: StatedLimit | undefined): boolean {
  if (stated === undefined) return false;
  const most = beyond * (Math.max(stated.burst ?? 0, stated.requests) + stated.requests) + 1;
  let first = 0;
  return admitted.some(({ at }, last) => {
    while (admitted[first]!.at.sent < at.end - stated.perMs) first += 1;
    return last - first + 1 > most;
  });
}

/** As many copies of a service may each have a limit of their own, and a few calls are chance. */
const copies = 8;
const few = 10;

export const tookMs = (calls: readonly Exchange[]): number =>
  calls.length === 0 ? 0 : calls.at(-1)!.at.end - calls[0]!.at.sent;

/** From how many addresses they came, or said that they came: a limit of the pair of key and address is another rule's. */
const placesIn = (calls: readonly Exchange[]): number =>
  new Set(
    calls.map(({ connection: { localAddress }, request: { headers } }) =>
      JSON.stringify([localAddress, headers.filter(([name]) => /forward|ip$/i.test(name))]),
    ),
  ).size;

/**
 * Far more of a burst was admitted than copies of that limit can admit: in one stretch as long as the stated one, or of its second and
 * of its last third, when every copy has refused long since. A window that begins just then is in one of them alone.
 */
export function isFloodBeyond(flood: readonly Exchange[], stated: StatedLimit | undefined): boolean {
  if (stated === undefined || flood.length === 0) return false;
  const isIn = (each: Exchange): boolean => !isRefused(each);
  const all = copies * placesIn(flood);
  const most = all * Math.max(stated.burst ?? 0, stated.requests);
  if (tookMs(flood) <= stated.perMs && flood.filter(isIn).length > 2 * most + few) return true;
  const third = Math.floor(flood.length / 3);
  return [flood.slice(third, 2 * third), flood.slice(2 * third)].every(
    (part) => part.filter(isIn).length > (all * stated.requests * tookMs(part)) / stated.perMs + few,
  );
}

/** By tier, as what a judge knows of the question. */
export type StatedTiers = Readonly<
  Record<string, Readonly<Record<'requests' | 'perMs', number>> & { readonly burst?: number }>
>;

export const statedTiers = ({ limits: { tiers } }: Subject): StatedTiers =>
  Object.fromEntries(Object.entries(tiers).map(([tier, limit]) => [tier, { ...limit }]));

/** What was admitted to a caller is far more than is stated for its plan, refused or not in between. */
export const isBeyondStated = ({ calls, tier }: Pick<Stretch, 'calls' | 'tier'>, stated: StatedTiers): boolean =>
  isFarBeyond(
    calls.filter((each) => !isRefused(each)),
    stated[tier ?? ''],
  );
