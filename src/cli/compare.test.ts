/** `touchstone compare` as people meet it. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { hostile, measurementOf, sampleRun, textOf } from '../../reports/testing.ts';
import type { Measurement } from '../model/measurement.ts';
import type { RunFooter } from '../model/run.ts';
import { Histogram } from '../statistics/histogram.ts';
import { patience, place } from './testing.ts';

const { file, folder, touchstone } = place();

const emptied = {
  ...sampleRun,
  header: { ...sampleRun.header, planned: [] },
  findings: [],
  steps: [],
  exchanges: new Map(),
};
const counts = Object.fromEntries(Object.keys(sampleRun.footer!.counts).map((verdict) => [verdict, 0]));
const loadRun = {
  ...emptied,
  footer: { ...sampleRun.footer!, exchanges: 0, counts: counts as RunFooter['counts'] },
};

function measured(ms: number, at: number, more: Partial<Measurement> = {}): Measurement {
  const ok = Histogram.empty();
  for (let slot = 0; slot < 400; slot += 1) ok.add(1000 * ms * (1 + slot / 400 + at / 500));
  const started = new Date(1e9 * at + ms).toISOString();
  const latencies = { ok: ok.toLatencies(), limited: { count: 0 }, other: { count: 0 } };
  return measurementOf({ id: `latency.${at}`, started, latencies, ...more });
}

const runs = (ms: number, count: number, more: Partial<Measurement> = {}): string =>
  textOf({ ...loadRun, measurements: Array.from({ length: count }, (_, at) => measured(ms, at + 1, more)) });

file('base.jsonl', runs(20, 5));
file('slow.jsonl', runs(30, 5));
file('same.jsonl', runs(20.001, 5));
file('few.jsonl', runs(30, 3));

describe.concurrent('the verdict is the exit code', patience, () => {
  test('slower is 1, faster and same are 0', async () => {
    const [slower, faster, same] = await Promise.all([
      touchstone(['compare', 'base.jsonl', 'slow.jsonl']),
      touchstone(['compare', 'slow.jsonl', 'base.jsonl']),
      touchstone(['compare', 'base.jsonl', 'same.jsonl', '--within', '3']),
    ]);
    expect(slower.out).toContain('SLOWER: slow.jsonl (5 runs) against base.jsonl (5 runs)');
    expect(faster.out).toContain('FASTER');
    expect(same.out).toContain('SAME WITHIN 3 %');
    expect([slower.code, faster.code, same.code]).toEqual([1, 0, 0]);
  });

  test('an undetermined result is green only on request', async () => {
    const [plain, accepted] = await Promise.all([
      touchstone(['compare', 'base.jsonl', 'few.jsonl']),
      touchstone(['compare', 'base.jsonl', 'few.jsonl', '--accept-cannot-tell']),
    ]);
    expect(plain.out).toContain('CANNOT TELL');
    expect(plain.err).toContain('exit code 3');
    expect([plain.code, accepted.code]).toEqual([3, 0]);
    const worst = await touchstone(['compare', 'base.jsonl', 'few.jsonl', 'slow.jsonl', '--json']);
    expect(JSON.parse(worst.out).comparisons.map(({ verdict }: { verdict: string }) => verdict)).toEqual([
      'cannot tell',
      'slower',
    ]);
    expect(worst.code).toBe(1);
  });

  test('a folder is a side, with a file for each repeat', async () => {
    mkdirSync(join(folder, 'repeats/deep'), { recursive: true });
    for (let at = 1; at <= 5; at += 1)
      file(`repeats/${at > 3 ? 'deep/' : ''}${at}.jsonl`, textOf({ ...loadRun, measurements: [measured(30, at)] }));
    const { out, code } = await touchstone(['compare', 'base.jsonl', 'repeats']);
    expect(out).toContain('SLOWER: repeats (5 runs)');
    expect(code).toBe(1);
  });
});

describe.concurrent('refused, with what differs', patience, () => {
  const reasons = [{ cause: 'limiter', says: `refused ${hostile}`, change: 'more keys' } as const];
  test.each<[string, string, string]>([
    ['another scenario', runs(20, 5, { scenario: 'mixed' }), 'another scenario: latency (base.jsonl), mixed'],
    ['not valid', runs(20, 5, { validity: { verdict: 'invalid', reasons } }), 'is invalid: refused'],
    ['cut off', runs(20, 5).trim().split('\n').slice(0, -1).join('\n'), 'it has no footer'],
    ['interrupted', textOf({ ...loadRun, footer: { ...loadRun.footer, interrupted: true } }), 'was interrupted'],
    ['no load', textOf(sampleRun), 'holds no measurement of load'],
    ['no run', 'hello', 'is not JSON'],
  ])('%s', async (what, text, says) => {
    const name = file(`${what.replaceAll(' ', '-')}.jsonl`, text);
    const { code, out, err } = await touchstone(['compare', 'base.jsonl', name]);
    expect(err).toContain(says);
    expect(err).not.toContain('\u001b[2J');
    expect(out).toBe('');
    expect(code).toBe(2);
  });

  test('one side, a file against itself is the same file, nothing there, an empty folder', async () => {
    mkdirSync(join(folder, 'nothing'));
    const ended = await Promise.all([
      touchstone(['compare', 'base.jsonl']),
      touchstone(['compare', 'base.jsonl', 'missing.jsonl']),
      touchstone(['compare', 'base.jsonl', 'nothing']),
      touchstone(['compare', 'base.jsonl', 'slow.jsonl', '--within', '0']),
    ]);
    expect(ended.map(({ code }) => code)).toEqual([2, 2, 2, 2]);
    expect(ended[1]!.err).toContain('there is no such file');
    expect(ended[2]!.err).toContain('no run file');
  });
});
