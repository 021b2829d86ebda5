/** How many calls a rested caller has, and what a rest is, without any model: in virtual time, over a wire that takes its time. */
import { describe, expect, it } from 'vitest';
import {
  alignedWindow,
  firstCallWindow,
  type Gate,
  gate,
  slidingLog,
  tokenBucket,
} from '../../../fixtures/limiters/index.ts';
import type { Exchange } from '../../model/exchange.ts';
import { Prober } from './prober.ts';
import { meet } from './rested.ts';

/** One caller at a time would be enough; waves are answered in sequence. */
function proberOf(limiter: Gate): Prober {
  let now = 0;
  let id = 0;
  return new Prober(
    {
      now: () => now,
      sleep: async (ms) => {
        now += ms;
      },
      send: async () => {
        const sent = now;
        now += 0.5;
        const { admitted, retryAfterMs } = limiter.decide(now);
        now += 0.5;
        id += 1;
        const headers = admitted ? [] : [['Retry-After', String(Math.max(1, Math.ceil(retryAfterMs / 1000)))]];
        const response = { status: admitted ? 200 : 429, headers };
        return {
          id,
          request: { headers: [['x-api-key', 'a']] },
          response,
          at: { sent, head: now, end: now },
        } as unknown as Exchange;
      },
    },
    { maxRequests: 5000, maxSeconds: 600 },
  );
}

const limiters: readonly (readonly [string, () => Gate, number, number])[] = [
  ['a bucket', () => gate(tokenBucket(20, 10)), 20, 2000],
  ['a slow bucket', () => gate(tokenBucket(8, 0.5)), 8, 16_000],
  ['a window from the first call', () => gate(firstCallWindow(15, 3000)), 15, 3000],
  ['windows of the clock', () => gate(alignedWindow(30, 4000, 900)), 30, 4000],
  ['a log', () => gate(slidingLog(12, 2500)), 12, 2500],
];

describe('a rest', () => {
  it.each(limiters)('%s', async (_, make, burst, spanMs) => {
    const met = await meet(proberOf(make()), { keys: [null] }, 'verify', 2000);
    expect(met.burst).toBeGreaterThanOrEqual(burst);
    expect(met.burst).toBeLessThanOrEqual(2 * burst + 2);
    expect(met.restMs).toBeGreaterThan(0.8 * spanMs);
    expect(met.restMs).toBeLessThan(4 * spanMs + 2000);
  });

  it('nobody needs one where nobody is refused', async () => {
    const free = gate(tokenBucket(1e9, 1e9));
    const { calls, restMs } = await meet(proberOf(free), { keys: [null] }, 'verify', 300);
    expect(calls.length).toBe(300);
    expect(restMs).toBe(0);
  });
});
