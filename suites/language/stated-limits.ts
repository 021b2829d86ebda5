/** What a profile states of limits, against what was seen. */
import {
  atOnceOf,
  type Exchange,
  isRefused,
  type StatedLimit,
  type Stretch,
  type Subject,
} from '../../src/vocabulary.ts';

/** Windows that begin just then, buckets that were full, and a call or two of chance: more is no reading of what is stated. */
const beyond = 1.2;

/** The most calls in a stretch of so many stated ones: a window that ends in it, or a full bucket, and what comes in it. */
const mostIn = (times: number, stated: StatedLimit): number =>
  beyond * (atOnceOf(stated) + times * stated.requests) + 1;

/** In some stretch as long as the stated one, far more calls were admitted than that limit can admit. */
export function isFarBeyond(admitted: readonly Exchange[], stated: StatedLimit | undefined): boolean {
  if (stated === undefined) return false;
  const most = mostIn(1, stated);
  let first = 0;
  return admitted.some(({ at }, last) => {
    while (first < last && admitted[first]!.at.sent < at.end - stated.perMs) first += 1;
    return last - first + 1 > most;
  });
}

/** Of how many stated stretches at once: what is forgotten now and then may show over several alone. */
const lengths = [1, 2, 4, 8];
/** So often was it kept that it is no other limit than the stated one. */
const keptOften = 4;
/** The limit that is kept, and nothing else, in this part of the times in which it is met. */
const keptShare = 3;

export interface Lapse {
  readonly calls: readonly Exchange[];
  readonly lengthMs: number;
}

/** Stretches in which far more calls were admitted than the limit can admit, none of them in another one. */
function lapsesIn(admitted: readonly Exchange[], stated: StatedLimit): readonly Lapse[] {
  const found: Lapse[] = [];
  for (const times of lengths) {
    const lengthMs = times * stated.perMs;
    let first = 0;
    for (const [last, { at }] of admitted.entries()) {
      while (first < last && admitted[first]!.at.sent < at.end - lengthMs) first += 1;
      if (last - first + 1 <= mostIn(times, stated)) continue;
      found.push({ calls: admitted.slice(first, last + 1), lengthMs });
      first = last + 1;
    }
    if (found.length > 0) return found;
  }
  return found;
}

/** Whether the calls themselves show more than is stated: a model of them may be mistaken. */
export const showsMore = (calls: readonly Exchange[], stated: StatedLimit): boolean =>
  lapsesIn(
    calls.filter((each) => !isRefused(each)),
    stated,
  ).length > 0;

/** How often a caller was refused that had been admitted just before, with no more than the stated calls in the time before. */
function keptIn(calls: readonly Exchange[], stated: StatedLimit): number {
  let kept = 0;
  for (const [at, call] of calls.entries()) {
    if (!isRefused(call) || at === 0 || isRefused(calls[at - 1]!)) continue;
    const since = call.at.sent - stated.perMs;
    const before = calls.slice(0, at).filter((each) => !isRefused(each) && each.at.end > since);
    if (before.length <= mostIn(1, stated)) kept += 1;
  }
  return kept;
}

/** What is beyond the stated limit in a run, where that limit is kept as a rule. Calls in the order of sending. */
export function lapsesOf(calls: readonly Exchange[], stated: StatedLimit): readonly Lapse[] {
  const found = lapsesIn(
    calls.filter((each) => !isRefused(each)),
    stated,
  );
  const kept = keptIn(calls, stated);
  return kept >= keptOften && kept >= keptShare * found.length ? found : [];
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
  const most = all * atOnceOf(stated);
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
