/** Starts of clients made by hand, for tests of judges. */
import type { Exchange, SeenTrial } from '../../src/vocabulary.ts';

/** Calls that are answered at once, with these pauses between them. */
export function startOf(situation: string, pauses: readonly number[], status = 500): SeenTrial {
  let time = 0;
  const runs = [0, ...pauses].map((pause, at) => {
    time += pause;
    return { id: at + 1, at: { sent: time, end: time }, response: { status, headers: [] } } as unknown as Exchange;
  });
  return { situation, runs, calls: runs } as unknown as SeenTrial;
}
