/** What a search will cost, before it starts. */
import { leastRate, type Search } from './search.ts';
import { secondsFor } from './step.ts';

export interface SearchCost {
  /** `likely` where the first guess is as good as any, `most` where the last rate holds and steps stay undecided. */
  readonly steps: { readonly likely: number; readonly most: number };
  readonly seconds: { readonly likely: number; readonly most: number };
  readonly requests: { readonly likely: number; readonly most: number };
}

/** Seconds that a step takes besides: the generator starts, the last answers come in. */
const besides = 4;

/** `expected`: the capacity as far as anybody knows it; if omitted, the middle of the ladder. */
export function costOf(search: Search, expected?: number): SearchCost {
  const middle = Math.sqrt(search.from * Math.max(search.from, search.most));
  const likely = walk(search, Math.min(search.most, Math.max(leastRate(search), expected ?? middle)));
  const top = walk(search, search.most);
  const { tries } = search;
  return {
    steps: { likely: likely.steps, most: top.steps * tries },
    seconds: { likely: likely.seconds, most: top.seconds * tries },
    requests: { likely: likely.requests, most: top.requests * tries },
  };
}

/** The steps of a search that finds this rate at once. */
function walk(search: Search, knee: number): { steps: number; seconds: number; requests: number } {
  const { from, most, precision, promise, stepSeconds, confirmSeconds, warmUpSeconds } = search;
  const total = { steps: 0, seconds: 0, requests: 0 };
  const take = (perSecond: number, atLeast: number): void => {
    const seconds = warmUpSeconds + secondsFor(perSecond, promise.percent, atLeast);
    total.steps += 1;
    total.seconds += seconds + besides;
    total.requests += Math.ceil(perSecond * seconds);
  };
  let [low, high] = [0, Number.POSITIVE_INFINITY];
  for (let rate = Math.min(from, most); low === 0 || high === Number.POSITIVE_INFINITY; ) {
    take(rate, stepSeconds);
    if (rate <= knee) low = rate;
    else high = rate;
    if (rate === most && low === most) break;
    if (rate <= leastRate(search)) break;
    rate = low === 0 ? rate / 2 : Math.min(2 * rate, most);
  }
  while (low > 0 && high < Number.POSITIVE_INFINITY && high / low > 1 + precision) {
    const rate = Math.sqrt(low * high);
    take(rate, stepSeconds);
    if (rate <= knee) low = rate;
    else high = rate;
  }
  if (low === 0) return total;
  take(0.9 * low, confirmSeconds);
  if (low < most) take(Math.min(1.1 * low, most), confirmSeconds);
  return total;
}
