/** Ctrl-C as the usual end of what has none by itself: once to hear what is known, twice to quit at once. */
import { exitCodes } from '../model/run.ts';
import { say } from './output.ts';

export interface Stopping {
  readonly signal: AbortSignal;
  /** What must be done before an exit at once. */
  before(call: () => void): void;
  done(): void;
}

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

export function stopping(): Stopping {
  const controller = new AbortController();
  let before = (): void => {};
  const stop = (): void => {
    if (controller.signal.aborted) {
      try {
        before();
      } finally {
        process.exit(exitCodes.interrupted);
      }
    }
    say('Judging what has passed. Press Ctrl-C again to quit at once.');
    controller.abort();
  };
  for (const name of signals) process.on(name, stop);
  return {
    signal: controller.signal,
    before: (call) => {
      before = call;
    },
    done: () => {
      for (const name of signals) process.off(name, stop);
    },
  };
}
