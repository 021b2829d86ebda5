/**
 * How long this process was kept from the processor. A machine too busy for us is too busy for a service on it, and what
 * comes late then proves nothing. A loop that is asked every few milliseconds and comes later was stalled for the rest.
 */
import type { Clock } from '../clock.ts';

export interface Stalls {
  /** The longest, in milliseconds, that ended after this time of the clock. */
  longestSince(time: number): number;
  stop(): void;
}

const everyMs = 10;
/** What the collector of garbage may take is no stall. */
const leastMs = 25;
const kept = 1000;

export function watchStalls(clock: Clock): Stalls {
  const seen: { readonly ended: number; readonly ms: number }[] = [];
  let cancel = (): void => {};
  const watch = (from: number): void => {
    cancel = clock.later(everyMs, () => {
      const ended = clock.now();
      const ms = ended - from - everyMs;
      if (ms >= leastMs && seen.push({ ended, ms }) > kept) seen.shift();
      watch(ended);
    });
  };
  watch(clock.now());
  return {
    longestSince: (time) => seen.reduce((most, { ended, ms }) => (ended > time ? Math.max(most, ms) : most), 0),
    stop: () => cancel(),
  };
}
