/** Pauses that grow at first and then are hardly there any more: a shift that overflows, a list of pauses that has run out. Pure. */
import type { SeenTrial } from '../../src/vocabulary.ts';
import { pausesOf } from './pauses.ts';

/** No shorter pause shows that pauses were meant. */
const pausedMs = 300;
const collapsedMs = 200;
/** Fewer starts show it only where it is plainer: chance in pauses makes some of this. */
const manyStarts = 6;
const fewestStarts = 3;

/** A start whose pauses collapse, as they do in nearly every start; where there are few starts, in each. */
export function collapsing(trials: readonly SeenTrial[]): SeenTrial | undefined {
  const isMany = trials.length >= manyStarts;
  if (trials.length < fewestStarts) return undefined;
  const found = trials.flatMap((trial) => {
    const rest = collapsed(pausesOf(trial), isMany ? 4 : 10);
    return rest === undefined ? [] : [{ trial, rest }];
  });
  // The machine may have made a pause of one start longer.
  if (found.length < trials.length - (isMany ? 1 : 0)) return undefined;
  // What the machine adds is never less than nothing: a short plan that grows is seen in the shortest of all starts.
  const least = (at: number): number => Math.min(...found.map(({ rest }) => rest.at(at)!));
  return least(-1) > least(0) * 1.5 + 15 ? undefined : found[0]?.trial;
}

/** After two pauses that were meant, or more, those that are not worth it: two at least, and none that is. */
function collapsed(pauses: readonly number[], times: number): readonly number[] | undefined {
  const longest = Math.max(...pauses);
  const least = Math.min(collapsedMs, longest / times);
  const from = pauses.findLastIndex((ms) => ms >= least) + 1;
  const [before, after] = [pauses.slice(0, from), pauses.slice(from)];
  if (longest < pausedMs || before.length < 2 || after.length < 2) return undefined;
  return Math.min(...before) > Math.max(...after) ? after : undefined;
}
