/** Pure: how many more of a wave were admitted than there was room for. */
import type { Paces } from '../../model/limits-ask.ts';
import { isRefused } from './decision.ts';

/** So many may be chance, or have come in while the wave was under way. */
const tolerated = 12;

/** A count that is a little late overshoots a little, which is no lie about numbers that nobody has told. */
const share = 0.25;

/** More than room was left for, before the first refusal was known. */
export function excessOf({ primed, left, wave }: Paces['atOnce'][number]): number {
  const known = Math.min(...wave.filter(isRefused).map(({ at }) => at.end));
  return (
    wave.filter((each) => !isRefused(each) && each.at.sent <= known).length -
    left -
    Math.max(tolerated, share * (primed.length + left))
  );
}
