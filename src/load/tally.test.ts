import { describe, expect, test } from 'vitest';
import type { Phase } from '../../load/shared/phases.ts';
import { scenarios } from '../../load/shared/scenarios.ts';
import { seeded } from '../random.ts';
import { Histogram } from '../statistics/histogram.ts';
import type { Sample } from './samples.ts';
import { Tally } from './tally.ts';

const settings = {
  perSecond: 100,
  seconds: 4,
  warmUpSeconds: 1,
  limitPerSecond: 5,
  quietPerSecond: 10,
  keys: 2,
  restSeconds: 1,
};
const one = [{ name: 'run', share: 1 }];

/** All slots of a schedule that lies somewhere on the generator's clock; `change` says what was otherwise. */
function samplesOf(
  phases: readonly Phase[],
  startMs: number,
  change: (slot: number) => Partial<Sample> & { lagMs?: number } = () => ({}),
) {
  return phases.flatMap((phase, at) =>
    Array.from({ length: phase.slotsWithin() + 3 }, (_, slot): Sample => {
      const { lagMs = 0, ...more } = change(slot);
      const beganMs = startMs + phase.from * 1000 + phase.slotAt(slot) + lagMs;
      return { phase: at, operation: 0, slot, beganMs, tookMs: 2, status: 200, checked: false, ...more };
    }),
  );
}

function tallied(phases: readonly Phase[], samples: readonly Sample[]): Tally {
  const tally = new Tally(phases, one);
  for (const sample of samples) tally.add(0, sample);
  tally.settle();
  return tally;
}

test('of few samples the first may be late: an earlier one corrects the position of the schedule', () => {
  const slow = scenarios.latency.phases({ ...settings, perSecond: 0.5, seconds: 20, warmUpSeconds: 2 });
  const lagOf = (slot: number): number => (slot < 3 ? 40 : slot === 5 ? 25 : 0);
  const tally = tallied(
    slow,
    samplesOf(slow, 5000, (slot) => ({ lagMs: lagOf(slot) })),
  );
  expect(tally.begun).toBe(10);
  expect(tally.lag.maxUs / 1000).toBeCloseTo(25, 0);
});

describe('a constant rate', () => {
  const phases = scenarios.latency.phases(settings);

  test('counts each slot once, without warm-up and without what is sent after the end', () => {
    const tally = tallied(phases, samplesOf(phases, 1234.5));
    expect(tally.begun).toBe(400);
    expect(tally.latencies.ok.count).toBe(400);
    expect(tally.lag.maxUs).toBe(0);
    expect(tally.series().map(({ at, counts }) => [at, counts.ok])).toEqual([
      [-1, 100],
      [0, 100],
      [1, 100],
      [2, 100],
      [3, 100],
    ]);
    expect(tally.groups()).toEqual([]);
    const { from, to } = tally.began;
    expect(to - from).toBeCloseTo(3.99, 6);
  });

  test('latency counts from the scheduled start of each request, whatever the clock began with', () => {
    // The first ones lie late too: the schedule is found by the earliest of a second.
    const late = samplesOf(phases, 77, (slot) => ({ lagMs: slot === 0 ? 4 : slot >= 300 && slot < 320 ? 50 : 0 }));
    const tally = tallied(phases, late);
    expect(tally.lag.countUpTo(1000)).toBe(380);
    expect(tally.latencies.ok.percentileUs(100)).toBeGreaterThan(51_900);
    expect(tally.latencies.ok.countUpTo(2100)).toBe(380);
  });

  test('what had no answer is counted by its reason, and slots of nobody are not', () => {
    const tally = tallied(
      phases,
      samplesOf(phases, 0, (slot) =>
        slot % 4 === 0
          ? { status: 0, failure: '1212' }
          : slot % 4 === 1
            ? { status: 429 }
            : slot % 4 === 2
              ? { status: 503 }
              : {},
      ).concat({ phase: 9, operation: 0, slot: 1, beganMs: 1, tookMs: 1, status: 200, checked: false }),
    );
    expect(tally.latencies.limited.count).toBe(100);
    expect(tally.others()).toEqual([
      { what: 'connection refused', count: 100 },
      { what: '503', count: 100 },
    ]);
    const gone = tallied(
      phases,
      samplesOf(phases, 0, () => ({ status: 0, failure: '1213x' })),
    );
    expect(gone.exhausted).toBe(400);
  });

  test('wrong answers are counted, in the warm-up too, and a few are shown', () => {
    const tally = tallied(
      phases,
      samplesOf(phases, 0, (slot) => ({
        checked: slot % 10 === 0,
        ...(slot === 10 ? { wrong: 'items of another request' } : {}),
      })),
    );
    expect(tally.answers).toEqual({ checked: 50, wrong: 1, examples: ['items of another request'] });
  });

  test('how many were under way is seen', () => {
    expect(tallied(phases, samplesOf(phases, 0)).usedAtMost(0)).toBe(0);
    expect(
      tallied(
        phases,
        samplesOf(phases, 0, () => ({ tookMs: 500 })),
      ).usedAtMost(0),
    ).toBe(50);
  });
});

test('parts are counted apart, each with its own seconds', () => {
  const phases = scenarios.isolation.phases(settings);
  const tally = tallied(phases, samplesOf(phases, 10));
  expect(tally.groups().map(({ name, from, to, latencies }) => [name, from, to, latencies.ok.count])).toEqual([
    ['quiet, alone', 0, 4, 40],
    ['quiet, beside the noisy one', 4, 8, 40],
    ['noisy', 4, 8, 400],
  ]);
});

test('workers that share the slots make the histogram of the union, bit for bit', () => {
  const random = seeded(3);
  const phases = scenarios.latency.phases(settings);
  const all = samplesOf(phases, 0, () => ({ tookMs: 1 + 400 * random() ** 4 }));
  const whole = tallied(phases, all);
  const shared = new Tally(phases, one);
  // Each has a clock of its own.
  for (const sample of all)
    shared.add(sample.slot % 4, { ...sample, beganMs: sample.beganMs + 1000 * (sample.slot % 4) });
  shared.settle();
  expect(shared.toLatencies()).toEqual(whole.toLatencies());
  const merged = Histogram.empty();
  for (let worker = 0; worker < 4; worker += 1)
    merged.merge(
      tallied(
        phases,
        all.filter(({ slot }) => slot % 4 === worker),
      ).latencies.ok,
    );
  expect(merged.toLatencies()).toEqual(whole.toLatencies().ok);
});

test('seconds that are long over keep their figures, and late answers are still counted', () => {
  const phases = scenarios.latency.phases({ ...settings, perSecond: 2, seconds: 200, warmUpSeconds: 0 });
  const samples = samplesOf(phases, 0);
  const late = { ...samples[5]!, slot: 5, tookMs: 120_000 };
  const tally = tallied(phases, [...samples.filter(({ slot }) => slot !== 5), late]);
  expect(tally.series()).toHaveLength(200);
  expect(tally.series()[2]).toMatchObject({ at: 2, counts: { ok: 2 }, maxUs: 120_000_000 });
});
