/** Whether a key that was made, and one whose tier was changed, has an account of its own. */
import { Inapplicable, Inconclusive } from '../../model/ask.ts';
import type { Beside, Neighbours } from '../../model/limits-ask.ts';
import type { Key } from '../../model/subject.ts';
import { cellOf } from '../model/cells.ts';
import { type Ground, isTimeLeft, type Scale, type SurveyOptions } from './ground.ts';
import { elsewhereOf } from './near.ts';
import { crossing, type Other } from './neighbours.ts';
import type { Prober } from './prober.ts';
import type { Sorted } from './sorts.ts';

/** Keys that are made, or changed, may be counted otherwise than those of a configuration. */
const kinds = ['a key whose tier was changed', 'an issued'] as const;

const isOf =
  (kind: string) =>
  ({ sort }: Sorted): boolean =>
    sort.startsWith(kind);

const isConfigured = ({ sort }: Sorted): boolean => sort === 'a live key';

/** Where keys share one account anyway, nothing can be seen. Others call from another address, so that no limit of one is met. */
export async function sharedBySorts(
  prober: Prober,
  options: SurveyOptions,
  sorted: readonly Sorted[],
  scale: Scale,
  near: () => Promise<Neighbours>,
  burstOf: (key: Key) => number,
): Promise<Beside[]> {
  const elsewhere = elsewhereOf(options);
  if (elsewhere === undefined || options.budget.quick) return [];
  const found: Beside[] = [];
  try {
    for (const kind of kinds) {
      const [first, ...others] = sorted.filter(isOf(kind));
      if (first === undefined) continue;
      const { key } = first;
      const burst = burstOf(key);
      const on: Ground = { prober, options, who: { keys: [key], ...options.places[0] }, key, ...scale, burst };
      const { rounds } = await near();
      if (burst === 0 || !isTimeLeft(on) || cellOf(rounds, 'another key at the same address') !== 'apart') break;
      const alike = sorted.find((each) => isConfigured(each) && each.key.tier === key.tier);
      // Where a key of another plan is refused too, it is no account of a few keys.
      const apart = sorted.find((each) => isConfigured(each) && each.key.tier !== key.tier);
      if (apart === undefined) continue;
      const asked = [...others, ...(alike === undefined ? [] : [alike]), apart].map(
        ({ sort, key: other }): Other => ({ name: `${sort}, of ${other.tier}`, who: { keys: [other], ...elsewhere } }),
      );
      found.push({ exhausted: first.sort, rounds: await crossing(on, asked) });
    }
  } catch (error) {
    // What is known of the others stays known.
    if (!(error instanceof Inconclusive) && !(error instanceof Inapplicable)) throw error;
  }
  return found;
}
