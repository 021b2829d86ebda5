/** What a caller that has spent a part of its quota gets back by another request: an exhausted one may not see it. */
import type { Exchange } from '../../model/exchange.ts';
import type { Between } from '../../model/limits-ask.ts';
import { givenBackIn } from '../model/excess.ts';
import type { Ground } from './ground.ts';

const spentShare = 0.8;
const rounds = 3;

export interface Aside {
  readonly name: string;
  readonly ask: () => Promise<readonly Exchange[]>;
}

/** A part of what a rested caller has is spent; then comes another request; then as many calls as a rested caller has. */
export async function afterSpending(on: Ground, asides: readonly Aside[]): Promise<Between[]> {
  const { prober, route, who, burst, restMs } = on;
  const seen: Between[] = [];
  const own = prober.probe(who, route);
  const spent = Math.max(1, Math.floor(burst * spentShare));
  const after = async (): Promise<Exchange[]> => prober.of(await own.askMany(burst + 4));
  for (const { name: other, ask } of asides) {
    /** How long the other request takes: a bucket fills meanwhile, without it too. */
    let took = 0;
    for (let round = 0; round < rounds; round += 1) {
      if (spent < 2 || prober.leftRequests < 8 * burst) break;
      const without = async (): Promise<Exchange[]> => {
        await prober.sleep(restMs);
        const alone = prober.of(await own.askMany(spent));
        await prober.sleep(took);
        return [...alone, ...(await after())];
      };
      // Sometimes before, sometimes after: too short a rest favours the later caller.
      const first = round % 2 === 1 ? await without() : undefined;
      await prober.sleep(restMs);
      const before = prober.of(await own.askMany(spent));
      const began = prober.now();
      const [asked] = await ask();
      took = prober.now() - began;
      const again = await after();
      const one = {
        other,
        spent: true as const,
        before,
        between: asked!,
        after: again,
        control: first ?? (await without()),
      };
      seen.push(one);
      if (givenBackIn(one) <= 0) break;
    }
  }
  return seen;
}
