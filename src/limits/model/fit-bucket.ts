/** The numbers of a token bucket that a trace leaves possible. */
import { exactly, type Fitted, type Measured } from '../../model/limit-model.ts';
import { admittedWithout, type Inflow, offInTheMiddle, refusedWith } from './replay-bucket.ts';
import type { Seen } from './seen.ts';

/** Tokens a millisecond: from one in a day to 20,000 in a second. */
const slowest = 1e-8;
const fastest = 20;

const steady =
  (perMs: number): Inflow =>
  (time) =>
    time * perMs;

interface Rates {
  /** Below this, some call was admitted without a token. */
  readonly low: number;
  /** Above this, some call was refused although there was a token. */
  readonly high: number;
}

function ratesFor(seen: Seen, burst: number, rounds: number): Rates {
  // Two bisections on a scale of factors, for rates span nine orders of magnitude.
  const search = (isTooLow: (rate: number) => boolean): number => {
    let from = Math.log(slowest);
    let to = Math.log(fastest);
    for (let round = 0; round < rounds; round += 1) {
      const middle = (from + to) / 2;
      if (isTooLow(Math.exp(middle))) from = middle;
      else to = middle;
    }
    return Math.exp((from + to) / 2);
  };
  return {
    low: search((rate) => admittedWithout(seen, burst, steady(rate), 1) > 0),
    high: search((rate) => refusedWith(seen, burst, steady(rate), 1) === 0),
  };
}

/** How far a burst is from being possible: below 1 it is. */
const strain = ({ low, high }: Rates): number => low / high;

export const bucketAgainst = (seen: Seen, burst: number, perMs: number): number =>
  admittedWithout(seen, burst, steady(perMs)) + refusedWith(seen, burst, steady(perMs));

/**
 * A bigger bucket must be slower and a smaller one faster to let the same calls in. How badly a size fits has a valley;
 * what was admitted first is at its upper end, so sizes are tried more densely there.
 */
export function fitBucket(seen: Seen): Fitted | undefined {
  if (seen.admitted === 0 || seen.size === seen.admitted) return undefined;
  const known = new Map<number, Rates>();
  const rates = (burst: number): Rates => {
    let found = known.get(burst);
    if (found === undefined) {
      found = ratesFor(seen, burst, 18);
      known.set(burst, found);
    }
    return found;
  };
  const most = mostAtOnce(seen);
  let best = most;
  for (let less = 0; less < most; less = Math.max(less + 1, Math.floor(less * 1.5))) {
    if (strain(rates(most - less)) < strain(rates(best))) best = most - less;
  }
  for (let step = Math.ceil((most - best) / 4); step >= 1; step = step === 1 ? 0 : Math.ceil(step / 2)) {
    for (const other of [best - step, best + step]) {
      if (other >= 1 && other <= most && strain(rates(other)) < strain(rates(best))) best = other;
    }
  }
  // Rates may lie closer together than the search is fine.
  for (const near of around(best, most)) {
    const its = strain(rates(near));
    if (its > 1 && its < 1.001) known.set(near, ratesFor(seen, near, 36));
    if (strain(rates(near)) < strain(rates(best))) best = near;
  }
  const { low, high } = rates(best);
  if (low > high) return leastBad(seen, best, low, high);
  const isPossible = (burst: number): boolean => strain(rates(burst)) <= 1;
  const tried = [...known.keys()].filter(isPossible);
  const sizes = [...new Set(tried.flatMap((size) => possibleSizes(size, isPossible, most)))].sort((a, b) => a - b);
  const all = sizes.map(rates);
  const likely = likeliest(seen, sizes, rates);
  const rate = inside(seen, likely.burst, likely.rate, rates(likely.burst));
  return {
    kind: 'token bucket',
    burst: { value: likely.burst, low: sizes[0]!, high: sizes.at(-1)! },
    perSecond: perSecond(rate, Math.min(...all.map((r) => r.low)), Math.max(...all.map((r) => r.high))),
    against: bucketAgainst(seen, likely.burst, rate),
  };
}

/** What is most likely may lie at the very edge of what is possible: a little further in, nothing contradicts it. */
function inside(seen: Seen, burst: number, rate: number, { low, high }: Rates): number {
  const middle = (low + high) / 2;
  const steps = [0, 0.001, 0.01, 0.1, 0.5].map((part) => rate + part * (middle - rate));
  return steps.find((each) => bucketAgainst(seen, burst, each) === 0) ?? rate;
}

/** Of all that is possible, what would be right if every decision had been made in the middle of its interval. */
function likeliest(
  seen: Seen,
  sizes: readonly number[],
  rates: (burst: number) => Rates,
): { burst: number; rate: number } {
  let best = { burst: 0, rate: 0, off: Number.POSITIVE_INFINITY };
  for (const burst of sizes) {
    let { low, high } = rates(burst);
    for (let round = 0; round < 3; round += 1) {
      const factor = (high / low) ** (1 / 12);
      const offs = Array.from({ length: 13 }, (_, step) => offInTheMiddle(seen, burst, steady(low * factor ** step)));
      const least = Math.min(...offs);
      const from = offs.findIndex((off) => off <= least + 1e-3);
      const to = offs.findLastIndex((off) => off <= least + 1e-3);
      // Where many rates are equally likely, the one in their middle is the least wrong.
      if (least < best.off - 1e-3 || best.burst === burst) {
        best = { burst, rate: low * factor ** ((from + to) / 2), off: Math.min(least, best.off) };
      }
      [low, high] = [low * factor ** Math.max(0, from - 1), low * factor ** Math.min(12, to + 1)];
    }
  }
  return best;
}

const around = (size: number, most: number): number[] =>
  [size, size - 1, size + 1].filter((each) => each >= 1 && each <= most);

const perSecond = (value: number, low: number, high: number): Measured => ({
  value: value * 1000,
  low: low * 1000,
  high: high * 1000,
});

/** No more can ever have been in the bucket than were admitted before the first refusal. */
const mostAtOnce = (seen: Seen): number => Math.max(seen.opening, 1) + (seen.later[seen.ok.indexOf(0)] ?? 0);

function possibleSizes(best: number, isPossible: (burst: number) => boolean, most: number): number[] {
  let low = best;
  let high = best;
  while (low > 1 && best - low < 6 && isPossible(low - 1)) low -= 1;
  while (high < most && high - best < 6 && isPossible(high + 1)) high += 1;
  return Array.from({ length: high - low + 1 }, (_, at) => low + at);
}

function leastBad(seen: Seen, burst: number, low: number, high: number): Fitted {
  let least = { rate: low, against: Number.POSITIVE_INFINITY };
  for (let step = 0; step <= 12; step += 1) {
    const rate = high * (low / high) ** (step / 12);
    const against = bucketAgainst(seen, burst, rate);
    if (against < least.against) least = { rate, against };
  }
  return {
    kind: 'token bucket',
    burst: exactly(burst),
    perSecond: perSecond(least.rate, Math.min(low, high), Math.max(low, high)),
    against: least.against,
  };
}
