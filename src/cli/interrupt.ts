/** Ctrl-C once: end the work and report what is known. Twice: quit at once. */
import { exitCodes } from '../model/run.ts';
import { say } from './output.ts';

export interface Interruption {
  readonly signal: AbortSignal;
  /** What must be done before an exit at once. */
  before(call: () => void): void;
  done(): void;
}

/** What ends the work that listens to the signal. Known by its name. */
class Interrupted extends Error {
  override readonly name = 'Interrupted';
}

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** `says`: what happens now, as the person at the keyboard reads it. */
export function interruption(
  clear: () => void,
  says = 'Interrupted: finishing open requests. Press Ctrl-C again to quit at once.',
): Interruption {
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
    clear();
    say(says);
    controller.abort(new Interrupted('interrupted before the first request'));
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
