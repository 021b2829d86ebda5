import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Ajv } from 'ajv';
import formats from 'ajv-formats';
import { expect, test } from 'vitest';
import type { Run } from '../src/vocabulary.ts';
import { ctrfReport } from './ctrf.ts';
import { sampleRun, sampleWith, waivedRun } from './testing.ts';

const published = join(dirname(createRequire(import.meta.url).resolve('ctrf')), '../src/ctrf-schema-0.0.json');
const ajv = new Ajv({ strict: false, allErrors: true });
(formats as unknown as (ajv: Ajv) => void)(ajv);
const validate = ajv.compile(JSON.parse(readFileSync(published, 'utf8')));

interface Test {
  readonly testId: string;
  readonly status: string;
  readonly rawStatus?: string;
  readonly message?: string;
}

const read = (run: Run) => {
  const report = JSON.parse(ctrfReport(run));
  expect(validate(report), JSON.stringify(validate.errors)).toBe(true);
  const { tests, summary } = report.results as { tests: Test[]; summary: Record<string, number> };
  for (const status of ['passed', 'failed', 'skipped', 'pending', 'other'])
    expect(summary[status], status).toBe(tests.filter((each) => each.status === status).length);
  expect(summary.tests).toBe(tests.length);
  return { report, summary, of: (rule: string) => tests.find(({ testId }) => testId === rule) };
};

test('it is what the published schema says, and only a pass has passed', () => {
  const { of, summary, report } = read(sampleRun);
  expect(summary).toMatchObject({ tests: 7, passed: 1, failed: 2, skipped: 1, other: 3, duration: 5000 });
  expect(of('auth.run-with-invalid-key')).toMatchObject({ status: 'failed', rawStatus: 'fail' });
  expect(of('run.success-shape')?.message).toContain('a fault in Touchstone, not in the service');
  expect(of('auth.header-name-case')).toMatchObject({ status: 'other', rawStatus: 'warn' });
  expect(report.results.summary.extra).toMatchObject({ outcome: 'violation', exitCode: 1 });
  expect(ctrfReport(sampleRun)).not.toMatch(/[\u0080-\u009f\u202e\u2066]/);
});

test('what is waived is neither failed nor passed, and says by whom', () => {
  const waived = read(waivedRun).of('auth.run-with-invalid-key');
  expect(waived).toMatchObject({ status: 'other', rawStatus: 'fail (waived)' });
  expect(JSON.stringify(waived)).toContain('waived by ann@example.org until 2027-01-31: fixed in 2.1 (#12)');
});

test('warnings fail under --strict', () => {
  const strict = { ...sampleRun, header: { ...sampleRun.header, strict: true } };
  expect(read(strict).of('auth.header-name-case')?.status).toBe('failed');
});

test('a run that did not come to its end, or judged nothing, has a failed test that says so', () => {
  const { footer, ...footless } = sampleRun;
  for (const run of [
    footless,
    { ...sampleRun, footer: { ...footer!, interrupted: true as const } },
    { ...sampleRun, findings: [], footer: { ...footer!, unreachable: 'Nobody listens.' } },
    sampleWith(['verify.tier-as-declared']),
  ])
    expect(read(run).of('run.complete')?.status).toBe('failed');
  expect(read({ ...footless, findings: [] }).of('run.success-shape')).toMatchObject({
    status: 'other',
    rawStatus: 'missing',
  });
});

test('a run whose only trouble is no failure is not green', () => {
  const { summary } = read(sampleWith(['auth.run-without-key', 'upstream.timeout']));
  expect(summary).toMatchObject({ passed: 1, failed: 1, other: 1 });
});

test('invalid dates are left out', () => {
  const { report } = read({
    ...sampleRun,
    header: { ...sampleRun.header, started: 'x' },
    footer: { ...sampleRun.footer!, ended: 'x' },
  });
  expect(report.timestamp).toBeUndefined();
  expect(report.results.summary.start).toBe(0);
});
