/** What the thread receives, and what it reports. */

export interface Orders {
  readonly origin: string;
  readonly base: string;
  readonly actor: string;
  readonly input: string;
  readonly keys: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
  readonly connections: number;
  readonly seconds: number;
  readonly timeoutMs: number;
  readonly seed: number;
}

/** When it began, how long it took, the status or 0, why there was none, and 1 for looked at, 2 for looked at and wrong. */
export const fieldsOfSample = 5;

export interface Batch {
  readonly samples: Float64Array;
  /** One for each sample that was wrong, in their order. */
  readonly wrongs: readonly string[];
  /** How long the thread stood still each time that it did, in ms. */
  readonly stalls: readonly number[];
  /** How much of its core the thread used since the batch before. */
  readonly busy: number;
  /** Why it ended before its time. */
  readonly failure?: string;
}
