import { describe, expect, test } from 'vitest';
import type { Finding, Run, Verdict } from '../src/vocabulary.ts';
import { differenceOf } from './diff.ts';
import { diffConsole, diffJson, diffMarkdown, of } from './diff-text.ts';
import { hostile, sampleRun } from './testing.ts';

const rules = sampleRun.header.planned.map(({ rule }) => rule);
const waived = { reason: 'known', owner: 'me@acme', expires: '2027-01-31' };

/** The sample, with other verdicts. */
function run(verdicts: Readonly<Record<string, Verdict | Partial<Finding>>>, header: Partial<Run['header']> = {}): Run {
  const findings = sampleRun.header.planned.map(({ rule }): Finding => {
    const given = verdicts[rule] ?? 'pass';
    const blank = { rule, verdict: 'pass' as const, reasons: [], exchanges: [] };
    const asked = { contexts: 1, planned: 1, leftOut: [] };
    return { ...blank, asked, ...(typeof given === 'string' ? { verdict: given } : given) };
  });
  const planned = sampleRun.header.planned.map(({ untested: _, ...each }) => each);
  return { ...sampleRun, header: { ...sampleRun.header, planned, ...header }, findings };
}

const kinds = (before: Run, after: Run): Record<string, string> =>
  Object.fromEntries(differenceOf(before, after).changes.map(({ rule, kind, cause }) => [rule, `${kind}, ${cause}`]));

const [first = '', second = '', third = '', facts = '', fifth = '', sixth = '', seventh = ''] = rules;

test('two runs alike differ in nothing', () => {
  const difference = differenceOf(run({}), run({}));
  expect(difference).toMatchObject({ changes: [], suite: [], profile: [], target: [], asking: [], same: rules.length });
  expect(diffConsole(difference)).toContain('0 new · 0 fixed · 0 still failing · 7 the same');
});

test('each change by its kind', () => {
  const before = run({ [second]: 'fail', [third]: 'fail', [fifth]: 'untested', [sixth]: 'warn', [seventh]: 'pass' });
  const after = run({ [first]: 'fail', [third]: 'fail', [sixth]: 'pass', [seventh]: 'error' });
  expect(kinds(before, after)).toEqual({
    [first]: 'new, implementation',
    [second]: 'fixed, implementation',
    [third]: 'still, implementation',
    [fifth]: 'gained, implementation',
    [sixth]: 'other, implementation',
    [seventh]: 'lost, implementation',
  });
});

test('a failure that is no longer judged is not fixed', () => {
  expect(kinds(run({ [first]: 'fail' }), run({ [first]: 'inconclusive' }))).toEqual({
    [first]: 'lost, implementation',
  });
});

test('a waiver makes nothing new, and its end does', () => {
  const under = run({ [first]: { verdict: 'fail', waived } });
  const bare = run({ [first]: 'fail' });
  expect(kinds(bare, under)).toEqual({ [first]: 'other, waivers' });
  expect(kinds(under, bare)).toEqual({ [first]: 'new, waivers' });
  expect(kinds(run({}), under)).toEqual({ [first]: 'other, implementation' });
});

test('warnings are new where they are violations', () => {
  const strict = { strict: true };
  expect(kinds(run({}, strict), run({ [first]: 'warn' }, strict))).toEqual({ [first]: 'new, implementation' });
  expect(kinds(run({}), run({ [first]: 'warn' }))).toEqual({ [first]: 'other, implementation' });
});

test('facts that changed, whatever their order', () => {
  const one = run({ [facts]: { verdict: 'observed', facts: ['a', 'b'] } });
  expect(kinds(one, run({ [facts]: { verdict: 'observed', facts: ['b', 'a'] } }))).toEqual({});
  const other = differenceOf(one, run({ [facts]: { verdict: 'observed', facts: ['b', 'c'] } }));
  expect(diffConsole(other)).toMatch(/ {4}- a\n {4}\+ c\n/);
});

describe('why', () => {
  const other = { rules: { version: '2', specification: 'abc' } };

  test('the suite, where what was recorded is judged otherwise by the rules of now', () => {
    const before = run({});
    const after = run({ [first]: 'fail', [second]: 'fail' }, other);
    const alike = run({ [first]: 'fail' }).findings;
    const causes = differenceOf(before, after, { before: alike }).changes.map(({ rule, cause }) => [rule, cause]);
    expect(causes).toEqual([
      [first, 'suite'],
      [second, 'implementation'],
    ]);
    const backwards = differenceOf(after, before, { after: alike }).changes.map(({ rule, cause }) => [rule, cause]);
    expect(backwards).toEqual([
      [first, 'suite'],
      [second, 'implementation'],
    ]);
    expect(differenceOf(before, after).changes.map(({ cause }) => cause)).toEqual(['unknown', 'unknown']);
    expect(diffConsole(differenceOf(before, after))).toContain('suite:          rules of version: 1 before, 2 now');
  });

  test('the profile, where it says what can be tested', () => {
    const before = run({ [first]: 'untested' });
    const planned = before.header.planned.map((each) =>
      each.rule === first ? { ...each, untested: { because: 'no key' } } : each,
    );
    const profile = { name: 'new.yaml', digest: 'other' };
    const changes = differenceOf(
      { ...before, header: { ...before.header, planned } },
      run({ [second]: 'fail' }, { profile }),
    );
    expect(changes.changes.map(({ cause }) => cause)).toEqual(['profile', 'unknown']);
    expect(diffConsole(changes)).toContain('profile:        changed (touchstone.yaml before, new.yaml now)');
  });

  test('what was asked', () => {
    const some = run({});
    const fewer = {
      ...some,
      header: { ...some.header, planned: some.header.planned.slice(1), seed: 7 },
      findings: some.findings.slice(1),
    };
    expect(kinds(some, fewer)).toEqual({ [first]: 'lost, selection' });
    expect(differenceOf(some, fewer).asking).toEqual(['seed: 42 before, 7 now']);
    const { footer: _, ...open } = some;
    const cut = differenceOf(some, { ...open, findings: some.findings.slice(1) });
    expect(cut).toMatchObject({ incomplete: true, changes: [{ rule: first, kind: 'lost', cause: 'ended' }] });
    expect(diffMarkdown(cut)).toContain('The second run is incomplete');
  });
});

describe('what a service said', () => {
  const reasons = [
    { weight: 'violation' as const, expected: '401', came: `${hostile} <img src=x onerror=1> @all [x](y) |` },
  ];
  const difference = differenceOf(run({}), run({ [first]: { verdict: 'fail', reasons } }));

  test('moves no cursor', () => {
    expect(diffConsole(difference)).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]/u);
    expect(diffConsole(difference)).toContain('pass → fail');
  });

  test('is no markup', () => {
    const text = diffMarkdown(difference);
    expect(text).not.toMatch(/<img|@all|(?!\n)[\p{Cc}\p{Cf}]/u);
    expect(text).toContain('**fail**');
  });

  test('is data for programs', () => {
    const value = JSON.parse(diffJson(difference));
    expect(value).toMatchObject({ format: 'touchstone-diff', version: 1, changes: [{ rule: first, kind: 'new' }] });
    expect(of(difference, 'new')).toHaveLength(1);
  });
});
