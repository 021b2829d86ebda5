/** Calls of one caller over a time, from which rules about limits compare callers. */
import type { Exchange } from './exchange.ts';

/** Calls of one caller in the order of sending. */
export type Stretch = {
  /** What sort of caller: `a live key`, `an issued key`, … */
  readonly sort: string;
  readonly caller: string;
  readonly tier: string | null;
  readonly route: string;
  readonly calls: readonly Exchange[];
};

/**
 * A key of a plan whose limit is stated: a little more slowly than that, and far faster, steadily or in bursts. Next to each of the first refusals, the answer
 * to another key from the same address.
 */
export type StatedPace = Stretch & {
  readonly pace: 'below' | 'beyond';
  readonly beside: readonly { readonly refused: Exchange; readonly answer: Exchange }[];
};

/** Two callers over the same time, each as fast as it goes: one whose limit is known to be met, and one that is looked at. */
export type SideBySide = { readonly known: Stretch; readonly looked: Stretch };
