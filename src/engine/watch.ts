/** Whether the target has stopped answering: where that is likely, it is asked once more before it is believed. */
import { knock } from './prepare.ts';
import type { Session } from './session.ts';

export function watchOver(session: Session): () => Promise<boolean> {
  let gone = false;
  let asked: Promise<void> | undefined;
  return async () => {
    if (gone || !session.recorder.silent || session.signal?.aborted) return gone;
    asked ??= knock(session).then(
      (exchange) => {
        gone = exchange.response === undefined;
        asked = undefined;
      },
      () => {
        asked = undefined;
      },
    );
    await asked;
    return gone;
  };
}
