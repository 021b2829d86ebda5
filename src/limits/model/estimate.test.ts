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
