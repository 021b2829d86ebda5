/** The one owner of the clock, of timers and of the date. Handed in everywhere, so that tests can turn it. */

export interface Clock {
  /** Milliseconds by the monotonic clock; only differences mean something. */
  now(): number;
  /** Rejects with the signal's reason when it is aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Calls back once, later; returns what takes it back. */
  later(ms: number, call: () => void): () => void;
  /** The date and time, for the header of a run. */
  date(): string;
  /** How often this process stood still so far (suspended, or kept from running): what was asked meanwhile was not waited for. */
  standstills?(): number;
}

const longestTimeout = 2 ** 31 - 1;

const beatMs = 100;
/** Longer than a busy machine takes from a beat to the next. */
const stillMs = 700;
let lastBeat: number | undefined;
let stoodStill = 0;

function beat(): void {
  const now = performance.now();
  if (lastBeat === undefined) setInterval(beat, beatMs).unref();
  else if (now - lastBeat > stillMs) stoodStill += 1;
  lastBeat = now;
}

export const systemClock: Clock = {
  now: () => performance.now(),
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const stop = (): void => {
        clearTimeout(timer);
        reject(signal?.reason);
      };
      const timer = setTimeout(
        () => {
          signal?.removeEventListener('abort', stop);
          resolve();
        },
        Math.min(ms, longestTimeout),
      );
      signal?.addEventListener('abort', stop, { once: true });
    }),
  later: (ms, call) => {
    const timer = setTimeout(call, Math.min(ms, longestTimeout));
    return () => clearTimeout(timer);
  },
  date: () => new Date().toISOString(),
  // Whoever wakes up may ask before the next beat.
  standstills: () => {
    beat();
    return stoodStill;
  },
};
