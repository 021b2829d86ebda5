import { describe, expect, it } from 'vitest';
import {
  alignedWindow,
  betweenByFactor,
  chanceOf,
  countingLog,
  firstCallWindow,
  type Gate,
  gate,
  slidingCounter,
  slidingLog,
  steppedRefill,
  tokenBucket,
} from '../../../fixtures/limiters/index.ts';
import { seeded } from '../../random.ts';
import { admittedWithout, refusedWith } from '../model/replay-bucket.ts';
import { againstCounter } from '../model/replay-counter.ts';
import { againstAligned, againstFirstCall, logOverfull, logWithRoom } from '../model/replay-windows.ts';
import { type Seen, see } from '../model/seen.ts';
import type { Decision } from '../model/trace.ts';
import { virtualProbe } from './testing.ts';

/** Waves and single calls at any time: what the truth is held to must never speak against it. */
async function traceOf(limiter: Gate, seed: number): Promise<Seen> {
  const chance = chanceOf(seed);
  const latencyMs = betweenByFactor(chance, 1, 50);
  const probe = virtualProbe({ gate: limiter, latencyMs, random: seeded(seed) });
  const trace: Decision[] = [];
  for (let round = 0; round < 60; round += 1) {
    await probe.sleep(betweenByFactor(chance, 1, 4000));
    trace.push(...(await probe.askMany(Math.ceil(betweenByFactor(chance, 1, 40)))));
  }
  return see(trace);
}

const seeds = Array.from({ length: 60 }, (_, at) => at + 1);
const steady = (time: number): number => (time * 3) / 1000;

describe('the truth is never spoken against', () => {
  it.each(seeds)('seed %i', async (seed) => {
    // A step or a window is where it is only up to the way there, which shifts all moments alike.
    const zero = <T extends number>(against: readonly T[]): void => expect(Math.min(...against)).toBe(0);
    const shifts = Array.from({ length: 40 }, (_, at) => -at);

    const bucket = await traceOf(gate(tokenBucket(20, 3)), seed);
    expect(admittedWithout(bucket, 20, steady) + refusedWith(bucket, 20, steady)).toBe(0);

    const stepped = await traceOf(gate(steppedRefill(20, 5, 2000)), seed);
    zero(
      shifts.map((shift) => {
        const inflow = (time: number): number => 5 * Math.floor((time - shift) / 2000);
        return admittedWithout(stepped, 20, inflow) + refusedWith(stepped, 20, inflow);
      }),
    );

    const aligned = await traceOf(gate(alignedWindow(20, 3000)), seed);
    zero(shifts.map((shift) => againstAligned(aligned, 20, 3000, shift)));

    const first = await traceOf(gate(firstCallWindow(20, 3000)), seed);
    expect(againstFirstCall(first, 20, 3000)).toBe(0);

    const log = await traceOf(gate(slidingLog(20, 3000)), seed);
    expect(logOverfull(log, 20, 3000) + logWithRoom(log, 20, 3000)).toBe(0);

    const counter = await traceOf(gate(slidingCounter(20, 3000)), seed);
    const at = (phaseMs: number): number =>
      againstCounter(counter, { limit: 20, windowMs: 3000, phaseMs, loose: false });
    zero(shifts.map(at));
  });
});

it('a wrong model is spoken against', async () => {
  const bucket = await traceOf(gate(tokenBucket(20, 3)), 1);
  expect(admittedWithout(bucket, 18, steady)).toBeGreaterThan(0);
  expect(refusedWith(bucket, 22, steady)).toBeGreaterThan(0);
  expect(refusedWith(bucket, 20, (time) => (time * 3.3) / 1000)).toBeGreaterThan(0);
  const log = await traceOf(gate(slidingLog(20, 3000)), 1);
  expect(logOverfull(log, 20, 3500)).toBeGreaterThan(0);
  expect(logWithRoom(log, 20, 2500)).toBeGreaterThan(0);
  const counting = await traceOf(gate(countingLog(20, 3000)), 1);
  expect(logWithRoom(counting, 20, 3000)).toBeGreaterThan(0);
});
