/** The interval of anything that can be computed from two samples: they are drawn again, with replacement, many times. */
import { type Random, seeded } from '../random.ts';
import type { Bounded } from './interval.ts';

export interface Drawing {
  readonly seed?: number;
  readonly times?: number;
  readonly confidence?: number;
}

export function bootstrap(
  first: readonly number[],
  second: readonly number[],
  statistic: (first: readonly number[], second: readonly number[]) => number,
  { seed = 1, times = 2000, confidence = 0.95 }: Drawing = {},
): Bounded {
  const random = seeded(seed);
  const drawn = Float64Array.from({ length: times }, () =>
    statistic(again(first, random), again(second, random)),
  ).sort();
  const tail = (1 - confidence) / 2;
  return {
    value: statistic(first, second),
    low: drawn[Math.floor(tail * (times - 1))]!,
    high: drawn[Math.ceil((1 - tail) * (times - 1))]!,
  };
}

const again = (values: readonly number[], random: Random): number[] =>
  values.map(() => values[Math.floor(random() * values.length)]!);
