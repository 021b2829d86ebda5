/** What is said about a rule, and why. */

export const verdicts = ['pass', 'fail', 'warn', 'observed', 'untested', 'inconclusive', 'error'] as const;

export type Verdict = (typeof verdicts)[number];

export interface Reason {
  /** A `warning` never fails a required rule; a `note` never changes a verdict. */
  readonly weight: 'violation' | 'warning' | 'note';
  readonly expected: string;
  readonly came: string;
  /** The exchange that shows it. */
  readonly exchange?: number;
}

/** Why a finding that is not a pass is accepted: by whom, and until when. It stays what it is, and is shown as waived. */
export interface Waived {
  readonly reason: string;
  readonly owner: string;
  readonly issue?: string;
  /** A day, as `2027-01-31`. */
  readonly expires?: string;
}

/** One verdict a rule, however many exchanges and contexts it took. */
export interface Finding {
  readonly rule: string;
  readonly verdict: Verdict;
  readonly reasons: readonly Reason[];
  /** Observed facts. */
  readonly facts?: readonly string[];
  /** Why it is untested, inconclusive or an error: one sentence, with what to do about it. */
  readonly because?: string;
  /** For a failure that is not everywhere: the smallest description of where it is. */
  readonly where?: string;
  /** For a failure that did not come back every time it was asked in the same way. */
  readonly seen?: { readonly times: number; readonly of: number };
  /** Of a rule about every answer of a kind: how many it looked at, and how many of them were for the profile's own actors and keys. */
  readonly looked?: { readonly exchanges: number; readonly own: number };
  readonly asked: { readonly contexts: number; readonly planned: number; readonly leftOut: readonly string[] };
  /** The exchanges that the reasons rest on, or a few that show what passed. */
  readonly exchanges: readonly number[];
  /** Added to the verdict by the person who runs Touchstone; never derived from exchanges. */
  readonly waived?: Waived;
}
