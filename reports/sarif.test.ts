import { describe, expect, test } from 'vitest';
import type { Run } from '../src/vocabulary.ts';
import { sarifReport } from './sarif.ts';
import { sampleRun, sampleWith, waivedRun } from './testing.ts';

interface Result {
  readonly ruleId: string;
  readonly ruleIndex: number;
  readonly level: string;
  readonly message: { readonly text: string };
  readonly locations: readonly object[];
  readonly suppressions?: readonly { readonly justification: string }[];
}

interface Rule {
  readonly id: string;
  readonly helpUri?: string;
  readonly help: { readonly text: string };
}

const read = (run: Run, docs?: string) => {
  const text = sarifReport(run, docs === undefined ? {} : { docs });
  const report = JSON.parse(text);
  expect(report).toMatchObject({ version: '2.1.0', $schema: expect.stringMatching(/sarif-2\.1\.0/) });
  const [{ tool, invocations, results }] = report.runs;
  const rules = tool.driver.rules as Rule[];
  for (const { ruleId, ruleIndex } of results as Result[]) expect(rules[ruleIndex]?.id).toBe(ruleId);
  return { text, tool, rules, results: results as Result[], invocation: invocations[0] };
};

describe('results', () => {
  test('are violations and warnings, never a pass or what was not tested', () => {
    const { results, rules, text } = read(sampleRun);
    expect(results.map(({ ruleId, level }) => `${ruleId} ${level}`)).toEqual([
      'auth.run-with-invalid-key error',
      'auth.header-name-case warning',
    ]);
    expect(results[0]?.message.text).toMatch(/^expected .*, got /);
    expect(results[0]?.locations).toHaveLength(1);
    expect(rules).toHaveLength(sampleRun.header.planned.length);
    expect(rules.every(({ help }) => help.text !== '')).toBe(true);
    expect(text).not.toMatch(/[\u0080-\u009f\u202e\u2066]/);
  });

  test('that are waived are suppressed, and say by whom', () => {
    const [waived] = read(waivedRun).results.filter(({ suppressions }) => suppressions !== undefined);
    expect(waived?.ruleId).toBe('auth.run-with-invalid-key');
    expect(waived?.suppressions?.[0]?.justification).toContain('waived by ann@example.org until 2027-01-31');
  });

  test('under --strict: a warning is an error', () => {
    const strict = { ...sampleRun, header: { ...sampleRun.header, strict: true } };
    expect(read(strict).results.map(({ level }) => level)).toEqual(['error', 'error']);
  });
});

test('each rule has the permanent address of its page', () => {
  expect(read(sampleRun).rules.some(({ helpUri }) => helpUri !== undefined)).toBe(false);
  const { rules, tool } = read(sampleRun, 'https://docs.example/touchstone/');
  for (const { id, helpUri } of rules) expect(helpUri).toBe(`https://docs.example/touchstone/rules/${id}.html`);
  expect(tool.driver.informationUri).toBe('https://docs.example/touchstone/');
});

test('a run that is incomplete, or judged nothing, is no successful execution, and says why', () => {
  const { footer, ...footless } = sampleRun;
  for (const run of [
    footless,
    { ...sampleRun, footer: { ...footer!, interrupted: true as const } },
    { ...sampleRun, findings: [], footer: { ...footer!, unreachable: 'Nobody listens.' } },
    sampleWith(['verify.tier-as-declared']),
  ]) {
    const { invocation } = read(run);
    expect(invocation.executionSuccessful).toBe(false);
    expect(JSON.stringify(invocation.toolExecutionNotifications)).toContain('run.complete');
    expect(invocation.exitCode).not.toBe(0);
  }
  const clean = read(sampleWith(['auth.run-without-key'])).invocation;
  expect(clean).toMatchObject({ executionSuccessful: true, exitCode: 0, toolExecutionNotifications: [] });
});
