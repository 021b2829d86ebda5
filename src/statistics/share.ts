/** The interval of a share: n of m. */
import { binomialAtMost } from './binomial.ts';
import type { Bounded } from './interval.ts';
import { normalQuantile } from './normal.ts';

/** Wilson's: close to its nominal confidence on average, also for shares near 0 and 1. For showing. */
export function wilson(hits: number, of: number, confidence = 0.95): Bounded {
  if (of === 0) return { value: Number.NaN, low: 0, high: 1 };
  const z = normalQuantile(1 - (1 - confidence) / 2);
  const share = hits / of;
  const middle = share + (z * z) / (2 * of);
  const half = z * Math.sqrt((share * (1 - share)) / of + (z * z) / (4 * of * of));
  const whole = 1 + (z * z) / of;
  return {
    value: share,
    // At the very ends the two terms cancel, up to the last digit.
    low: hits === 0 ? 0 : (middle - half) / whole,
    high: hits === of ? 1 : (middle + half) / whole,
  };
}

/** Clopper and Pearson's: never less than its nominal confidence. For deciding. */
export function clopperPearson(hits: number, of: number, confidence = 0.95): Bounded {
  if (of === 0) return { value: Number.NaN, low: 0, high: 1 };
  const each = (1 - confidence) / 2;
  return {
    value: hits / of,
    low: hits === 0 ? 0 : where((share) => 1 - binomialAtMost(hits - 1, of, share) > each),
    high: hits === of ? 1 : where((share) => binomialAtMost(hits, of, share) < each),
  };
}

/** The share from which on something holds. */
function where(holds: (share: number) => boolean): number {
  let [low, high] = [0, 1];
  for (let step = 0; step < 60; step += 1) {
    const middle = (low + high) / 2;
    if (holds(middle)) high = middle;
    else low = middle;
  }
  return (low + high) / 2;
}
