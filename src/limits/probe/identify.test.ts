import { describe, expect, it } from 'vitest';
import {
  alwaysRefusing,
  betweenByFactor,
  chanceOf,
  type DrawnKind,
  draw,
  type Gate,
  gate,
  noLimit,
  type Renderer,
  renderers,
  slidingLog,
  steppedRefill,
  tokenBucket,
  twoTiers,
} from '../../../fixtures/limiters/index.ts';
import type { LimitKind } from '../../model/limit-model.ts';
import { seeded } from '../../random.ts';
import { modelOf } from '../model/model-of.ts';
import type { Budget } from '../model/trace.ts';
import { identify } from './identify.ts';
import { virtualProbe } from './testing.ts';

const budget: Budget = { maxRequests: 3000, maxSeconds: 3600 };

const named: Readonly<Partial<Record<DrawnKind, LimitKind>>> = {
  'token bucket': 'token bucket',
  GCRA: 'token bucket',
  'leaky bucket': 'token bucket',
  'stepped refill': 'stepped refill',
  'window aligned': 'window aligned',
  'window from first call': 'window from first call',
  'sliding log': 'sliding log',
  'sliding counter': 'sliding counter',
  concurrency: 'concurrency',
  'counting log': 'sliding log',
};

const seeds = [11, 12, 13, 14];

describe('a seeded sample of every kind', () => {
  it.each(Object.keys(named) as DrawnKind[])('%s: never a confident wrong answer', async (kind) => {
    let identified = 0;
    for (const seed of seeds) {
      const chance = chanceOf(seed * 31);
      const drawn = draw(kind, chance);
      const latencyMs = betweenByFactor(chance, 1, 50);
      const probe = virtualProbe({ gate: drawn.gate, random: seeded(seed), latencyMs, workMs: drawn.workMs });
      const { model, trace } = await identify(probe, budget, seeded(seed));
      expect(modelOf(trace)).toEqual(model);
      if (model.certainty.is !== 'identified') continue;
      identified += 1;
      expect([model.kind, ...model.same], drawn.says).toContain(named[kind]);
      expect(model.explained).toBeGreaterThanOrEqual(0.98);
      expect(model.burst!.low, drawn.says).toBeLessThanOrEqual(drawn.burst!);
      expect(model.burst!.high, drawn.says).toBeGreaterThanOrEqual(drawn.burst!);
    }
    expect(identified).toBeGreaterThanOrEqual(seeds.length - 1);
  });

  it.each(['at random', 'replicas by lot'] as const)('%s is not given a name', async (kind) => {
    for (const seed of seeds) {
      const { gate, workMs } = draw(kind, chanceOf(seed));
      const { model } = await identify(virtualProbe({ gate, workMs, random: seeded(seed) }), budget, seeded(seed));
      expect(model.certainty.is).not.toBe('identified');
    }
  });
});

const ask = (limiter: Gate, more: Partial<Budget> = {}, retryAfter: Renderer = renderers.well, latencyMs = 5) =>
  identify(
    virtualProbe({ gate: limiter, retryAfter, latencyMs, random: seeded(5) }),
    { ...budget, ...more },
    seeded(6),
  );

describe('bad input', () => {
  it('no limit at all', async () => {
    const { model, trace } = await ask(gate(noLimit), { maxRequests: 500 });
    expect(model).toMatchObject({ kind: 'none met', certainty: { is: 'none within budget' } });
    expect(model.atLeast?.calls).toBe(500);
    expect(trace).toHaveLength(500);
  });

  it('429 for ever', async () => {
    const { model } = await ask(gate(alwaysRefusing));
    expect(model).toMatchObject({ kind: 'undetermined', certainty: { is: 'fits badly' }, admitted: 0 });
  });

  it.each([
    'huge',
    'exponent',
    'soon',
    'empty',
    'absent',
    'zero',
    'date',
    'milliseconds',
    'fractional',
    'negative',
  ] as const)('a Retry-After that is %s misleads nobody', async (name) => {
    const { model } = await ask(gate(slidingLog(20, 4000)), {}, renderers[name]);
    expect(model).toMatchObject({
      kind: 'sliding log',
      certainty: { is: 'identified' },
      burst: { value: 20 },
      windowMs: { value: 4000 },
    });
  });

  it('a budget of five calls', async () => {
    const { model, trace, stopped } = await ask(gate(slidingLog(20, 4000)), { maxRequests: 5 });
    expect(trace).toHaveLength(5);
    expect(model.kind).toBe('none met');
    expect(stopped).toBeDefined();
  });

  it('one call an hour is not waited for', async () => {
    const { model, stopped } = await ask(gate(tokenBucket(1, 1 / 3600)), { maxSeconds: 60 });
    expect(model.certainty.is).not.toBe('identified');
    expect(model.atLeast?.calls).toBe(1);
    expect(model.tookMs).toBeLessThanOrEqual(60_000);
    expect(stopped ?? model.closedForMs).toBeDefined();
  });

  it('5,000 a second', async () => {
    const { model } = await ask(gate(tokenBucket(500, 5000)), {}, renderers.well, 1);
    expect(['token bucket', 'undetermined', 'trickle undetermined', 'none met']).toContain(model.kind);
    if (model.certainty.is === 'identified') expect(model.perSecond!.high).toBeGreaterThan(4500);
  });

  it('a way of 300 ms', async () => {
    const { model } = await ask(gate(tokenBucket(30, 2)), {}, renderers.well, 300);
    if (model.certainty.is === 'identified')
      expect(model).toMatchObject({ kind: 'token bucket', burst: { value: 30 } });
    expect(['token bucket', 'trickle undetermined']).toContain(model.kind);
  });

  it('a limit that changes meanwhile is not called certain', async () => {
    const [one, other] = [gate(slidingLog(20, 2000)), gate(slidingLog(7, 5000))];
    let calls = 0;
    const changing: Gate = {
      decide: (now) => (++calls < 60 ? one : other).decide(now),
      leave: () => undefined,
    };
    const { model } = await ask(changing);
    expect(model.certainty.is).not.toBe('identified');
  });

  it('a service that dies while it is probed', async () => {
    const statusOf = (call: number): number | undefined => (call > 30 ? 503 : undefined);
    const probe = virtualProbe({ gate: gate(slidingLog(20, 4000)), statusOf });
    const { stopped, trace } = await identify(probe, budget);
    expect(stopped).toContain('distress');
    expect(trace.length).toBeLessThan(120);
  });
});

describe('budgets', () => {
  it('quick costs less and still knows the family', async () => {
    const [quick, whole] = [
      await ask(gate(tokenBucket(40, 20)), { quick: true }),
      await ask(gate(tokenBucket(40, 20))),
    ];
    expect(quick.trace.length).toBeLessThan(whole.trace.length);
    expect(quick.model.perSecond!.value / 20).toBeCloseTo(1, 1);
  });

  it('a second tier is found by keeping on', async () => {
    const tiers = (): Gate => gate(twoTiers(steppedRefill(10, 10, 1000), slidingLog(300, 60_000)));
    expect((await ask(tiers())).model.secondTier).toBeUndefined();
    const { model, trace, sustainedFrom } = await ask(tiers(), { sustain: 600 });
    expect(model).toMatchObject({ kind: 'window aligned', burst: { value: 10 }, windowMs: { value: 1000 } });
    expect(model.secondTier?.between).toContain('sliding log');
    expect(modelOf(trace, sustainedFrom)).toEqual(model);
  });
});
