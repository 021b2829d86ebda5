/** A temporarily accepted failure: of which rule, why, by whom, and until when. */
import type { Verdict } from '../model/verdict.ts';

/** What can be waived. A fault of the harness and what could not be determined are nobody's decision. */
export const expectations = ['fail', 'warn', 'untested'] as const satisfies readonly Verdict[];

export type Expectation = (typeof expectations)[number];

export interface Waiver {
  readonly rule: string;
  /** The verdict that the rule has now. */
  readonly expectation: Expectation;
  readonly reason: string;
  readonly owner: string;
  readonly issue?: string;
  /** The last day on which it holds, as `2027-01-31`, by UTC. */
  readonly expires: string;
}

export const waiversName = 'touchstone.waivers.yaml';

/** Days. What lies further away is forgotten before it comes. */
export const longestWaiver = 366;

export const isDay = (text: string): boolean => {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return false;
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
};

/** Whole days from one to the other; negative where the second comes first. */
export const daysBetween = (from: string, to: string): number =>
  Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000);
