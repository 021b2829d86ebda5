/** When probing must stop, what it says then, and that nothing else stops it. */
import { describe, expect, it } from 'vitest';
import {
  concurrencyLimit,
  type Gate,
  gate,
  leakyBucket,
  noLimit,
  slidingLog,
  tokenBucket,
} from '../../../fixtures/limiters/index.ts';
import { seeded } from '../../random.ts';
import { describe as inWords } from '../model/describe.ts';
import { identify } from './identify.ts';
import { type VirtualOptions, virtualProbe } from './testing.ts';

const budget = { maxRequests: 3000, maxSeconds: 3600 };

const probing = (options: VirtualOptions) =>
  identify(virtualProbe({ random: seeded(5), ...options }), budget, seeded(6));

const log = (): Gate => gate(slidingLog(20, 4000));

describe('distress', () => {
  it.each([
    ['fails', 503, '5xx'],
    ['dies', 0, 'no answer'],
  ])('of a service that %s', async (_, status, says) => {
    const { stopped, trace, model } = await probing({
      gate: log(),
      statusOf: (call) => (call > 40 ? status : undefined),
    });
    expect(stopped).toContain('distress');
    expect(stopped).toContain(says);
    expect(trace.length).toBeLessThan(90);
    expect(model.certainty.is).not.toBe('identified');
  });

  it('of one that answers ten times as slowly as at first', async () => {
    const { stopped, trace } = await probing({
      gate: gate(noLimit),
      latencyMs: 30,
      slower: (call) => (call > 60 ? 20 : 1),
    });
    expect(stopped).toMatch(/distress: it takes \d+ ms for what took \d+ ms at first/);
    expect(trace.length).toBeLessThan(700);
  });

  it('is not seen in a spike now and then', async () => {
    const { stopped, model } = await probing({
      gate: log(),
      latencyMs: 30,
      slower: (call) => (call % 17 === 0 ? 15 : 1),
    });
    expect(stopped).toBeUndefined();
    if (model.certainty.is === 'identified') expect(model.kind).toBe('sliding log');
  });

  it.each([
    ['a queue', { gate: gate(leakyBucket(10, 2)) }],
    ['a slow queue of one', { gate: gate(leakyBucket(1, 0.5)) }],
    ['work that takes its time', { gate: gate(concurrencyLimit(4)), workMs: 900 }],
    ['300 ms and jitter', { gate: gate(tokenBucket(30, 2)), latencyMs: 300 }],
  ])('is not %s', async (_, options) => {
    expect((await probing(options)).stopped).toBeUndefined();
  });
});

describe('a key', () => {
  it.each([401, 403])('that is revoked meanwhile stops it, and is no limit (%i)', async (status) => {
    const { stopped, model, trace } = await probing({
      gate: log(),
      statusOf: (call) => (call > 30 ? status : undefined),
    });
    expect(stopped).toBe(`the key is no longer accepted: since call 31, calls are answered with ${status}`);
    expect(trace.length).toBeLessThan(120);
    expect(model.decisions).toBe(30);
    expect(model.certainty.is).not.toBe('identified');
  });

  it('that was never accepted is asked with once', async () => {
    const { stopped, model, trace } = await probing({ gate: log(), statusOf: () => 401 });
    expect(stopped).toBe('the key is not accepted: calls are answered with 401');
    expect(trace).toHaveLength(1);
    expect(model).toMatchObject({ kind: 'undetermined', certainty: { is: 'fits badly' } });
    expect(inWords(model).join(' ')).toContain('says anything about a limit');
  });
});
