/** What finding out a limit will cost, before it starts. From the bench: a few bursts, a few rests, and looking on. */
import type { Budget } from './trace.ts';

export interface Expected {
  /** What the profile or the documentation says, where it does. */
  readonly burst?: number;
  readonly perSecond?: number;
  readonly windowMs?: number;
}

export interface Cost {
  readonly requests: { readonly likely: number; readonly most: number };
  readonly seconds: { readonly likely: number; readonly most: number };
}

export function estimate({ burst, perSecond, windowMs }: Expected, budget: Budget): Cost {
  const quick = budget.quick === true;
  const recovery =
    windowMs ?? (burst !== undefined && perSecond !== undefined ? (1000 * burst) / perSecond : undefined);
  // A window is filled again and again, to see when it empties; a bucket shows its rate while it fills.
  const isWindow = windowMs !== undefined;
  const bursts = (quick ? 2.5 : 5) * (isWindow ? 1.5 : 1) + (quick && isWindow ? 1 : 0);
  const rests = isWindow ? (quick ? 2.5 : 8.5) : quick ? 1.5 : 6;
  const requests = burst === undefined ? (quick ? 120 : 300) : bursts * burst + (quick ? 40 : 90);
  const seconds = recovery === undefined ? 60 : (rests * recovery) / 1000 + 5;
  const sustain = budget.sustain ?? 0;
  const capped = (value: number, most: number): number => Math.min(Math.ceil(value), most);
  return {
    requests: {
      likely: capped(requests + sustain, budget.maxRequests),
      most: burst === undefined ? budget.maxRequests : capped(4 * requests + 500 + sustain, budget.maxRequests),
    },
    seconds: {
      likely: capped(seconds, budget.maxSeconds),
      most: recovery === undefined ? budget.maxSeconds : capped(4 * seconds + 30, budget.maxSeconds),
    },
  };
}
