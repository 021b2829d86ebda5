/** One measurement, by an engine that sends nothing and a scripted witness. */
import { describe, expect, test } from 'vitest';
import { type ScenarioName, scenarios } from '../../load/shared/scenarios.ts';
import { type Clock, systemClock } from '../clock.ts';

import { Secret } from '../model/secret.ts';
import type { Notice } from './calm/notice.ts';
import type { Witness } from './calm/witness.ts';
import type { Engine } from './engine.ts';
import { measure } from './measure.ts';
import type { LoadPlan } from './plan.ts';
import type { Sample } from './samples.ts';

const settings = {
  perSecond: 100,
  seconds: 4,
  warmUpSeconds: 1,
  limitPerSecond: 5,
  quietPerSecond: 5,
  keys: 2,
  restSeconds: 1,
};
const planOf = (scenario: ScenarioName): LoadPlan => ({
  id: scenario,
  scenario,
  target: 'http://127.0.0.1:1',
  seed: 7,
  settings,
  phases: scenarios[scenario].phases(settings),
  keys: [new Secret('main', 'vk_live_0123456789'), new Secret('second', 'vk_live_0123456780')],
  operations: [
    { kind: 'run', actor: 'relay', input: '{}', weight: 1 },
    { kind: 'verify', actor: '', input: '', weight: 1 },
  ],
  timeoutMs: 1000,
  slowestMs: 2000,
  mostVus: 100,
  workers: 1,
  headers: [],
  tls: { insecure: false },
  limits: {},
  thresholds: [{ name: 'errors', demanded: '0', bound: 0 }],
});

type Change = (time: number, slot: number) => Partial<Sample> & { lagMs?: number };

/** A clock that stands where it is put. */
const at = { ms: 0 };
const clock: Clock = { ...systemClock, now: () => at.ms, later: () => () => {}, sleep: async () => {} };
const never = new AbortController().signal;

/** Each time through begins a minute after the one before. */
function world(change: Change, notices: (time: number) => readonly Notice[] = () => []) {
  const seeds: number[] = [];
  let tell: (notice: Notice) => void = () => {};
  const engine: Engine = {
    name: 'k6',
    version: '2.2.0',
    model: 'open',
    kill: () => {},
    async generate(plan, { onSample }) {
      seeds.push(plan.seed);
      const time = seeds.length;
      const began = 60_000 * time;
      for (const notice of notices(time)) tell({ ...notice, fromMs: began + notice.fromMs, toMs: began + notice.toMs });
      for (const [phase, { from, slotAt, slotsWithin }] of plan.phases.entries())
        for (let slot = 0; slot < slotsWithin(); slot += 1) {
          const { lagMs = 0, ...more } = change(time, slot);
          // By a clock of its own, which is 500 ms behind.
          const beganMs = began - 500 + 1000 * from + slotAt(slot) + lagMs;
          const sample = { phase, operation: slot % 2, slot, beganMs, tookMs: 2, status: 200, checked: false, ...more };
          at.ms = sample.beganMs + sample.tookMs + 500;
          onSample(0, sample);
        }
      const process = {
        cpuSeconds: 1,
        samples: [
          { at: -1, cpuCores: 0.1, rssBytes: 1 },
          { at: 2, cpuCores: 0.1, rssBytes: 2 },
        ],
      };
      return { process, cores: 2, interrupted: false, notes: [] };
    },
  };
  let dismissed = 0;
  const witness: Witness = async (_plan, _clock, to) => {
    tell = to;
    return async () => {
      dismissed += 1;
    };
  };
  return { engine, witness, seeds, dismissed: () => dismissed };
}

/** From the second on that is given, for a second. */
const late =
  (second: number, lagMs: number): Change =>
  (_, slot) => ({ lagMs: Math.floor(slot / 100) === second ? lagMs : 0 });

describe('where this machine kept no time', () => {
  const lost = (second: number): Notice[] => [{ what: 'lost', fromMs: 1000 * second, toMs: 1000 * (second + 1) }];

  test('the slots of calm time alone make it valid, and the rest is counted', async () => {
    const { engine, witness, dismissed } = world(late(2, 40), () => lost(2));
    const measured = await measure(planOf('mixed'), engine, { clock, signal: never, witness });
    expect(measured.validity).toEqual({ verdict: 'valid', reasons: [] });
    expect(measured.calm?.share).toBeGreaterThan(0.5);
    expect(measured.calm?.share).toBeLessThan(0.7);
    expect(measured.calm?.outside.ok).toBe(400 - measured.latencies.ok.count);
    expect(measured.groups.reduce((sum, { latencies }) => sum + latencies.ok.count, 0)).toBe(
      measured.latencies.ok.count,
    );
    expect(measured.achieved).toMatchObject({ intended: 400, begun: 400 });
    expect(dismissed()).toBe(1);
  });

  test('late starts that no witness saw are our own as well: the sender did not run', async () => {
    const { engine, witness } = world(late(2, 40));
    const measured = await measure(planOf('latency'), engine, { clock, signal: never, witness });
    expect(measured.calm?.lostSeconds).toBeGreaterThan(0.9);
    expect(measured.validity.verdict).toBe('valid');
  });

  test.each<[string, Change, (time: number) => Notice[], string]>([
    ['in none of it', () => ({}), () => [], 'valid'],
    ['in most of it', (_, slot) => ({ lagMs: slot % 10 === 9 ? 40 : 0 }), () => [], 'invalid'],
    [
      'because the service had the machine',
      late(2, 40),
      () => [...lost(2), { ...lost(2)[0]!, what: 'served' }],
      'invalid',
    ],
    [
      'and answers were 429 then',
      (_, slot) => ({ lagMs: slot >= 200 && slot < 300 ? 40 : 0, status: slot === 250 ? 429 : 200 }),
      () => lost(2),
      'invalid',
    ],
    [
      'and most failed then',
      (_, slot) => ({ lagMs: slot >= 200 && slot < 300 ? 40 : 0, status: slot < 350 ? 500 : 200 }),
      () => lost(2),
      'invalid',
    ],
  ])('%s', async (_, change, notices, verdict) => {
    const { engine, witness } = world(change, notices);
    const measured = await measure(planOf('latency'), engine, { clock, signal: never, witness });
    expect(measured.validity.verdict).toBe(verdict);
    expect(measured.calm).toBeUndefined();
  });

  test('errors of that time are errors', async () => {
    const change: Change = (_, slot) => ({ ...late(2, 40)(1, slot), status: slot === 250 ? 503 : 200 });
    const { engine, witness } = world(change);
    const measured = await measure(planOf('latency'), engine, { clock, signal: never, witness });
    expect(measured.calm?.outside.other).toBe(1);
    expect(measured.thresholds).toEqual([{ name: 'errors', demanded: '0', came: '0.25%', outcome: 'missed' }]);
  });

  test('what is one schedule, or has no witness, is invalid as it was', async () => {
    for (const scenario of ['ramp', 'spike', 'capacity'] as const) {
      const { engine, witness, dismissed } = world((_, slot) => ({ lagMs: slot % 200 > 100 ? 40 : 0 }));
      const measured = await measure(planOf(scenario), engine, { clock, signal: never, witness });
      expect(measured.validity.verdict).toBe('invalid');
      expect(dismissed()).toBe(0);
    }
    const { engine } = world(late(2, 40));
    expect((await measure(planOf('latency'), engine, { clock, signal: never })).validity.verdict).toBe('invalid');
  });
});

describe('until it is valid', () => {
  /** So that in the first times too little is calm. */
  const starved: Change = (time, slot) => ({ lagMs: time < 3 && slot % 10 === 9 ? 40 : 0 });

  test('it goes on while nothing but time is wanting, as one measurement', async () => {
    const { engine, witness, seeds } = world(starved);
    const measured = await measure(planOf('latency'), engine, { clock, signal: never, witness, times: 9 });
    expect(seeds).toEqual([7, 8, 9]);
    expect(measured.validity.verdict).toBe('valid');
    expect(measured).toMatchObject({
      seed: 7,
      plan: { seconds: 12, times: 3 },
      achieved: { intended: 1200, begun: 1200 },
    });
    expect(measured.achieved.seconds).toBeCloseTo(12, 1);
    expect(measured.series.map((each) => each.at)).toEqual(Array.from({ length: 13 }, (_, second) => second - 1));
    for (const { counts, intended } of measured.series) expect(counts.ok).toBe(intended);
    expect(measured.generator.samples.map((each) => each.at)).toEqual([-1, 2, 6, 10]);
    expect(measured.generator.cpuSeconds).toBe(3);
    expect(measured.generator.vus.usedAtMost).toBeLessThan(10);
    expect(measured.calm?.seconds).toBeCloseTo(12, 0);
  });

  test('but no longer than it may', async () => {
    const { engine, witness, seeds } = world((_, slot) => ({ lagMs: slot % 10 === 9 ? 40 : 0 }));
    const measured = await measure(planOf('latency'), engine, { clock, signal: never, witness, times: 3 });
    expect(seeds).toHaveLength(3);
    expect(measured.validity.verdict).toBe('invalid');
  });

  test.each<[string, Change]>([
    ['it is valid', () => ({})],
    ['there is a limit', (_, slot) => ({ ...starved(1, slot), status: slot % 50 === 0 ? 429 : 200 })],
    ['the service fails', (_, slot) => ({ ...starved(1, slot), status: 500 })],
  ])('and not where %s', async (_, change) => {
    const { engine, witness, seeds } = world(change);
    await measure(planOf('latency'), engine, { clock, signal: never, witness, times: 9 });
    expect(seeds).toHaveLength(1);
  });
});
