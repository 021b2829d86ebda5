/** What ends a run before it is done: somebody who interrupts it, or the time that it may take. */
import type { Clock } from '../clock.ts';

/** The reason of a signal that is aborted because the time is up. */
class TimeUp extends Error {
  override readonly name = 'TimeUp';
}

export interface Ending {
  readonly signal?: AbortSignal;
  /** Nobody waits for the time any more. */
  cancel(): void;
}

export function endingOf(clock: Clock, signal: AbortSignal | undefined, maxDurationMs: number | undefined): Ending {
  if (maxDurationMs === undefined) return { ...(signal === undefined ? {} : { signal }), cancel() {} };
  const controller = new AbortController();
  const timeUp = (): void => controller.abort(new TimeUp('the time of the run is up'));
  const interrupt = (): void => controller.abort(signal?.reason);
  const untimed = clock.later(maxDurationMs, timeUp);
  if (signal?.aborted) interrupt();
  signal?.addEventListener('abort', interrupt);
  return {
    signal: controller.signal,
    cancel() {
      untimed();
      signal?.removeEventListener('abort', interrupt);
    },
  };
}

export const isTimeUp = (signal: AbortSignal | undefined): boolean => signal?.reason instanceof TimeUp;

/** Why something was not asked, or not to its end. */
export const whyEnded = (signal: AbortSignal, before: 'this was asked' | 'this was finished'): string =>
  isTimeUp(signal)
    ? `the time of the run (--max-duration) was up before ${before}`
    : `the run was interrupted before ${before}`;
