/** Whether a key whose tier was changed still has an account of its own. */
import { Inapplicable, Inconclusive } from '../../model/ask.ts';
import type { Neighbours, Round } from '../../model/limits-ask.ts';
import type { Key } from '../../model/subject.ts';
import { cellOf } from '../model/cells.ts';
import { type Ground, isTimeLeft, type Scale, type SurveyOptions } from './ground.ts';
import { elsewhereOf } from './near.ts';
import { crossing, type Other } from './neighbours.ts';
import type { Prober } from './prober.ts';
import type { Sorted } from './sorts.ts';

const isChanged = ({ sort }: Sorted): boolean => sort.startsWith('a key whose tier was changed');

/** Where keys share one account anyway, nothing can be seen. Others call from another address, so that no limit of one is met. */
export async function sharedByChanged(
  prober: Prober,
  options: SurveyOptions,
  sorted: readonly Sorted[],
  scale: Scale,
  near: () => Promise<Neighbours>,
  burstOf: (key: Key) => number,
): Promise<Round[]> {
  const [changed] = sorted.filter(isChanged);
  const elsewhere = elsewhereOf(options);
  if (changed === undefined || elsewhere === undefined || options.budget.quick) return [];
  const { key } = changed;
  const burst = burstOf(key);
  const on: Ground = { prober, options, who: { keys: [key], ...options.places[0] }, key, ...scale, burst };
  try {
    const { rounds } = await near();
    if (burst === 0 || !isTimeLeft(on) || cellOf(rounds, 'another key at the same address') !== 'apart') return [];
    const alike = sorted.find((each) => !isChanged(each) && each.key.tier === key.tier && each.sort === 'a live key');
    const [, ...others] = sorted.filter(isChanged);
    // Where a key of another plan is refused too, it is no account of a few keys.
    const apart = sorted.find((each) => !isChanged(each) && each.key.tier !== key.tier && each.sort === 'a live key');
    if (apart === undefined) return [];
    const asked = [...others, ...(alike === undefined ? [] : [alike]), apart].map(
      ({ sort, key: other }): Other => ({ name: `${sort}, of ${other.tier}`, who: { keys: [other], ...elsewhere } }),
    );
    return await crossing(on, asked);
  } catch (error) {
    // What is known of the others stays known.
    if (!(error instanceof Inconclusive) && !(error instanceof Inapplicable)) throw error;
    return [];
  }
}
