/** What finding out limits will cost, before it starts: counted in bursts and rests, as runs took them. */
import { areaOf, type Rule } from '../../model/rule.ts';
import { callsOf, isWorthCrews } from './crews.ts';
import type { Budget } from './trace.ts';

export interface Expected {
  /** What the profile or the documentation says, where it does. */
  readonly burst?: number;
  readonly perSecond?: number;
}

export type Asked = Pick<Rule, 'id' | 'rests' | 'late'>;

export interface Cost {
  readonly requests: { readonly likely: number; readonly most: number };
  readonly seconds: { readonly likely: number; readonly most: number };
  /** The rules that are probably decided in that time, and the others. */
  readonly decided: readonly string[];
  readonly undecided: readonly string[];
  /** What all of them would take. */
  readonly whole: { readonly requests: number; readonly seconds: number };
}

/** Where nobody says anything: limits as they are met most. */
const usual = { burst: 20, ofAddress: 100, restMs: 1000 } as const;

/** What no rest explains: requests, and pauses that the experiments need of their own. */
const besides = { whole: 15, quick: 5 };

/** Without models and with few trials. */
const quickShare = 0.5;
/** Side by side, of what one after the other takes. */
const besideShare = 0.55;
/** Those who experiment side by side are looked at first, and some of what they do is done by several. */
const besideCalls = 1.6;

const restOf = ({ burst, perSecond }: Expected): number =>
  burst !== undefined && perSecond !== undefined ? (1000 * burst) / perSecond : usual.restMs;

export interface Planned extends Budget {
  /** Whether experiments may go on side by side. */
  readonly beside?: boolean;
}

/** `rules`: those about limits that are asked. They are asked in this order, those that want numbers last. */
export function estimateAll(rules: readonly Asked[], key: Expected, address: Expected, budget: Planned): Cost {
  const quick = budget.quick === true;
  const [burst, ofAddress] = [key.burst ?? usual.burst, address.burst ?? usual.ofAddress];
  const isBeside = !quick && budget.beside === true && isWorthCrews(burst, ofAddress, restOf(key), budget);
  const all = callsOf(burst, ofAddress) * (isBeside ? besideCalls : 1);
  const calls = quick ? 45 * burst + 500 + 20 * ofAddress : all;
  const share = quick ? quickShare : isBeside ? besideShare : 1;
  const rests = { limit: restOf(key), address: Math.max(restOf(key), restOf(address)) };
  let seconds: number = quick ? besides.quick : besides.whole;
  const [decided, undecided]: [string[], string[]] = [[], []];
  for (const { id, rests: count = 0, late } of rules.toSorted((a, b) => Number(a.late ?? 0) - Number(b.late ?? 0))) {
    if (!(quick && late)) seconds += (share * count * rests[areaOf(id) === 'address' ? 'address' : 'limit']) / 1000;
    (seconds <= budget.maxSeconds ? decided : undecided).push(id);
  }
  const capped = (value: number, most: number): number => Math.min(Math.ceil(value), most);
  return {
    requests: { likely: capped(calls, budget.maxRequests), most: budget.maxRequests },
    seconds: { likely: capped(seconds, budget.maxSeconds), most: budget.maxSeconds },
    decided,
    undecided,
    whole: { requests: Math.ceil(calls), seconds: Math.ceil(seconds) },
  };
}
