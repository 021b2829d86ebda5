/** Pure: how many more of a wave were admitted than there was room for. */
import type { Between, Paces, Reconnected } from '../../model/limits-ask.ts';
import { admittedIn, isRefused } from './decision.ts';

/** This many may be chance, or tokens that arrived during the wave. */
const tolerated = 12;

/** A count that is a little late overshoots a little, which is no lie about numbers that nobody has told. */
const share = 0.25;

/** How many calls of a rested caller are admitted one after another. */
export const roomIn = (inTurn: Paces['inTurn']): number =>
  Math.max(...inTurn.map(({ calls }) => calls.findIndex(isRefused)));

/** More than room was left for, before the first refusal was known. */
export function excessOf({ primed, left, wave }: Paces['atOnce'][number]): number {
  const known = Math.min(...wave.filter(isRefused).map(({ at }) => at.end));
  return (
    wave.filter((each) => !isRefused(each) && each.at.sent <= known).length -
    left -
    Math.max(tolerated, share * (primed.length + left))
  );
}

/** How many more calls than a pause brings count as an excess: half of what a rested caller has, and never only a few. */
export function excessOfGoingOn({ calls, control }: Paces['stubborn'][number], burst: number): number {
  const paused = admittedIn(control);
  return admittedIn(calls) - 2 * paused - Math.max(tolerated, burst / 2);
}

/** How much more a key that had spent a part was admitted after a request that failed than without that request. */
export function givenBackIn({ before, after, control }: Between): number {
  const [with_, without] = [admittedIn(before) + admittedIn(after), admittedIn(control)];
  return with_ - without - Math.max(2, 0.4 * without);
}

const fewOnNew = 10;
const timesAsOften = 6;

/** New connections were admitted far more often than the exhausted one, and were refused in the end. Random refusals would treat both alike. */
export function favoursNew({ kept, fresh }: Reconnected): boolean {
  const [old, young] = [admittedIn(kept), admittedIn(fresh)];
  const isMore = young / fresh.length > (timesAsOften * old) / kept.length;
  return kept.length > 4 && young >= fewOnNew && fresh.some(isRefused) && isMore;
}
