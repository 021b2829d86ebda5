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
  let last = clock.now();
  const stalledMs = (now: number): number => now - last - everyMs;
  const watch = (): void => {
    cancel = clock.later(everyMs, () => {
      const ended = clock.now();
      const ms = stalledMs(ended);
      if (ms >= leastMs && seen.push({ ended, ms }) > kept) seen.shift();
      last = ended;
      watch();
    });
  };
  watch();
  return {
    longestSince: (time) => {
      const most = seen.reduce((longest, { ended, ms }) => (ended > time ? Math.max(longest, ms) : longest), 0);
      // The first one to wake up may ask before the loop has noticed.
      const now = stalledMs(clock.now());
      return now >= leastMs ? Math.max(most, now) : most;
    },
    stop: () => cancel(),
  };
}
