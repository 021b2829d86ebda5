import { expect, it } from 'vitest';
import { catalogue } from '../../../suites/index.ts';
import { areaOf } from '../../model/rule.ts';
import { type Asked, estimateAll } from './estimate.ts';

const rules = catalogue.filter(({ id }) => ['limit', 'address'].includes(areaOf(id)));
const key = { burst: 20, perSecond: 20 };
const address = { burst: 150, perSecond: 100 };
const budget = { maxRequests: 20_000, maxSeconds: 300 };

it('tells calls and time before they are spent', () => {
  const known = estimateAll(rules, key, address, budget);
  // The embedded service took 7,802 calls and 105 s.
  expect(known.requests.likely).toBe(8100);
  expect(known.seconds.likely).toBeGreaterThan(70);
  expect(known.seconds.likely).toBeLessThan(157);
  expect(known.undecided).toEqual([]);
  const quick = estimateAll(rules, key, address, { ...budget, quick: true });
  expect(quick.requests.likely).toBeLessThan(known.requests.likely / 1.5);
  expect(quick.seconds.likely).toBeLessThan(known.seconds.likely / 1.5);
  expect(estimateAll(rules, {}, {}, { ...budget, maxRequests: 1000 }).requests.most).toBe(1000);
});

it('expects less time where experiments go on side by side', () => {
  const low = { burst: 8, perSecond: 8 / 3 };
  const ofAddress = { burst: 60, perSecond: 20 };
  const inTurn = estimateAll(rules, low, ofAddress, { ...budget, maxSeconds: 600 });
  const beside = estimateAll(rules, low, ofAddress, { ...budget, maxSeconds: 600, beside: true });
  // Such a service took 227 s on the virtual clock, and more than 300 s one after the other.
  expect(inTurn.seconds.likely).toBeGreaterThan(300);
  expect(beside.seconds.likely).toBeGreaterThan(227 / 1.5);
  expect(beside.seconds.likely).toBeLessThan(227 * 1.5);
  const few = estimateAll(rules, low, ofAddress, { ...budget, maxRequests: 2000, maxSeconds: 600, beside: true });
  expect(few.seconds.likely).toBe(inTurn.seconds.likely);
});

it('tells which rules the time is enough for, in the order in which they are asked', () => {
  const three: readonly Asked[] = [
    { id: 'limit.model', rests: 8, late: true },
    { id: 'limit.exists', rests: 2 },
    { id: 'address.exists', rests: 3 },
    { id: 'address.retry-after' },
  ];
  const inMinutes = { burst: 60, perSecond: 1 };
  const cost = estimateAll(three, inMinutes, { burst: 240, perSecond: 2 }, budget);
  expect(cost.decided).toEqual(['limit.exists']);
  expect(cost.undecided).toEqual(['address.exists', 'address.retry-after', 'limit.model']);
  expect(cost.seconds).toEqual({ likely: 300, most: 300 });
  expect(cost.whole.seconds).toBe(15 + 2 * 60 + 3 * 120 + 8 * 60);
  const enough = estimateAll(three, inMinutes, {}, { ...budget, maxSeconds: cost.whole.seconds });
  expect(enough.undecided).toEqual([]);
});
