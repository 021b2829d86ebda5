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
}

const longestTimeout = 2 ** 31 - 1;

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
};

/** As HTTP writes dates. */
export const inAnHour = (): string => new Date(Date.now() + 3_600_000).toUTCString();
