import { expect, test } from 'vitest';
import type { Finding, Run } from '../src/vocabulary.ts';
import { githubReport } from './github.ts';
import { corpus, hostileRun } from './html/testing.ts';
import { runOf, sampleRun, sampleWith, waivedRun } from './testing.ts';

const lines = (run: Run): string[] => githubReport(run).split('\n').slice(0, -1);

test('errors for what fails, warnings for what does not, nothing for what passed', () => {
  const [failure, harness, unsure, warning, ...rest] = [...lines(sampleRun)].sort((a, b) => a.localeCompare(b));
  expect(failure).toMatch(/^::error title=touchstone%3A auth\.run-with-invalid-key is broken::expected 401, got /);
  expect(harness).toContain('run.success-shape%3A a fault in Touchstone');
  expect(unsure).toContain('upstream.timeout is undetermined');
  expect(warning).toMatch(/^::warning title=touchstone%3A auth\.header-name-case/);
  expect(rest).toEqual([]);
  expect(lines(sampleWith(['auth.run-without-key']))).toEqual([]);
});

test('what is waived is a warning that says by whom', () => {
  const waived = lines(waivedRun).filter((line) => line.includes('waived by ann'));
  expect(waived).toHaveLength(2);
  expect(waived.every((line) => line.startsWith('::warning '))).toBe(true);
});

test('ten at most, the tenth of which says how many more there are', () => {
  const great = runOf(300, 300);
  expect(great.findings.filter(({ verdict }: Finding) => verdict === 'fail')).toHaveLength(15);
  expect(lines(great)).toHaveLength(10);
  expect(lines(great).at(-1)).toContain('6 more of this kind');
});

test('one line each, whatever a service said: nothing of it is a command', () => {
  const evil = 'a\r\n::set-output name=x::y%0A::add-mask::z ##[error]';
  const run: Run = {
    ...sampleRun,
    findings: sampleRun.findings.map((each) => ({
      ...each,
      reasons: each.reasons.map((one) => ({ ...one, came: evil })),
    })),
  };
  for (const each of [run, hostileRun()]) {
    for (const line of lines(each)) expect(line).toMatch(/^::(error|warning) title=[^:,]*::/);
    expect(githubReport(each)).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]/u);
  }
  expect(corpus.length).toBeGreaterThan(50);
});

test('a run that did not come to its end is an error', () => {
  const { footer: _, ...footless } = sampleWith(['auth.run-without-key']);
  expect(lines(footless)).toEqual([expect.stringContaining('INCOMPLETE')]);
});
