/**
 * The prober's one view of a service: calls, silence and time. Implementations use the recorder; tests
 * implement it in virtual time. Times are milliseconds by a monotonic clock.
 */

export interface Decision {
  readonly sentAt: number;
  /** When the answer's head had come. The limiter decided somewhere between the two. */
  readonly headAt: number;
  readonly admitted: boolean;
  /** The header as it stood. */
  readonly retryAfter?: string;
  /** 0: no answer came. Such a call may have been counted or not. */
  readonly status: number;
  /** Sent without a key: a 401 is then what the limit lets through. */
  readonly stranger?: true;
  /** The number of the exchange that this was read from. */
  readonly exchange?: number;
}

/** A missing answer proves nothing. A call that was refused for its key was not counted by the limit, or only afterwards. */
export const isDecided = (decision: Decision): boolean => decision.status !== 0 && !isOut(decision);

/** Turned away for its key, which nobody without one can be. */
export const isOut = ({ status, stranger }: Decision): boolean =>
  stranger === undefined && (status === 401 || status === 403);

export interface Probe {
  now(): number;
  sleep(ms: number): Promise<void>;
  ask(): Promise<Decision>;
  /**
   * Calls all at once, or one every `gapMs` whether or not the earlier ones are answered. Resolves when all are
   * answered, in the order of sending.
   */
  askMany(count: number, gapMs?: number): Promise<readonly Decision[]>;
}

/** Everything that was asked, in the order of sending: enough to derive the model again. */
export type Trace = readonly Decision[];

export interface Budget {
  readonly maxRequests: number;
  readonly maxSeconds: number;
  /** Kind's family, burst, and rate within a tenth; nothing that needs another rest. */
  readonly quick?: boolean;
  /** How many calls beyond the first limit are spent on looking for a second one. 0 or absent: it is not looked for. */
  readonly sustain?: number;
  /** And so long, at most. */
  readonly sustainMs?: number;
}

export const defaultBudget: Budget = { maxRequests: 2000, maxSeconds: 600 };
