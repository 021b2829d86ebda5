import { describe, expect, it } from 'vitest';
import { type Patience, patientTrial } from './retry.ts';
import type { Decision, Probe } from './trace.ts';

const patience: Patience = { longestMs: 60_000, maxCalls: 40, guardMs: 100 };

/** Refuses from the call number `admits` on, until the wait of the first refusal is over; each refusal may tell another one. */
function service(
  admits: number,
  told: (refusal: number) => number,
  overAtMs = told(1) * 1000,
): Probe & { calls: number } {
  let [now, refusals, until] = [0, 0, Number.POSITIVE_INFINITY];
  const self = {
    calls: 0,
    now: () => now,
    sleep: async (ms: number) => {
      now += ms;
    },
    ask: async (): Promise<Decision> => {
      self.calls += 1;
      const at = now++;
      if (self.calls <= admits || at >= until) return { sentAt: at, headAt: at, admitted: true, status: 200 };
      refusals += 1;
      if (refusals === 1) until = at + overAtMs;
      return { sentAt: at, headAt: at, admitted: false, status: 429, retryAfter: String(told(refusals)) };
    },
    askMany: async (count: number): Promise<Decision[]> => {
      const seen: Decision[] = [];
      for (let call = 0; call < count; call += 1) seen.push(await self.ask());
      return seen;
    },
  };
  return self;
}

describe('a trial of waiting', () => {
  it('goes by the last refusal', async () => {
    const trial = await patientTrial(
      service(5, (refusal) => refusal, 3000),
      patience,
    );
    expect(trial).toMatchObject({ came: 'admitted', toldMs: expect.any(Number) });
    expect(trial.toldMs).toBeGreaterThan(1000);
  });

  it('goes by the first refusal if asked to, and calls no more until the wait is over', async () => {
    const probe = service(5, (refusal) => refusal);
    const trial = await patientTrial(probe, { ...patience, byTheFirst: true });
    expect(trial).toMatchObject({ came: 'admitted', toldMs: 1000, told: '1' });
    expect(probe.calls).toBe(7);
  });

  it('sees that the first refusal told too little, where the later ones tell the rest', async () => {
    const tooLittleAtFirst = (refusal: number): number => (refusal === 1 ? 1 : 3);
    const first = await patientTrial(service(5, tooLittleAtFirst, 2500), { ...patience, byTheFirst: true });
    expect(first).toMatchObject({ came: 'refused', toldMs: 1000 });
    const last = await patientTrial(service(5, tooLittleAtFirst, 2500), patience);
    expect(last).toMatchObject({ came: 'admitted', toldMs: 3000 });
  });

  it('says why it knows nothing', async () => {
    const byTheFirst = true;
    const why = async (probe: Probe): Promise<unknown> => (await patientTrial(probe, { ...patience, byTheFirst })).why;
    expect(await why(service(100, () => 1))).toBe('no call was refused');
    expect(await why(service(5, () => 90))).toBe('the wait is longer than the patience');
    expect(await why(service(5, () => Number.NaN))).toBe('the wait is unreadable');
  });
});
