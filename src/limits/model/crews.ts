/** Pure: whether experiments side by side are worth the keys that they need. */
import { isProbing, type Rule } from '../../model/rule.ts';
import type { Budget } from './trace.ts';

/**
 * Crews with keys that are made for them: of each, one is exhausted to see that it has the same limit. The last one fits models, which is
 * nobody's promise: there is none where calls are few.
 */
export const crewNames = ['waits', 'paces', 'routes', 'address', 'numbers'] as const;
const usualCrews = crewNames.length - 1;
/** Of a plan's limit, at most, that such a key may have. */
export const mostOfBurst = 1.25;
/** Rests that there is time for: for fewer it is not worth it. */
const rests = 14;
/** With fewer than these, what matters most does not wait for crews. */
const plenty = 25;
/** Of the calls that are left: to see whether the keys are alike, and for everything. */
const share = 0.02;
const wholeShare = 0.8;

/** Fewer rules about limits are no reason to make keys. */
const manyRules = 20;

export const areWorthCrews = (rules: readonly Rule[]): boolean => rules.filter(isProbing).length >= manyRules;

/** What all experiments take, as runs took them. */
export const callsOf = (burst: number, ofAddress: number): number => 100 * burst + 1300 + 32 * ofAddress;

/** Side by side, each experiment spends what it finds: nothing is left for those that come last, where calls are few. */
export const isWorthCrews = (
  burst: number,
  ofAddress: number,
  restMs: number,
  left: Pick<Budget, 'maxRequests' | 'maxSeconds'>,
): boolean =>
  restMs * rests < left.maxSeconds * 1000 &&
  usualCrews * mostOfBurst * burst <= share * left.maxRequests &&
  callsOf(burst, ofAddress) <= wholeShare * left.maxRequests;

/** Times what was expected, so that nobody runs out of calls whoever spends them first. */
const amply = 2;

export const isAmple = (burst: number, ofAddress: number, leftRequests: number): boolean =>
  leftRequests >= amply * callsOf(burst, ofAddress);

/** Whether a limit rests for so long that crews have to wait. */
export const isShort = (restMs: number, leftMs: number): boolean => restMs * plenty >= leftMs;
