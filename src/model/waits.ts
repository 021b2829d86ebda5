/** What a refused caller is told, and what comes after it. */
import type { Exchange } from './exchange.ts';
import type { Stretch } from './stretch.ts';

/** A stated wait, spent in silence, and the one call after it. */
export type Wait = {
  readonly refusal: Exchange | null;
  readonly answer: Exchange | null;
  /** Nothing that this run did before can have had a part in it. */
  readonly rested: boolean;
  readonly why: string | null;
};

/** A caller that is refused several times in a row, is silent for less than half of the stated wait, and asks once. */
export type EarlyCall = { readonly refused: readonly Exchange[]; readonly answer: Exchange };

export type Waits = {
  readonly trials: readonly Wait[];
  readonly planned: number;
  /** Where the wait is long enough to be told too long; runs of other times have none. */
  readonly early?: readonly EarlyCall[];
};

/** One of everybody in turn: until it was refused, and when its wait was over. `early`: when the stated window was, if it was told far longer. */
export type Turn = Stretch & {
  readonly round: number;
  readonly wait: Wait | null;
  readonly early: EarlyCall | null;
};

/** Where no 429 came, but another refusal did: after silence admitted, then refused, while another key is admitted. */
export type OtherRefusal = {
  readonly rested: Exchange;
  readonly refused: readonly Exchange[];
  readonly otherKey: Exchange | null;
};
