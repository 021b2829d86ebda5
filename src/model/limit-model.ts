/** What is known about a limit, as data. */

export const limitKinds = [
  'token bucket',
  'stepped refill',
  'window aligned',
  'window from first call',
  'sliding log',
  'sliding counter',
  'trickle undetermined',
  'window undetermined',
  'undetermined',
  'concurrency',
  'none met',
] as const;

export type LimitKind = (typeof limitKinds)[number];

/** Kinds that can be replayed, because they have numbers. */
export const plainKinds = [
  'token bucket',
  'stepped refill',
  'window aligned',
  'window from first call',
  'sliding log',
  'sliding counter',
  'concurrency',
] as const satisfies readonly LimitKind[];

export type PlainKind = (typeof plainKinds)[number];

/** A number and the interval that the trace leaves it. */
export interface Measured {
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

export const exactly = (value: number): Measured => ({ value, low: value, high: value });

/** One kind with its numbers, and how well it explains a trace. */
export interface Fitted {
  readonly kind: PlainKind;
  /** Calls at once after a rest; for `concurrency`, calls in flight. */
  readonly burst: Measured;
  readonly perSecond?: Measured;
  /** Length of the window, or of the step. */
  readonly windowMs?: Measured;
  /** Where a window or step begins, modulo its length, by the probe's clock. */
  readonly phaseMs?: Measured;
  /** Tokens a step. */
  readonly quantum?: number;
  /** Admitted calls are held back, one every 1/rate: a queue stands before the limit. */
  readonly delays?: true;
  /** Refused calls are counted like admitted ones, or restart the window: a caller that does not wait is never admitted again. */
  readonly countsRefusals?: true;
  /** Decisions that this model cannot have made. */
  readonly against: number;
}

export const limitScopes = ['key', 'address', 'pair', 'all keys', 'callers without a key', 'undetermined'] as const;

/** Whose a limit is. `pair`: of a key at an address. */
export type LimitScope = (typeof limitScopes)[number];

/** A limit as it was found: the model, and the calls that it follows from. */
export interface FoundLimit {
  /** Who called: `main`, `no key`. */
  readonly caller: string;
  readonly tier?: string;
  readonly scope: LimitScope;
  /** Which request was repeated. */
  readonly route: string;
  readonly model: LimitModel;
  /** The numbers of the exchanges, in the order of sending. */
  readonly calls: readonly number[];
  /** Milliseconds of the run; from then on every refusal is a second limit's. */
  readonly sustainedFrom?: number;
  /** Why looking ended before it was done. */
  readonly stopped?: string;
}

export type Certainty =
  | { readonly is: 'identified' }
  | { readonly is: 'undetermined'; readonly between: readonly LimitKind[] }
  | { readonly is: 'fits badly'; readonly why: string }
  | { readonly is: 'none within budget' };

/** What calling does to a refused caller. */
export const penalties = ['refusals count', 'refusals begin the window anew', 'refusals lengthen the wait'] as const;

export type Penalising = (typeof penalties)[number];

/** What each of several copies behind one address would have, if it is copies. */
export interface PerReplica {
  readonly copies: number;
  readonly burst: number;
  readonly perSecond: number;
}

export interface RetryAfterSeen {
  readonly refusals: number;
  readonly absent: number;
  /** No whole number of seconds. */
  readonly unreadable: number;
  /** The longest stated wait. */
  readonly toldMs?: number;
  /** The least that calls were admitted before the time that the last refusal stated, and the most. */
  readonly slackMs?: Measured;
}

export interface SecondTier {
  /** How many calls were admitted before it refused one, and in which time. */
  readonly met: { readonly calls: number; readonly inMs: number };
  readonly between: readonly LimitKind[];
  readonly fitted?: Fitted;
}

export interface LimitModel {
  readonly kind: LimitKind;
  readonly certainty: Certainty;
  /** Kinds that with these numbers are the same thing seen from outside: a burst of one knows no window. */
  readonly same: readonly LimitKind[];
  readonly burst?: Measured;
  readonly perSecond?: Measured;
  readonly windowMs?: Measured;
  readonly phaseMs?: Measured;
  readonly quantum?: number;
  readonly delays?: true;
  readonly countsRefusals?: true;
  /** Only where it was seen. Absent if calling too soon had no penalty, or nothing is known about it. */
  readonly penalising?: Penalising;
  /** Only where copies that are called in turn would explain it as well. */
  readonly perReplica?: PerReplica;
  /** A wider limit behind the first, where one was looked for and met. */
  readonly secondTier?: SecondTier;
  /** Where one was looked for: so many calls at the first limit's own pace, in so long. */
  readonly sustained?: { readonly calls: number; readonly inMs: number };
  /** If the kind is undetermined: how many calls were admitted in which time. */
  readonly atLeast?: { readonly calls: number; readonly inMs: number };
  /** Nothing was admitted for this long, and then the time or the patience ended. */
  readonly closedForMs?: number;
  readonly retryAfter: RetryAfterSeen;
  /** All that fit, best first; those that explain the trace and those that come close. */
  readonly candidates: readonly Fitted[];
  readonly decisions: number;
  readonly admitted: number;
  /** The share of decisions that the model can have made. */
  readonly explained: number;
  readonly tookMs: number;
}
