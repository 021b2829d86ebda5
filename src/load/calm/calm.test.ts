/** Calm time, in simulation: a service, a schedule, and a machine that is taken away from us. */
import { describe, expect, test } from 'vitest';
import { seeded } from '../../random.ts';
import { Histogram } from '../../statistics/histogram.ts';
import { Calm, senderLateMs } from './calm.ts';

interface Span {
  readonly from: number;
  readonly to: number;
}
type Answering = (cameMs: number, random: () => number) => number;

const endOf = (spans: readonly Span[], at: number): number =>
  spans.find(({ from, to }) => at >= from && at < to)?.to ?? at;

/** Times in which none of our processes runs: their average length, and their `share` of all time. */
function taken(random: () => number, seconds: number, share: number, meanMs: number): Span[] {
  const spans: Span[] = [];
  const drawn = (mean: number): number => -mean * Math.log(1 - random());
  for (let at = drawn(meanMs); at < 1000 * seconds; at += drawn((meanMs * (1 - share)) / share)) {
    const to = at + 3 + drawn(meanMs);
    spans.push({ from: at, to });
    at = to;
  }
  return spans;
}

/** One run: the figures of calm time, and the true ones of requests that were sent in time. */
function run(seed: number, lost: readonly Span[], answering: Answering, perSecond = 100, seconds = 12) {
  const random = seeded(seed);
  const calm = new Calm(10_000, 1);
  const truth = Histogram.empty();
  for (const { from, to } of lost) if (to - from > 4) calm.tell({ what: 'lost', fromMs: from, toMs: to });
  for (let slot = 0; slot < perSecond * seconds; slot += 1) {
    const dueMs = (1000 * slot) / perSecond;
    const draws = [random(), random()];
    const fixed = (): number => draws[0]!;
    const began = endOf(lost, dueMs);
    const seen = endOf(lost, began + answering(began, fixed));
    truth.add(1000 * answering(dueMs, fixed));
    calm.take({ dueMs, lagMs: began - dueMs, tookMs: seen - began, status: 'ok', group: 0, counts: true });
  }
  calm.settle();
  return { calm, truth };
}

const services: readonly (readonly [string, Answering])[] = [
  ['answers after 20 ms', () => 20],
  ['answers after 5 ms or 80 ms', (_, random) => (random() < 0.1 ? 80 : 5)],
  ['a long tail', (_, random) => 2 * Math.exp(1.2 * Math.sqrt(-2 * Math.log(1 - random())))],
  ['a stall of 90 ms every 700 ms', (came) => 3 + Math.max(0, 90 - (came % 700))],
];
const machines: readonly (readonly [string, number, number])[] = [
  ['a tenth, 20 ms at a time', 0.1, 20],
  ['a quarter, in phases of 300 ms', 0.25, 300],
  ['half, in phases of a second', 0.5, 1000],
];

describe.each(services)('a service with %s', (_, answering) => {
  test.each(machines)('and a machine that takes %s: calm time shows what the service shows', (_name, share, meanMs) => {
    const [shown, real] = [Histogram.empty(), Histogram.empty()];
    let calmShare = 0;
    for (let seed = 1; seed <= 100; seed += 1) {
      const { calm, truth } = run(seed, taken(seeded(1000 + seed), 12, share, meanMs), answering);
      shown.merge(calm.latencies.ok);
      real.merge(truth);
      calmShare += calm.figures().share / 100;
      expect(calm.lag.percentileUs(99)).toBeLessThanOrEqual(1000 * senderLateMs);
    }
    expect(calmShare).toBeGreaterThan(0.15);
    for (const percent of [50, 95, 99]) {
      const [is, was] = [shown.percentileUs(percent), real.percentileUs(percent)];
      expect(Math.abs(is - was), `p${percent}: ${is} of ${was} µs`).toBeLessThanOrEqual(Math.max(1000, 0.02 * was));
    }
  });
});

describe('the choice looks at our side alone', () => {
  const lost = taken(seeded(3), 30, 0.3, 200);
  const quick: Answering = () => 2;
  const sameSlots = (a: Calm, b: Calm): void => {
    expect(a.figures()).toEqual(b.figures());
    expect(a.latencies.ok.count).toBe(b.latencies.ok.count);
  };

  test('a service that stalls exactly when we are starved changes nothing of it', () => {
    const stalling: Answering = (came) => 2 + endOf(lost, came) - came;
    sameSlots(run(1, lost, quick).calm, run(1, lost, stalling).calm);
  });

  test('no more does a service that stalls exactly when we are not', () => {
    const others = lost.flatMap(({ to }, at) =>
      lost[at + 1] === undefined ? [] : [{ from: to, to: lost[at + 1]!.from }],
    );
    const stalling: Answering = (came) => 2 + endOf(others, came) - came;
    sameSlots(run(1, lost, quick).calm, run(1, lost, stalling).calm);
  });

  test('where we are not starved, no stall makes any time uncalm, however long', () => {
    const { calm } = run(1, [], (came) => 2 + Math.max(0, 8000 - (came % 10_000)));
    expect(calm.figures()).toMatchObject({ share: 1, lostSeconds: 0, outside: { ok: 0 } });
    expect(calm.latencies.ok.percentileUs(50) / 1000).toBeGreaterThan(1000);
  });
});

test('time that the service had for itself is no excuse, and its slots count', () => {
  const calm = new Calm(1000, 1);
  calm.tell({ what: 'lost', fromMs: 1000, toMs: 1040 });
  calm.tell({ what: 'served', fromMs: 950, toMs: 1050 });
  for (let slot = 0; slot < 300; slot += 1)
    calm.take({ dueMs: 10 * slot, lagMs: slot === 101 ? 30 : 0, tookMs: 1, status: 'ok', group: 0, counts: true });
  calm.settle();
  expect(calm.figures()).toMatchObject({ share: 1, lostSeconds: 0 });
  expect(calm.latencies.ok.count).toBe(300);
  expect(calm.lag.maxUs).toBeGreaterThan(29_000);
});

test('answers that take longer than a tenth of a second, seen late, count like late beginnings', () => {
  const { calm } = run(5, taken(seeded(6), 30, 0.3, 100), () => 300, 100, 30);
  expect(calm.latencies.ok.count).toBeGreaterThan(299);
  // A verdict tolerates 15 ms of these 300.
  expect(calm.lag.percentileUs(99)).toBeGreaterThan(15_000);
});

test('what is answered outside of calm time is counted, not forgotten', () => {
  const calm = new Calm(1000, 1);
  calm.tell({ what: 'lost', fromMs: 1000, toMs: 1020 });
  for (let slot = 0; slot < 300; slot += 1)
    calm.take({
      dueMs: 10 * slot,
      lagMs: 0,
      tookMs: 1,
      status: slot === 100 ? 'limited' : 'ok',
      group: 0,
      counts: slot >= 50,
    });
  calm.settle();
  // From a tenth of a second before what was lost until half as long after it.
  expect(calm.figures().outside).toEqual({ ok: 12, limited: 1, other: 0 });
  expect(calm.figures()).toMatchObject({ seconds: 2.495, lostSeconds: 0.02 });
  expect(calm.latencies.ok.count).toBe(237);
});

test('many that began late together, or by hours, are no burden', () => {
  const calm = new Calm(1000, 1);
  for (let slot = 0; slot < 20_000; slot += 1) {
    const lagMs = slot < 10_000 ? 20_000 - slot : 3_600_000;
    calm.take({ dueMs: slot, lagMs, tookMs: 1, status: 'ok', group: 0, counts: true });
  }
  calm.settle();
  expect(calm.figures()).toMatchObject({ share: 0, lostSeconds: 20, outside: { ok: 20_000 } });
});

test('what is over is decided while more comes, and a pause belongs to nothing', () => {
  const calm = new Calm(1000, 1);
  const slots = (from: number, counts: boolean): void => {
    for (let slot = 0; slot < 1000; slot += 1)
      calm.take({ dueMs: from + 10 * slot, lagMs: 0, tookMs: 1, status: 'ok', group: 0, counts });
  };
  slots(0, true);
  expect(calm.latencies.ok.count).toBeGreaterThan(600);
  calm.settle();
  slots(60_000, false);
  slots(70_000, true);
  calm.settle();
  expect(calm.figures().seconds).toBeCloseTo(20, 1);
  expect(calm.latencies.ok.count).toBe(2000);
});
