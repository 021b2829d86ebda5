import { describe, expect, test } from 'vitest';
import { measurementOf } from '../../../reports/testing.ts';
import type { Measurement } from '../../model/measurement.ts';
import { type Random, seeded } from '../../random.ts';
import { Histogram } from '../../statistics/histogram.ts';
import { normalQuantile } from '../../statistics/normal.ts';
import { againstComparing, remarksOn, type Side } from './comparable.ts';
import { compareSides } from './compare.ts';
import { interleaved } from './interleave.ts';
import { linesOf } from './words.ts';

interface Made {
  /** Median latency. */
  readonly ms?: number;
  /** How much runs differ among themselves. */
  readonly spread?: number;
  readonly errors?: number;
  readonly samples?: number;
}

let made = 0;

/** A run whose answers have a long tail, around a level that each run has of its own. */
function runOf(random: Random, { ms = 20, spread = 0.02, errors = 0, samples = 2000 }: Made = {}): Measurement {
  const level = ms * Math.exp(spread * normalQuantile(random() || 0.5));
  const ok = Histogram.empty();
  for (let at = 0; at < samples - errors; at += 1)
    ok.add(1000 * level * Math.exp(0.5 * normalQuantile((at + 0.5) / samples)));
  const other = Histogram.empty();
  if (errors > 0) other.add(1000, errors);
  made += 1;
  return measurementOf({
    started: new Date(made * 60_000).toISOString(),
    latencies: { ok: ok.toLatencies(), limited: { count: 0 }, other: other.toLatencies() },
  });
}

const side = (name: string, random: Random, runs: number, how: Made = {}): Side => ({
  name,
  measurements: Array.from({ length: runs }, () => runOf(random, how)),
});

describe('verdicts', () => {
  const random = seeded(1);
  const base = side('base', random, 6);

  test.each<[string, Made, number, ReturnType<typeof compareSides>['verdict']]>([
    ['a quarter slower', { ms: 25 }, 6, 'slower'],
    ['a quarter faster', { ms: 15 }, 6, 'faster'],
    ['the same', {}, 12, 'same'],
    ['slower, but by less than matters', { ms: 20.6 }, 12, 'same'],
    ['too few runs', { ms: 60 }, 4, 'cannot tell'],
    ['runs that differ among themselves', { spread: 0.4 }, 6, 'cannot tell'],
    ['more errors', { errors: 100 }, 6, 'slower'],
  ])('%s', (_, how, runs, verdict) => {
    const calm = { ...how, spread: how.spread ?? 0.01 };
    const against = runs > 6 ? side('base', random, runs, { spread: 0.01 }) : base;
    expect(compareSides(against, side('now', random, runs, calm)).verdict).toBe(verdict);
  });

  test('four runs are never enough, five may be', () => {
    const five = side('base', random, 5);
    expect(compareSides(five, side('now', random, 4, { ms: 90 })).verdict).toBe('cannot tell');
    expect(compareSides(five, side('now', random, 5, { ms: 90 })).verdict).toBe('slower');
  });

  test('what matters can be said', () => {
    const [before, after] = [
      side('base', random, 10, { spread: 0.01 }),
      side('now', random, 10, { ms: 22, spread: 0.01 }),
    ];
    expect(compareSides(before, after, { within: 0.3 }).verdict).toBe('same');
    expect(compareSides(before, after, { within: 0.02 }).verdict).toBe('slower');
  });

  test('a percentile that the samples do not support is not compared', () => {
    const few = (ms: number) => side('few', random, 6, { samples: 100, ms });
    expect(compareSides(few(20), few(40)).figures.map(({ figure }) => figure.name)).toEqual(['p50', 'p95', 'errors']);
    const none = (name: string) => side(name, random, 6, { samples: 3 });
    expect(compareSides(none('a'), none('b')).figures.map(({ figure }) => figure.name)).toEqual(['errors']);
  });

  test('a closed loop has a rate, and a search its capacity', () => {
    const closed = (seconds: number): Side => ({
      name: 'closed',
      measurements: side('', random, 6).measurements.map((each) => ({
        ...each,
        engine: { name: 'autocannon', version: '9.0.0', model: 'closed', workers: 1 },
        achieved: { begun: 2000, seconds: seconds * (1 + random() / 100) },
      })),
    });
    const compared = compareSides(closed(10), closed(20));
    expect(compared.figures.find(({ figure }) => figure.name === 'rate')?.verdict).toBe('worse');
    expect(linesOf(compared).join('\n')).toMatch(/rate +\d+ a second .* less/);
    const found = (held: number): Side => ({
      name: 'found',
      measurements: side('', random, 6).measurements.map((each, at) => ({
        ...each,
        scenario: 'capacity',
        capacity: { constraint: 'server', held: held + at, confirmed: true, promise: '', steps: [] },
      })),
    });
    expect(compareSides(found(400), found(300))).toMatchObject({
      verdict: 'slower',
      figures: [{ figure: { name: 'capacity' } }],
    });
  });
});

test('two sides that are one are seldom told apart, and a difference that is there is found', () => {
  const random = seeded(99);
  const rounds = 80;
  let [alarms, blessed, missed] = [0, 0, 0];
  for (let round = 0; round < rounds; round += 1) {
    const run = (ms: number) => side('', random, 5, { ms, spread: 0.08, samples: 400 });
    if (['slower', 'faster'].includes(compareSides(run(20), run(20)).verdict)) alarms += 1;
    // Twelve of a hundred slower, which matters: calling it the same is the worst mistake.
    if (compareSides(run(20), run(22.4)).verdict === 'same') blessed += 1;
    if (compareSides(run(20), run(40)).verdict !== 'slower') missed += 1;
  }
  expect(alarms).toBeLessThanOrEqual(rounds * 0.05 + 3 * Math.sqrt(rounds * 0.05 * 0.95));
  expect(blessed).toBeLessThanOrEqual(rounds * 0.05);
  expect(missed).toBe(0);
});

describe('what is not compared', () => {
  const random = seeded(2);
  const five = (more: Partial<Measurement> = {}): Side => ({
    name: 'now.jsonl',
    measurements: side('', random, 5).measurements.map((each) => ({ ...each, ...more })),
  });
  const base = side('base.jsonl', random, 5);
  const plan = base.measurements[0]!.plan;
  const { machine, engine } = base.measurements[0]!;

  test('what is alike is', () => {
    expect(againstComparing([base, five(), five({ target: 'http://127.0.0.1:9090', seed: 8 })])).toEqual([]);
    expect(remarksOn([base, five()])).toEqual([]);
  });

  test.each<[string, Partial<Measurement>, RegExp]>([
    ['scenario', { scenario: 'mixed' }, /^another scenario: latency \(base\.jsonl\), mixed \(now\.jsonl\)$/],
    ['rate', { plan: { ...plan, perSecond: 60 } }, /another load: 50 a second .* 60 a second/],
    ['duration', { plan: { ...plan, seconds: 20 } }, /another duration/],
    ['duration, gone through again', { plan: { ...plan, seconds: 40, times: 2 } }, /another duration: .*10 s.*20 s/],
    ['keys', { plan: { ...plan, keys: 3 } }, /another number of keys/],
    ['engine', { engine: { ...engine, name: 'autocannon', model: 'closed' } }, /another engine: k6, open model/],
    ['workers', { engine: { ...engine, workers: 4 } }, /another number of workers: 1 \(base\.jsonl\), 4/],
    ['start of latencies', { from: 'sending' }, /another begin of latencies/],
    ['processor', { machine: { ...machine, cpu: 'other' } }, /another machine: 2 × any, 7 GB, linux .* 2 × other/],
    ['memory', { machine: { ...machine, memoryBytes: 16e9 } }, /another machine/],
  ])('another %s', (_, more, says) => {
    expect(againstComparing([base, five(more)])).toEqual([expect.stringMatching(says)]);
  });

  test('searches: by their promise, not by the rates that they came to', () => {
    const search = (promise: string, perSecond: number) =>
      five({
        scenario: 'capacity',
        plan: { ...plan, perSecond, seconds: perSecond },
        capacity: { constraint: 'server', held: perSecond, confirmed: true, promise, steps: [] },
      });
    expect(againstComparing([search('p95 within 100 ms', 50), search('p95 within 100 ms', 60)])).toEqual([]);
    expect(
      againstComparing([{ ...search('p95 within 100 ms', 50), name: 'base.jsonl' }, search('p99 within 100 ms', 50)]),
    ).toEqual(['another load: p95 within 100 ms (base.jsonl), p99 within 100 ms (now.jsonl)']);
  });

  test('a side whose own runs differ', () => {
    const mixed: Side = {
      name: 'mixed',
      measurements: [...five().measurements, ...five({ scenario: 'smoke' }).measurements],
    };
    expect(againstComparing([base, mixed])).toEqual(['mixed: another scenario: latency (one run), smoke (another)']);
  });

  test('measurements that are not valid, named with the reason', () => {
    const reasons = [{ cause: 'generator', says: '12 iterations were dropped', change: 'more VUs' } as const];
    const bad = five({ validity: { verdict: 'invalid', reasons } });
    expect(againstComparing([base, bad])).toHaveLength(5);
    expect(againstComparing([base, bad])[0]).toBe(
      'now.jsonl: the measurement latency is invalid: 12 iterations were dropped',
    );
  });

  test('one run counted twice, and nothing at all', () => {
    const twice: Side = { name: 'twice', measurements: [base.measurements[0]!, ...base.measurements] };
    expect(againstComparing([base, twice])).toEqual([expect.stringContaining('is present twice')]);
    expect(againstComparing([base, { name: 'empty', measurements: [] }])).toEqual([
      'empty holds no measurement of load',
    ]);
  });

  test('other versions are reported, and no reason to refuse', () => {
    const newer = five({ engine: { ...engine, version: '2.3.0' }, machine: { ...machine, node: 'v26.1.0' } });
    expect(againstComparing([base, newer])).toEqual([]);
    expect(remarksOn([base, newer])).toEqual([
      'the runs were made with different versions of the engine: k6 2.2.0, k6 2.3.0',
      'the runs were made with different versions of Node: v24.21.0, v26.1.0',
    ]);
  });
});

test('words', () => {
  const random = seeded(6);
  const [before, after] = [side('base.jsonl', random, 5), side('now.jsonl', random, 5, { ms: 30 })];
  const lines = linesOf(compareSides(before, after));
  expect(lines[0]).toBe('SLOWER: now.jsonl (5 runs) against base.jsonl (5 runs)');
  expect(lines[1]).toMatch(
    /^ {2}p50 +\d+(\.\d)? ms +[\d.]+ ms +\+\d+\.\d % \(\+\d+\.\d … \+\d+\.\d\) +p 0\.\d+ +slower$/,
  );
  expect(lines.at(-1)).toMatch(/errors +0 % +0 % +\+0\.0 points .* same within 0\.1 points$/);
  const few = linesOf(compareSides(side('a', random, 3), side('b', random, 3)));
  expect(few[0]).toMatch(/^CANNOT TELL/);
  expect(few.at(-1)).toContain('At least 5 runs');
});

test('sides take turns, and nobody always begins', () => {
  expect(interleaved(['a', 'b'], 4).join('')).toBe('abbaabba');
  expect(interleaved(['a', 'b', 'c'], 2).join('')).toBe('abccba');
  expect(interleaved(['a'], 3)).toEqual(['a', 'a', 'a']);
  expect(interleaved(['a', 'b'], 0)).toEqual([]);
});
