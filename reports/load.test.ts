import { expect, test } from 'vitest';
import { latenciesOf } from '../src/load/testing.ts';
import type { Measurement, Run } from '../src/vocabulary.ts';
import { loadReport } from './load.ts';
import { hostile, measurementOf, sampleRun } from './testing.ts';

const runOf = (...measurements: readonly Measurement[]): Run => ({
  ...sampleRun,
  header: { ...sampleRun.header, planned: [] },
  findings: [],
  measurements,
  footer: { ...sampleRun.footer!, remarks: [] },
});
const none = { count: 0 };
const measured = (more: Partial<Measurement> = {}) =>
  measurementOf({ latencies: { ok: latenciesOf([1000, 490], [40_000, 10]), limited: none, other: none }, ...more });

test('the verdict first, then what it rests on', () => {
  const text = loadReport(runOf(measured({ conclusions: ['it recovered'] })), { runFile: 'x.jsonl' });
  const lines = text.split('\n');
  expect(lines[0]).toMatch(/^VALID {2}latency of http:\/\/127\.0\.0\.1:8080: 50 requests a second, 10 s after 3 s/);
  expect(text).toMatch(/2xx +500 +100 %/);
  expect(text).toMatch(/p50 +1 ms {2}1 ms … 1 ms +█/);
  expect(text).toMatch(/p99 +40/);
  expect(text).toContain('p99.9 needs 2,995 answers; there are 500');
  expect(text).toContain('it recovered');
  expect(text).toContain('run file: x.jsonl');
});

test('what is of calm windows says so at its head, and counts what it left out', () => {
  const outside = { ok: 1200, limited: 0, other: 3 };
  const text = loadReport(runOf(measured({ calm: { share: 0.712, seconds: 9.99, lostSeconds: 6.214, outside } })));
  const [first, second] = text.split('\n');
  expect(first).toBe('VALID in calm windows: 71 % of 10 s; the machine lost its processors for 6.2 s');
  expect(second).toContain('latency of http://127.0.0.1:8080: 50 requests a second');
  expect(text).toContain('excluded, started while this machine lost time: 1,200 2xx, 0 429, 3 other');
});

test('a changing rate is shown by both of its ends', () => {
  const plan = { ...measured().plan, perSecond: 100, changing: { from: 20, mean: 60 } };
  expect(loadReport(runOf(measured({ plan })))).toContain('20 to 100 requests a second, 10 s after');
});

test('an invalid one shows no headline number and judges no threshold', () => {
  const invalid = measured({
    validity: {
      verdict: 'invalid',
      reasons: [{ cause: 'generator', says: '3 requests were never sent', change: 'use more' }],
    },
    thresholds: [{ name: 'latency.p99', demanded: '250ms', came: '1 ms', outcome: 'met' }],
    conclusions: ['must not be seen'],
  });
  const text = loadReport(runOf(invalid));
  expect(text).toMatch(/^INVALID: generator/);
  expect(text).toContain('3 requests were never sent\n    → use more');
  expect(text).not.toMatch(/^ *p\d\d|must not be seen|: met/m);
  expect(text).toContain('not judged');
});

test('thresholds, a cut-off run, quiet', () => {
  const thresholds = [
    { name: 'latency.p99', demanded: '1ms', came: '40 ms', outcome: 'missed' },
    { name: 'admitted', demanded: '99%', outcome: 'unknown' },
  ] as const;
  const run = runOf(measured({ thresholds }));
  expect(loadReport(run)).toContain('latency.p99 ≤ 1ms: missed, 40 ms');
  expect(loadReport(run)).toContain('admitted ≥ 99%: undetermined');
  expect(loadReport(run, { quiet: true })).not.toContain('p50');
  const { footer: _, ...cut } = run;
  expect(loadReport(cut)).toContain('The run was interrupted');
});

test('nothing that the service sent can move the cursor', () => {
  const text = loadReport(
    runOf(
      measured({
        target: hostile,
        others: [{ what: hostile, count: 1 }],
        answers: { checked: 1, wrong: 1, examples: [hostile] },
        latencies: { ok: none, limited: none, other: latenciesOf([1, 1]) },
        validity: { verdict: 'invalid', reasons: [{ cause: 'wrong-answers', says: hostile, change: hostile }] },
        groups: [
          { name: hostile, plannedPerSecond: 1, from: 0, to: 1, latencies: { ok: none, limited: none, other: none } },
        ],
      }),
    ),
  );
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/);
  expect(text.split('\n')).not.toContain('CONFORMS');
});
