/** The prober over real sockets. However busy the machine: undetermined is an answer, a confident wrong one is not. */
import { describe, expect, it } from 'vitest';
import {
  alignedWindow,
  type Gate,
  gate,
  leakyBucket,
  slidingLog,
  tokenBucket,
} from '../../../../fixtures/limiters/index.ts';
import { serveGate } from '../../../../fixtures/limiters/serve.ts';
import type { LimitKind } from '../../../model/limit-model.ts';
import { seeded } from '../../../random.ts';
import { modelOf } from '../../model/model-of.ts';
import { identify } from '../../probe/identify.ts';
import { socketProbe } from './testing.ts';

const limiters: readonly (readonly [string, LimitKind, number, () => Gate])[] = [
  ['a token bucket', 'token bucket', 10, () => gate(tokenBucket(10, 5))],
  ['windows of the clock', 'window aligned', 20, () => gate(alignedWindow(20, 1000, 300))],
  ['a sliding log', 'sliding log', 20, () => gate(slidingLog(20, 1000))],
  ['a queue', 'token bucket', 8, () => gate(leakyBucket(8, 10))],
];

describe.concurrent('over real sockets', () => {
  it.each(limiters)('%s is never taken for anything else', async (_, kind, burst, make) => {
    const service = await serveGate(make());
    const probe = socketProbe(service.url);
    try {
      const { model, trace } = await identify(probe, { maxRequests: 1500, maxSeconds: 40 }, seeded(3));
      expect(modelOf(trace)).toEqual(model);
      expect(trace.some(({ admitted }) => !admitted)).toBe(true);
      if (model.certainty.is !== 'identified') return;
      expect(model.kind).toBe(kind);
      expect(model.burst!.low).toBeLessThanOrEqual(burst);
      expect(model.burst!.high).toBeGreaterThanOrEqual(burst);
    } finally {
      probe.close();
      await service.close();
    }
  });

  it('a service that is not there gives no answer, and is left in peace', async () => {
    const service = await serveGate(gate(tokenBucket(10, 5)));
    await service.close();
    const probe = socketProbe(service.url);
    const { model, stopped, trace } = await identify(probe, { maxRequests: 500, maxSeconds: 20 }, seeded(3));
    probe.close();
    expect(stopped).toContain('give no answer');
    expect(trace.length).toBeLessThan(20);
    expect(model.kind).toBe('undetermined');
  });
});
