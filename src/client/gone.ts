/** Waiting for as long as somebody is there to be answered. */
import type { ServerResponse } from 'node:http';
import type { Clock } from '../clock.ts';

/** Without a timer that outlives the connection. */
export async function unlessGone(clock: Clock, ms: number, gone: Promise<void>): Promise<void> {
  let cancel = (): void => {};
  const over = new Promise<void>((resolve) => {
    cancel = clock.later(ms, resolve);
  });
  await Promise.race([over, gone]);
  cancel();
}

export function closed(response: ServerResponse): { readonly promise: Promise<void>; is(): boolean } {
  let is = response.socket?.destroyed ?? true;
  const promise = new Promise<void>((resolve) => {
    response.once('close', () => {
      is = true;
      resolve();
    });
  });
  return { promise, is: () => is };
}

const looks = 75;
const everyMs = 20;

/**
 * How many are still there when the word of their end has had time to arrive. Checked a number of times, not for a duration: where this
 * machine stood still, the time is over before any word was read.
 */
export async function stillOpen(clock: Clock, count: () => number): Promise<number> {
  for (let look = 0; look < looks && count() > 0; look += 1) await clock.sleep(everyMs);
  return count();
}
