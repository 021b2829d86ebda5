import { expect, test } from 'vitest';
import type { Run } from '../src/vocabulary.ts';
import { consoleReport } from './console.ts';
import { measurementOf, sampleRun, sampleWith, waivedRun } from './testing.ts';

const report = (run: Run, options = {}): string => consoleReport(run, options);
const end = (run: Run): string[] => report(run, { quiet: true }).trimEnd().split('\n');

test('the last lines answer the question', () => {
  const lines = report(sampleRun, { runFile: 'touchstone-report/run.jsonl' }).trimEnd().split('\n').slice(-7);
  expect(lines).toEqual([
    '1 required rule is broken.',
    '7 rules: 1 pass · 1 fail · 1 warn · 1 observed · 1 untested · 1 inconclusive · 1 error',
    'DOES NOT CONFORM (exit code 1)',
    expect.stringMatching(/^First failure: auth\.run-with-invalid-key: expected 401, got /),
    expect.stringMatching(/^Reproduce: curl /),
    'Explain: touchstone explain auth.run-with-invalid-key',
    'More: touchstone report touchstone-report/run.jsonl --verbose',
  ]);
  expect(end(sampleWith(['auth.run-without-key', 'verify.tier-as-declared']))).toEqual([
    'CONFORMS, as far as tested',
    'No rule was broken; 1 untested (not counted as passed).',
    '2 rules: 1 pass · 1 untested',
    'exit code 0: conforms, as far as tested',
  ]);
});

test('a failure: the rule, the sentence, where, expected and came, the exchange, how to reproduce and fix it', () => {
  const lines = report(sampleRun).split('\n');
  const from = lines.indexOf('FAIL auth.run-with-invalid-key');
  const text = lines.slice(from, lines.indexOf('', from)).join('\n');
  for (const part of [
    '  §5 Data requests says: A key that the service does not know gets 401.',
    '  Only for a truncated key on a kept connection, seen 3 of 5 times (asked in 12 contexts).',
    '  expected 401',
    '  got \\x1b[2J',
    '    > POST /base/v1/actors/echo/run-sync-get-dataset-items',
    '    > X-API-Key: vk_live_«main:truncated»',
    '    < HTTP/1.1 200 OK   (13 ms, exchange 2)',
    '  Reproduce: curl ',
    '  Fix: Compare the whole key.',
  ])
    expect(text).toContain(part);
  expect(text).not.toContain('no matter');
});

test('what a rule saw is told although another question of it came to nothing', () => {
  const findings = sampleRun.findings.map((each) =>
    each.rule === 'upstream.timeout'
      ? { ...each, reasons: [{ weight: 'warning' as const, expected: '502 or 504', came: '500', exchange: 2 }] }
      : each,
  );
  expect(report({ ...sampleRun, findings })).toContain(
    'seen by upstream.timeout all the same: expected 502 or 504, got 500 (exchange 2)',
  );
  expect(report(sampleRun)).not.toContain('all the same');
});

test('the other parts: areas, warnings, what is not known, what was not tested, the cost', () => {
  const text = report(sampleRun, { runFile: 'touchstone-report/run.jsonl' });
  for (const part of [
    '✗ auth      1 pass · 1 fail · 1 warn · 1 observed',
    'expected 2xx, got 401 (exchange 1)',
    'inconclusive upstream.timeout\n    the twin request, which must succeed, got 503',
    'ERROR (a fault in Touchstone) run.success-shape',
    'add to the profile: keys: { main: { tier: … } }',
    '2 exchanges in 5.0 s, seed 42; rate-limited, so it waited: main 3.2 s (2 times)',
    'Note: The sources were not reachable.',
    'Left in the service; remove by hand: created-1',
    'touchstone report touchstone-report/run.jsonl --verbose',
  ])
    expect(text).toContain(part);
  expect(text).not.toContain('Observed (');
  expect(report(sampleRun, { verbose: true })).toContain('a key in Authorization is answered 401');
});

test('nothing that a service said reaches the terminal as more than text', () => {
  const text = report(sampleRun, { verbose: true });
  expect(text).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]/u);
  expect(text.split('\n').filter((line) => line.trim() === 'CONFORMS')).toEqual([]);
  // Colours come from us alone.
  expect(report(sampleRun, { colour: true })).toContain('\u001b[31m');
});

test('a run that did not come to its end says so', () => {
  const { footer, ...footless } = sampleRun;
  const passed = sampleWith(['auth.run-without-key']);
  const { footer: _, ...cut } = passed;
  expect(end(footless)).toContain('1 required rule is broken. The run ended early.');
  expect(report(cut)).toContain('This run is incomplete: it has no footer.');
  expect(end(cut)[0]).toBe('INCOMPLETE: conformance is unknown');
  expect(end(cut).at(-1)).toBe('exit code 3: incomplete, which is not a success');
  expect(end({ ...passed, footer: { ...footer!, interrupted: true } })[0]).toContain('INTERRUPTED');
  const gone = { ...passed, findings: [], footer: { ...footer!, unreachable: 'Nobody listens there.' } };
  expect(end(gone)).toEqual([
    'NOT REACHABLE: nothing was tested',
    'http://127.0.0.1:8080/base: Nobody listens there.',
    '1 rule: no verdicts · 1 without a verdict',
    'exit code 4: the target was not reachable',
  ]);
  expect(end(sampleWith(['verify.tier-as-declared']))[1]).toBe('No rule was judged.');
  expect(end(sampleWith(['auth.run-without-key', 'upstream.timeout']))[1]).toBe('1 required rule could not be judged.');
});

test('strict runs say what the strictness did', () => {
  const run = sampleWith(['auth.run-without-key', 'auth.header-name-case']);
  expect(end({ ...run, header: { ...run.header, strict: true } })).toEqual([
    '1 warning counts under --strict.',
    '2 rules: 1 pass · 1 warn',
    'DOES NOT CONFORM under --strict (exit code 1)',
    expect.stringMatching(/^First failure: auth\.header-name-case: expected /),
    expect.stringMatching(/^Reproduce: curl /),
    'Explain: touchstone explain auth.header-name-case',
  ]);
});

test('what is waived is shown as such, and never in green', () => {
  const text = report(waivedRun);
  expect(text).toContain('FAIL, waived auth.run-with-invalid-key\n  waived by ann@example.org until 2027-01-31');
  const coloured = report(waivedRun, { colour: true });
  const green = coloured.split('\u001b').filter((part) => part.startsWith('[32m'));
  expect(green.filter((part) => /CONFORM|waived/.test(part))).toEqual([]);
});

test('a run of load alone speaks of measurements', () => {
  const empty = { ...sampleRun, header: { ...sampleRun.header, planned: [] }, findings: [] };
  expect(end({ ...empty, measurements: [measurementOf()] })[0]).toBe('VALID, and no threshold missed');
});
