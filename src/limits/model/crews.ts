/** Pure: whether experiments side by side are worth the keys that they need. */
import type { Budget } from './trace.ts';

/** How many keys are exhausted to see that each has the same limit. */
const keys = 4;
/** Of a plan's limit, at most, that such a key may have. */
export const mostOfBurst = 1.25;
/** Rests that there is time for: for fewer it is not worth it. */
const rests = 14;
/** With fewer than these, what matters most does not wait for crews. */
const plenty = 25;
/** Of the calls that are left. */
const share = 0.02;

export const isWorthCrews = (
  burst: number,
  restMs: number,
  left: Pick<Budget, 'maxRequests' | 'maxSeconds'>,
): boolean => restMs * rests < left.maxSeconds * 1000 && keys * mostOfBurst * burst <= share * left.maxRequests;

export const isShort = (restMs: number, leftMs: number): boolean => restMs * plenty >= leftMs;
