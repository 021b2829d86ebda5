/** The plan behind the pauses of a client, over several starts: one that chance or a busy machine explains is nobody's plan. Pure. */
import type { SeenTrial } from '../../src/vocabulary.ts';
import { gapsOf } from './looking.ts';

/** A shorter pause does not count as one, however busy the machine is. */
const noPauseMs = 25;
/** A busy machine makes pauses longer, each by another time: those that agree so closely are as they were meant. */
const grain = (ms: number): number => 15 + ms * 0.04;

export const pausesOf = (trial: SeenTrial): number[] => gapsOf(trial).map(({ ms }) => Math.max(0, ms));

/** No pause at all, each time that it was looked at: once may be chance. Among very many calls, a busy machine makes some pauses. */
export function areHasty(trials: readonly SeenTrial[], byStatus: readonly (readonly SeenTrial[])[]): boolean {
  const starts = trials.map(pausesOf);
  if (starts.length < 2 || starts.some((pauses) => pauses.length < 2)) return false;
  // Where chance is in its other pauses, it may make all of two starts short.
  const bound = starts.length === 2 && byStatus.some((own) => own !== trials && holdChance(own)) ? atOnceMs : noPauseMs;
  const paused = (pauses: readonly number[]): number => pauses.filter((ms) => ms >= bound).length;
  if (starts.every((pauses) => paused(pauses) <= pauses.length / 10)) return true;
  // Of three starts, one pause in nine may be the machine's: chance in pauses leaves more of them.
  const all = starts.flat();
  if (starts.length >= 3 && all.length >= 9 && paused(all) <= all.length / 9) return true;
  // Of many starts, a busy machine may make a quarter of the pauses: chance in pauses (jitter) leaves far more than that.
  return starts.length >= manyStarts && all.length >= 3 * manyStarts && paused(all) <= all.length / 4;
}

const atOnceMs = 10;
const manyStarts = 6;

/** Less than this is no pause; what a runtime does for the first time takes it longer. What a machine adds is never less than nothing. */
const placesMs = [15, 5, 5];
const threeAtOnceMs = 150;

/** A client that repeats three times, each time at once: chance in pauses (jitter) is hardly ever that short at each place. */
export function neverPause(trials: readonly SeenTrial[]): boolean {
  const starts = trials.map((trial) => pausesOf(trial).slice(0, placesMs.length));
  const areShort = starts.every(
    (pauses) =>
      pauses.length === placesMs.length &&
      pauses.slice(1).every((ms) => ms < noPauseMs) &&
      pauses.reduce((sum, ms) => sum + ms, 0) <= threeAtOnceMs,
  );
  return trials.length >= 2 && areShort && placesMs.every((bound, at) => starts.some((pauses) => pauses[at]! < bound));
}

/** More than a third of the pauses do not agree with the shortest of their place: of two starts, half of them are the shortest. */
function holdChance(trials: readonly SeenTrial[]): boolean {
  const { all, least } = leastOf(trials);
  return apart(all, least) > all.flat().length / 3;
}

/** A program that starts another for each call needs a moment for it: five calls within this one have no pause that was meant. */
const burstMs = 200;

export const burst = (trials: readonly SeenTrial[]): boolean =>
  trials.length >= 2 &&
  trials
    .map((trial) => pausesOf(trial).slice(0, 4))
    .every(
      ([first = 0, ...later]) =>
        later.length === 3 && later.reduce((sum, ms) => sum + ms, first) <= burstMs && later.at(-1)! < 2 * first + 15,
    );

/** Of this many starts, so many pauses may be the machine's: chance in pauses never agrees in all others. */
export const straysOf = (trials: readonly SeenTrial[]): number => (trials.length < 6 ? 0 : 2);

/** The pauses of a plan that does not grow. Chance in them (jitter) may make any order: only a fixed plan can be called one. */
export function fixedPlan(trials: readonly SeenTrial[], strays = 0): readonly number[] | undefined {
  const { all, least } = leastOf(trials);
  if (all.length < 2 || least.length < 2) return undefined;
  const isFixed = apart(all, least) <= strays;
  // Of pauses this short, the machine makes as much as the plan.
  return !isFixed || least[0]! < noPauseMs || Math.max(...least) < 100 || grows(least) ? undefined : least;
}

/** So many pauses of one length, in each of two starts, are no chance: it may be the plan after one status alone. */
const manyPlaces = 4;
const alike = 1.08;

export function onePause(trials: readonly SeenTrial[]): readonly number[] | undefined {
  const { all, least } = leastOf(trials);
  const shortest = Math.min(...least);
  const isAlike = (ms: number): boolean => ms <= alike * shortest + 15;
  const isOne = least.every(isAlike) && most(all.flat(), isAlike);
  return all.length >= 2 && least.length >= manyPlaces && shortest >= 100 && isOne ? least : undefined;
}

/** The least of each place, over the starts: what a machine adds is never less than nothing. */
function leastOf(trials: readonly SeenTrial[]): { readonly all: readonly number[][]; readonly least: number[] } {
  const starts = trials.map(pausesOf);
  const length = starts.length === 0 ? 0 : Math.min(...starts.map((pauses) => pauses.length));
  const all = starts.map((pauses) => pauses.slice(0, length));
  return { all, least: Array.from({ length }, (_, at) => Math.min(...all.map((pauses) => pauses[at]!))) };
}

/** How many pauses are longer than the shortest of their place. */
const apart = (all: readonly (readonly number[])[], least: readonly number[]): number =>
  all.flatMap((pauses) => pauses.filter((ms, at) => ms - least[at]! > grain(least[at]!))).length;

/** Of so many pauses that agree, those that do not are the machine's. */
const most = (pauses: readonly number[], wanted: (ms: number) => boolean): boolean =>
  pauses.filter(wanted).length >= (pauses.length * 2) / 3;

/** The same pause at every place, as most pauses say too: chance rarely agrees that often. */
export function alikePlan(trials: readonly SeenTrial[]): readonly number[] | undefined {
  const { all, least } = leastOf(trials);
  const shortest = Math.min(...least);
  const isAlike = (ms: number): boolean => ms <= shortest + grain(shortest);
  return trials.length >= 3 && least.length >= 2 && shortest >= 100 && least.every(isAlike) && most(all.flat(), isAlike)
    ? least
    : undefined;
}

/** So many starts, that chance in growing pauses shows: a plan whose pauses double is never that narrow. */
const steadyStarts = 6;
const narrow = 1.6;
const steady = 1.1;

/** Chance around one pause that does not grow: all are about as long, and the later ones no longer than the first. */
export function steadyPlan(trials: readonly SeenTrial[]): readonly number[] | undefined {
  const { all, least } = leastOf(trials);
  const pauses = all.flat();
  if (all.length < steadyStarts || least.length < 2 || Math.min(...pauses) < 100) return undefined;
  if (Math.max(...pauses) > narrow * Math.min(...pauses)) return undefined;
  const mean = (at: number): number => all.reduce((sum, each) => sum + each[at]!, 0) / all.length;
  return least.slice(1).some((_, at) => mean(at + 1) > steady * mean(0)) ? undefined : least.map((_, at) => mean(at));
}

/** In so many starts, chance in growing pauses does not make the first the longest and the last much shorter, each time. */
export function fallingPlan(trials: readonly SeenTrial[]): readonly number[] | undefined {
  const falls = ([first = 0, ...later]: readonly number[]): boolean =>
    first >= 100 && later.length >= 2 && later.every((ms) => ms < first) && later.at(-1)! < 0.7 * first;
  const isPlan = trials.length >= steadyStarts && trials.map(pausesOf).every(falls);
  return isPlan ? leastOf(trials).least : undefined;
}

/** A pause before the first repetition, and none before those that follow. */
export function plainFirstOnly(trials: readonly SeenTrial[]): readonly number[] | undefined {
  const { all, least } = leastOf(trials);
  const isNone = (ms: number): boolean => ms < noPauseMs;
  const [first = 0, ...later] = least;
  const rest = all.flatMap((pauses) => pauses.slice(1));
  return trials.length >= 3 && later.length >= 2 && first >= 100 && later.every(isNone) && most(rest, isNone)
    ? least
    : undefined;
}

/** One that has grown and met its bound stays there. */
const grows = (pauses: readonly number[]): boolean =>
  Math.max(...pauses) > 1.15 * pauses[0]! + 15 && Math.min(...pauses) >= pauses[0]! * 0.85 - 15;

const paced = 6;

/** The last pauses are about the same, but for so many that the machine made longer. */
export function keepsPace(pauses: readonly number[], strays = 0): boolean {
  const last = pauses.slice(-paced).toSorted((a, b) => a - b);
  return last.length === paced && last.at(-1 - strays)! <= 1.5 * last[0]! + 100;
}
