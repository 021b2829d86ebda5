/** What finding out limits will cost, before it starts: counted in bursts and rests, as runs over sockets took them. */
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

/** What all rules about limits together will cost, a limit of keys and one of addresses: counted in bursts and rests. */
export function estimateAll(key: Expected, address: Expected, budget: Budget): Cost {
  const quick = budget.quick === true;
  const restOf = ({ windowMs, burst, perSecond }: Expected, otherwise: number): number =>
    windowMs ?? (burst !== undefined && perSecond !== undefined ? (1000 * burst) / perSecond : otherwise);
  const calls =
    (quick ? 45 : 100) * (key.burst ?? usual.burst) +
    (quick ? 500 : 1300) +
    (quick ? 20 : 32) * (address.burst ?? usual.ofAddress);
  const seconds =
    (quick ? 5 : 15) +
    ((quick ? 16 : 32) * restOf(key, usual.restMs) + (quick ? 5 : 12) * restOf(address, usual.restMs)) / 1000;
  const capped = (value: number, most: number): number => Math.min(Math.ceil(value), most);
  return {
    requests: { likely: capped(calls, budget.maxRequests), most: budget.maxRequests },
    seconds: { likely: capped(seconds, budget.maxSeconds), most: budget.maxSeconds },
  };
}

/** Where nobody says anything: limits as they are met most. */
const usual = { burst: 20, ofAddress: 100, restMs: 1000 } as const;
