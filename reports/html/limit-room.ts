/**
 * How much room a fitted limit had at each call: replayed over the calls that were really admitted, so that the picture shows
 * where model and service part. Room and admitted calls together are how many could have been admitted by then.
 */
import type { LimitPicture } from './limits.ts';

interface Valued {
  readonly value: number;
}

/** What of a limiter's model a line is drawn by. */
export interface LimitNumbers {
  readonly kind: string;
  readonly burst?: Valued;
  readonly perSecond?: Valued;
  readonly windowMs?: Valued;
  readonly phaseMs?: Valued;
  /** Tokens a step. */
  readonly quantum?: number;
}

/** Told each admitted call in the order of time, it says how many more would have been admitted at a time. */
interface Room {
  at(ms: number): number;
  take(ms: number): void;
}

export function lineOf(points: LimitPicture['points'], model: LimitNumbers): LimitPicture['model'] {
  const room = roomOf(model);
  if (room === undefined) return [];
  let count = 0;
  return points.flatMap(({ atMs, admitted }) => {
    const before = { atMs, capacity: count + Math.max(room.at(atMs), 0) };
    if (!admitted) return [before];
    room.take(atMs);
    count += 1;
    return [before];
  });
}

/** Undefined: this kind has no numbers, or none that say anything about calls over time. */
function roomOf({ kind, burst, perSecond, windowMs, phaseMs, quantum }: LimitNumbers): Room | undefined {
  if (burst === undefined) return undefined;
  const most = burst.value;
  const length = windowMs?.value ?? 0;
  if (kind === 'token bucket' && perSecond !== undefined) return bucket(most, (ms) => (ms * perSecond.value) / 1000);
  if (length <= 0) return undefined;
  const phase = phaseMs?.value ?? 0;
  const windowAt = (ms: number): number => Math.floor((ms - phase) / length);
  if (kind === 'stepped refill' && quantum !== undefined) return bucket(most, (ms) => windowAt(ms) * quantum);
  if (kind === 'window aligned')
    return counted((ms, taken) => most - taken.filter((each) => windowAt(each) === windowAt(ms)).length, 2 * length);
  if (kind === 'window from first call') return fromFirstCall(most, length);
  if (kind === 'sliding log')
    return counted((ms, taken) => most - taken.filter((each) => each > ms - length).length, length);
  if (kind === 'sliding counter')
    return counted((ms, taken) => {
      const here = windowAt(ms);
      const fading = 1 - ((ms - phase) / length - here);
      const inWindow = (wanted: number): number => taken.filter((each) => windowAt(each) === wanted).length;
      return most - inWindow(here) - fading * inWindow(here - 1);
    }, 3 * length);
  return undefined;
}

/** `grown`: what has come in since the clock began. */
function bucket(most: number, grown: (ms: number) => number): Room {
  let tokens = most;
  let last: number | undefined;
  const at = (ms: number): number => Math.min(most, tokens + (last === undefined ? 0 : grown(ms) - grown(last)));
  return {
    at,
    take(ms) {
      // Below nothing where the service gave more than the model has: it owes nothing for that.
      tokens = Math.max(at(ms) - 1, 0);
      last = ms;
    },
  };
}

/** By the calls that were taken; those older than `kept` no longer count. */
function counted(room: (ms: number, taken: readonly number[]) => number, kept: number): Room {
  let taken: number[] = [];
  return {
    at: (ms) => room(ms, taken),
    take(ms) {
      taken = [...taken.filter((each) => each > ms - kept), ms];
    },
  };
}

function fromFirstCall(most: number, length: number): Room {
  let opened = Number.NEGATIVE_INFINITY;
  let used = 0;
  const isOpen = (ms: number): boolean => ms < opened + length;
  return {
    at: (ms) => (isOpen(ms) ? most - used : most),
    take(ms) {
      if (!isOpen(ms)) {
        opened = ms;
        used = 0;
      }
      used += 1;
    },
  };
}
