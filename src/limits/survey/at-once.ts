/** Many calls at the same time. */
import type { Decision } from '../model/trace.ts';

/** How many calls are under way at once; a burst of thousands needs no thousand connections. */
export const atOnce = 48;

export async function many(count: number, single: true | undefined, one: () => Promise<Decision>): Promise<Decision[]> {
  const answers = new Array<Decision>(count);
  let next = 0;
  const lane = async (): Promise<void> => {
    while (next < count) {
      const call = next;
      next += 1;
      answers[call] = await one();
    }
  };
  await Promise.all(Array.from({ length: Math.min(count, single ? 1 : atOnce) }, lane));
  return answers;
}
