import { describe, expect, it } from 'vitest';
import {
  alignedWindow,
  chanceOf,
  countingLog,
  draw,
  exponentialPenalty,
  type Gate,
  gate,
  plainKinds,
  type RendererName,
  renderers,
  slidingLog,
  steppedRefill,
  tokenBucket,
} from '../../../fixtures/limiters/index.ts';
import { exactly, type Fitted } from '../../model/limit-model.ts';
import { seeded } from '../../random.ts';
import { failureBound, hammer, patientTrial, slackOf, summarise } from '../model/retry.ts';
import { identify } from './identify.ts';
import { virtualProbe } from './testing.ts';

const patience = { longestMs: 100_000, maxCalls: 1000, guardMs: 30 };

async function trials(limiter: Gate, name: RendererName, count = 10) {
  const probe = virtualProbe({ gate: limiter, retryAfter: renderers[name], random: seeded(3) });
  const chance = chanceOf(9);
  const all = [];
  for (let trial = 0; trial < count; trial += 1) {
    await probe.sleep(chance() * 5000);
    all.push(await patientTrial(probe, patience));
  }
  return summarise(all);
}

describe('the patient arm', () => {
  it.each([
    ['a bucket', gate(tokenBucket(10, 0.7))],
    ['a window', gate(alignedWindow(10, 7000))],
    ['a log', gate(slidingLog(10, 7000))],
    ['a log that counts refusals', gate(countingLog(10, 7000))],
    ['a doubling penalty', gate(exponentialPenalty(slidingLog(10, 3000), 2000, 60_000))],
  ])('is admitted by %s', async (_, limiter) => {
    expect(await trials(limiter, 'well')).toMatchObject({ trials: 10, admitted: 10, failsAtMost: failureBound(10) });
  });

  it.each(['zero', 'constant', 'roundedDown'] as const)('is sent away where the wait is %s', async (name) => {
    const found = await trials(gate(slidingLog(10, 7000)), name, 20);
    expect(found.refused).toBeGreaterThan(0);
    expect(found.failsAtMost).toBeUndefined();
  });

  it.each(['absent', 'date', 'fractional', 'negative', 'soon', 'empty', 'exponent'] as const)(
    'cannot judge a wait that is %s',
    async (name) => {
      expect(await trials(gate(slidingLog(10, 7000)), name)).toMatchObject({
        admitted: 0,
        refused: 0,
        inconclusive: 10,
      });
    },
  );

  it('accuses nobody of what it spent itself after the refusal', async () => {
    for (let seed = 1; seed <= 40; seed += 1) {
      const chance = chanceOf(seed);
      const limiter = gate(steppedRefill(2, 1, 2000, chance() * 2000));
      const probe = virtualProbe({ gate: limiter, latencyMs: 48, random: seeded(seed) });
      for (let trial = 0; trial < 10; trial += 1) {
        await probe.sleep(chance() * 60_000);
        expect((await patientTrial(probe, patience)).came).not.toBe('refused');
      }
    }
  });

  it('does not wait longer than its patience', async () => {
    const probe = virtualProbe({ gate: gate(slidingLog(10, 7000)), retryAfter: renderers.huge });
    const trial = await patientTrial(probe, { ...patience, longestMs: 1000 });
    expect(trial).toMatchObject({ came: 'inconclusive', toldMs: 86_400_000 });
  });
});

describe('the impatient arm', () => {
  it.each(plainKinds)('gains nothing from a lawful %s', async (kind) => {
    for (const seed of [1, 2, 3]) {
      const drawn = draw(kind, chanceOf(seed));
      const probe = virtualProbe({ gate: drawn.gate, workMs: drawn.workMs, random: seeded(seed) });
      const { model } = await identify(probe, { maxRequests: 3000, maxSeconds: 3600 }, seeded(seed));
      await probe.sleep(200_000);
      const found = await hammer(probe, model, { perSecond: 100, maxCalls: 800, forMs: 8000 });
      expect(found.gains, `${drawn.says}: ${found.admitted} of ${found.allowed}`).toBe(false);
    }
  });

  it('finds a gain', async () => {
    const model: Fitted = { kind: 'sliding log', burst: exactly(10), windowMs: exactly(5000), against: 0 };
    const probe = virtualProbe({ gate: gate(slidingLog(15, 5000)) });
    expect(await hammer(probe, model, { perSecond: 20, maxCalls: 80, forMs: 4000 })).toMatchObject({
      admitted: 15,
      allowed: 10,
      gains: true,
    });
  });
});

it('says what a number of trials proves', () => {
  expect([10, 20, 59, 299].map((trials) => Math.round(100 * failureBound(trials)))).toEqual([26, 14, 5, 1]);
  expect(failureBound(0)).toBe(1);
});

it('measures slack, and what of it is excessive', async () => {
  const watched = async (name: RendererName) => {
    const probe = virtualProbe({ gate: gate(slidingLog(5, 4000)), retryAfter: renderers[name] });
    const trace = [];
    for (let call = 0; call < 200; call += 1) {
      trace.push(await probe.ask());
      await probe.sleep(50);
    }
    return slackOf(trace)!;
  };
  expect((await watched('well')).excessive).toBe(0);
  expect((await watched('well')).mostMs).toBeLessThan(1100);
  const huge = await watched('huge');
  expect(huge.excessive).toBe(huge.seen);
});
