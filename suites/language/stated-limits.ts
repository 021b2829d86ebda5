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
