import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { expect, test } from 'vitest';
import type { Run } from '../src/vocabulary.ts';
import { jsonReport } from './json.ts';
import { exchange, measurementOf, sampleRun, sampleWith, waivedRun } from './testing.ts';

const schema = JSON.parse(readFileSync(new URL('../schema/run-report.json', import.meta.url), 'utf8'));
const ajv = new Ajv2020({ strict: true, strictRequired: false, allowUnionTypes: true, allErrors: true });
(formats as unknown as (ajv: Ajv2020) => void)(ajv);
const validate = ajv.compile(schema);

const read = (run: Run) => {
  const text = jsonReport(run);
  const report = JSON.parse(text);
  expect(validate(report), JSON.stringify(validate.errors)).toBe(true);
  // Every member is described: what nobody wrote down nobody can rely on.
  expect(Object.keys(report).filter((name) => !(name in schema.properties))).toEqual([]);
  return { text, report };
};

test('it says what the run amounts to, and is described by its schema', () => {
  const { report } = read(sampleRun);
  expect(report).toMatchObject({
    outcome: 'violation',
    conforms: false,
    complete: true,
    exitCode: 1,
    counts: { pass: 1, fail: 1, error: 1 },
    seed: 42,
    waits: [{ who: 'main' }],
    leftBehind: ['created-1'],
  });
  expect(report.rules.map((each: { rule: string }) => each.rule)[0]).toBe('verify.tier-as-declared');
  expect(Object.keys(report.exchanges)).toEqual(['1', '2']);
});

test('a run without footer is incomplete, and rules without a verdict are named', () => {
  const { footer: _, ...footless } = { ...sampleRun, findings: sampleRun.findings.slice(0, 1) };
  const { report } = read(footless);
  expect(report).toMatchObject({ outcome: 'incomplete', complete: false, conforms: false, exitCode: 3 });
  expect(report.missing).toHaveLength(6);
  expect(report.rules.filter((each: { verdict: unknown }) => each.verdict === null)).toHaveLength(6);
  expect(read(sampleWith(['auth.run-without-key'])).report).toMatchObject({ outcome: 'conforms', exitCode: 0 });
});

test('waivers and measurements are in it', () => {
  const { report } = read({ ...waivedRun, measurements: [measurementOf()] });
  const waived = report.rules.find((each: { rule: string }) => each.rule === 'auth.run-with-invalid-key');
  expect(waived).toMatchObject({ verdict: 'fail', waived: { owner: 'ann@example.org', expires: '2027-01-31' } });
  expect(report.measurements).toHaveLength(1);
});

test('long bodies are cut, and nothing in it can move a cursor', () => {
  const long = exchange(2, {
    response: { status: 200, head: '', headers: [], body: { text: 'x'.repeat(100_000), bytes: 100_000 } },
  });
  const { report, text } = read({ ...sampleRun, exchanges: new Map([[2, long]]) });
  expect(report.exchanges['2'].response.body).toMatchObject({ bytes: 100_000, shortened: true });
  expect(text).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]/u);
});
