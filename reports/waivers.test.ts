/** Waivers that have rotted are red in the formats that machines read, also where every rule passes. */
import { expect, test } from 'vitest';
import type { Run } from '../src/vocabulary.ts';
import { consoleReport } from './console.ts';
import { jsonReport } from './json.ts';
import { junitReport } from './junit.ts';
import { hostile, sampleRun, sampleWith } from './testing.ts';

const says = 'The waiver of auth.run-without-key is stale: the rule passes now. Remove it.';
const problem = { rule: 'auth.run-without-key', problem: 'stale' as const, says };
const rotten = (run: Run, text = says): Run => ({
  ...run,
  footer: { ...run.footer!, waivers: [{ ...problem, says: text }] },
});
const passing = sampleWith(['auth.run-without-key']);

test('on the console', () => {
  const lines = consoleReport(rotten(passing), { quiet: true });
  expect(lines).toMatch(/^WAIVERS NEED ATTENTION\nThe waiver of auth.run-without-key is stale/);
  expect(lines).toContain('exit code 1');
  const both = consoleReport(rotten(sampleRun), { quiet: true });
  expect(both).toMatch(/^1 required rule is broken. The waiver of/);
  expect(both).toContain('\nDOES NOT CONFORM (exit code 1)\n');
});

test('a failure that is waived is not counted as broken where a waiver has rotted', () => {
  const waived = { reason: 'known', owner: 'me', expires: '2027-01-31' };
  const findings = sampleRun.findings.map((each) => (each.verdict === 'fail' ? { ...each, waived } : each));
  const text = consoleReport(rotten({ ...sampleRun, findings }), { quiet: true });
  expect(text).toMatch(/^WAIVERS NEED ATTENTION\nThe waiver of/);
});

test('for programs', () => {
  expect(JSON.parse(jsonReport(rotten(passing)))).toMatchObject({
    conforms: false,
    complete: true,
    waivers: [problem],
  });
  expect(JSON.parse(jsonReport(passing))).toMatchObject({ conforms: true, waivers: [] });
});

test('in JUnit', () => {
  expect(junitReport(passing)).not.toContain('<error');
  const xml = junitReport(rotten(passing, `${says} ${hostile}`));
  expect(xml).toMatch(/<error message="WAIVERS NEED ATTENTION\. The waiver of auth\.run-without-key is stale/);
  expect(xml).toMatch(/errors="1"/);
});
