/** Bans of every kind, copies in turn, clocks that jump: named if they can be determined, and never named wrongly. */
import { describe, expect, it } from 'vitest';
import {
  alignedWindow,
  chanceOf,
  countingLog,
  draw,
  exponentialPenalty,
  firstCallWindow,
  type Gate,
  gate,
  type Renderer,
  renderers,
  replicas,
  restartingWindow,
  slidingLog,
  tokenBucket,
} from '../../../fixtures/limiters/index.ts';
import type { LimitModel } from '../../model/limit-model.ts';
import { seeded } from '../../random.ts';
import { describe as inWords, summary } from '../model/describe.ts';
import { modelOf } from '../model/model-of.ts';
import { identify } from './identify.ts';
import { virtualProbe } from './testing.ts';

const budget = { maxRequests: 3000, maxSeconds: 3600 };

async function found(limiter: Gate, seed = 1, retryAfter: Renderer = renderers.well): Promise<LimitModel> {
  const probe = virtualProbe({ gate: limiter, retryAfter, random: seeded(seed) });
  const { model, trace } = await identify(probe, budget, seeded(seed + 1));
  expect(modelOf(trace)).toEqual(model);
  return model;
}

const waits = [
  ['told', renderers.well],
  ['untold', renderers.absent],
] as const;

describe.each(waits)('waits that are %s', (_, renderer) => {
  it.each([1, 2, 3])('refusals that count are detected (%i)', async (seed) => {
    const model = await found(gate(countingLog(10, 5000)), seed, renderer);
    expect(model).toMatchObject({ kind: 'sliding log', penalising: 'refusals count', burst: { value: 10 } });
    expect(inWords(model).join(' ')).toContain('a caller that keeps calling stays out');
  });

  it.each([1, 2, 3])('refusals that restart the window are detected (%i)', async (seed) => {
    const model = await found(gate(restartingWindow(20, 5000)), seed, renderer);
    const kind = 'window from first call';
    expect(model).toMatchObject({ kind, penalising: 'refusals begin the window anew', burst: { value: 20 } });
  });

  it.each([1, 2, 3, 4, 5, 6])('a ban that grows is never given a name (%i)', async (seed) => {
    const { gate: limiter } = draw('exponential penalty', chanceOf(seed));
    expect((await found(limiter, seed, renderer)).certainty.is).not.toBe('identified');
  });

  it.each([1, 2, 3, 4, 5, 6])('a ban of its own length is never taken for a window (%i)', async (seed) => {
    const { gate: limiter } = draw('fixed ban', chanceOf(seed));
    expect((await found(limiter, seed, renderer)).certainty.is).not.toBe('identified');
  });

  it.each([
    ['a window', () => gate(firstCallWindow(20, 5000))],
    ['a log', () => gate(slidingLog(20, 5000))],
    ['windows of the clock', () => gate(alignedWindow(20, 5000))],
    ['a bucket', () => gate(tokenBucket(20, 4))],
  ])('%s punishes nobody', async (_, make) => {
    const model = await found(make(), 1, renderer);
    expect(model.certainty.is).toBe('identified');
    expect(model.penalising).toBeUndefined();
  });
});

it.each([1, 2, 3, 4])('a ban that doubles is reported as growing, from its Retry-After (%i)', async (seed) => {
  const model = await found(gate(exponentialPenalty(slidingLog(5, 2000), 2000, 120_000)), seed);
  expect(model.certainty.is).not.toBe('identified');
  expect(model.penalising).toBe('refusals lengthen the wait');
  expect(inWords(model).join(' ')).toContain('for longer and longer');
});

describe('copies in turn', () => {
  it('of a bucket are one bucket, or a step that says how many they may be', async () => {
    const models: LimitModel[] = [];
    for (const seed of [1, 2, 3, 4, 5, 6, 7, 8]) models.push(await found(gate(replicas(4, tokenBucket(5, 3.7))), seed));
    for (const { kind, certainty, burst, perReplica } of models) {
      if (certainty.is === 'identified')
        expect({ kind, burst: burst!.value }).toEqual({ kind: 'token bucket', burst: 20 });
      if (perReplica !== undefined) expect(perReplica.copies).toBe(4);
    }
  });

  it('by lot fit nothing', async () => {
    for (const seed of [1, 2, 3]) {
      const { gate: limiter } = draw('windows by lot', chanceOf(seed));
      expect((await found(limiter, seed)).certainty.is).not.toBe('identified');
    }
  });
});

describe('what changes meanwhile', () => {
  /** The service's clock is set, once, after this many calls. */
  const stepped = (make: () => Gate, after: number, byMs: number): Gate => {
    const inner = make();
    let calls = 0;
    const clock = (now: number): number => now + (calls > after ? byMs : 0);
    return {
      decide: (now) => {
        calls += 1;
        return inner.decide(clock(now));
      },
      leave: () => undefined,
    };
  };

  it.each([20, 60, 100, 150])('a clock that is set after %i calls gives no wrong window', async (after) => {
    for (const byMs of [-1700, 900, 3300]) {
      const model = await found(
        stepped(() => gate(alignedWindow(20, 4000)), after, byMs),
        after,
      );
      if (model.certainty.is !== 'identified') continue;
      expect(model).toMatchObject({ kind: 'window aligned', burst: { value: 20 }, windowMs: { value: 4000 } });
    }
  });

  it.each([30, 60, 90, 140])('a limit that changes after %i calls gives none of both wrongly', async (after) => {
    const [before, later] = [gate(slidingLog(20, 2000)), gate(slidingLog(7, 5000))];
    let calls = 0;
    const model = await found({
      decide: (now) => (++calls < after ? before : later).decide(now),
      leave: () => undefined,
    });
    if (model.certainty.is !== 'identified') return;
    expect([20, 7]).toContain(model.burst!.value);
    expect([2000, 5000]).toContain(model.windowMs!.value);
  });
});

it('a queue is called one', async () => {
  const { gate: limiter } = draw('leaky bucket', chanceOf(4));
  const model = await found(limiter);
  expect(model).toMatchObject({ kind: 'token bucket', delays: true });
  expect(summary(model)).toMatch(/^leaky bucket, which queues before it refuses: /);
});
