/** Waivers: how they are written down, what they excuse, and how they rot. */
import { describe, expect, test } from 'vitest';
import { catalogue } from '../../suites/index.ts';
import type { PlannedRule } from '../model/run.ts';
import type { Finding, Verdict } from '../model/verdict.ts';
import { ProfileError } from '../profile/problems.ts';
import { withWaiver } from './add.ts';
import { waivingBy } from './apply.ts';
import { parseWaivers } from './parse.ts';
import type { Waiver } from './waiver.ts';

const today = '2026-11-21';
const parse = (text: string) => parseWaivers(text, { source: 'w.yaml', rules: catalogue, today });

const waiver = (more: Partial<Waiver> = {}): Waiver => ({
  rule: 'run.success-shape',
  expectation: 'fail',
  reason: 'status is missing until 2.1',
  owner: 'runs@acme',
  expires: '2027-01-31',
  ...more,
});

const line = (more: Partial<Record<keyof Waiver, string>> = {}): string => {
  const { rule, expectation, reason, owner, expires, issue } = { ...waiver(), ...more };
  const lines = { rule, expectation, reason, owner, issue, expires };
  const written = Object.entries(lines).flatMap(([name, value]) => (value === undefined ? [] : [`${name}: ${value}`]));
  return `  - ${written.join('\n    ')}\n`;
};

describe('the file', () => {
  test('is a list of waivers, or of none yet', () => {
    expect(parse(`waivers:\n${line({ reason: '"status is missing until 2.1"', issue: '"#12"' })}`)).toEqual([
      waiver({ issue: '#12' }),
    ]);
    for (const text of ['', '# nothing yet\n', 'waivers:\n', 'waivers: []\n']) expect(parse(text)).toEqual([]);
  });

  test.for<[string, string, string]>([
    [
      'a rule that there is not',
      line({ rule: 'run.sucess-shape' }),
      'w.yaml:2:11: waivers[0].rule: there is no rule `run.sucess-shape`; did you mean `run.success-shape`?',
    ],
    ['a rule like no other', line({ rule: 'x' }), '`touchstone rules` lists all'],
    ['a glob', line({ rule: 'run.*' }), 'one rule by its exact identifier'],
    ['one that only observes', line({ rule: 'auth.key-elsewhere' }), 'it cannot fail'],
    [
      'a failure that can only be a warning',
      line({ rule: 'auth.header-name-case' }),
      'w.yaml:3:18: waivers[0].expectation',
    ],
    [
      'twice the same',
      line() + line({ expectation: 'warn' }),
      'w.yaml:7:11: waivers[1].rule: run.success-shape is waived twice: it is the first waiver already',
    ],
    ['what cannot be waived', line({ expectation: 'error' }), 'expected `fail` or `warn` or `untested`, got "error"'],
    ['an undetermined rule', line({ expectation: 'inconclusive' }), 'expected `fail` or `warn` or `untested`'],
    ['no reason to speak of', line({ reason: 'wip' }), 'of at least 10 characters'],
    ['a reason of spaces', line({ reason: '"            "' }), 'a reason in words'],
    ['a reason that moves the cursor', line({ reason: '"\\e[2J it is a good reason"' }), 'a reason in words'],
    ['no owner', line({ owner: '""' }), 'of the responsible person'],
    ['a number for an issue', line({ issue: '12' }), 'an address or a number of an issue, got 12'],
    ['no day', line({ expires: 'next week' }), 'a day such as 2027-01-31'],
    ['a day that there is not', line({ expires: '2027-02-30' }), 'a day such as 2027-01-31'],
    ['a day far away', line({ expires: '2030-01-01' }), 'more than 366 days away'],
    ['a member that there is not', `${line()}    until: 2027-01-01\n`, 'w.yaml:7:5: waivers[0].until: unknown field'],
    ['a member that is missing', '  - rule: run.success-shape\n', 'waivers[0].expires: `expires` is missing'],
  ])('refuses %s', ([, text, says]) => {
    expect(() => parse(`waivers:\n${text}`)).toThrow(says);
  });

  test.for<[string, string]>([
    ['a list without a name', '- rule: run.success-shape\n'],
    ['a text', 'hello\n'],
    ['a list in which something else stands', 'waivers:\n  - hello\n'],
    ['names twice', 'waivers: []\nwaivers: []\n'],
    ['two documents', 'waivers: []\n---\nwaivers: []\n'],
    ['a tag', 'waivers: !!js/function "x"\n'],
    ['an alias to nothing', 'waivers: [*x]\n'],
    [
      'aliases that grow',
      `a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\nwaivers: [${'*b,'.repeat(40)}*b]\n`,
    ],
    ['a merge', 'x: &x { rule: run.success-shape }\nwaivers:\n  - <<: *x\n    expectation: fail\n'],
    ['what YAML reserves', line({ owner: '@runs' })],
    ['a tab', 'waivers:\n\t- rule: run.success-shape\n'],
    ['too much', `# ${'x'.repeat(1_000_001)}\n`],
    ['too deep', `waivers: ${'['.repeat(200)}${']'.repeat(200)}\n`],
    ['the name of a prototype', 'waivers:\n  - { rule: __proto__, expectation: fail, constructor: x }\n'],
  ])('refuses %s', ([, text]) => {
    expect(() => parse(text)).toThrow(ProfileError);
    expect(() => parse(text)).toThrow(/^w\.yaml/);
  });
});

describe('a waiver that is added', () => {
  test('leaves comments, order and the rest as they are', () => {
    const first = line({ rule: 'run.empty-result', reason: '"known since 1.0"' });
    const before = `# ours\nwaivers:\n  # the first\n${first}    # after\n\n# the end\n`;
    const after = withWaiver(before, waiver({ issue: '#12' }));
    expect(after.startsWith(before.slice(0, before.indexOf('    # after')))).toBe(true);
    for (const comment of ['# ours', '# the first', '# after', '# the end'])
      expect(after.split(comment)).toHaveLength(2);
    expect(parse(after).map(({ rule }) => rule)).toEqual(['run.empty-result', 'run.success-shape']);
  });

  test.for([undefined, '', '# only this\n', 'waivers:\n', 'waivers: []\n', '{ "waivers": [] }\n'])(
    'goes into %j',
    (before) => {
      const after = withWaiver(before, waiver({ reason: `a: "reason" # with\u00a0everything, ${'long '.repeat(60)}` }));
      expect(parse(after)).toMatchObject([{ rule: 'run.success-shape', reason: expect.stringContaining('long long') }]);
      if (before?.startsWith('#')) expect(after.startsWith(before)).toBe(true);
    },
  );
});

describe('what a waiver does', () => {
  const found = (verdict: Verdict, rule = 'run.success-shape'): Finding => ({
    rule,
    verdict,
    reasons: [],
    asked: { contexts: 1, planned: 1, leftOut: [] },
    exchanges: [],
  });
  const plan = (more: Partial<PlannedRule> = {}): PlannedRule => ({
    rule: 'run.success-shape',
    level: 'required',
    clause: { id: 'x', section: '§5', says: 'x' },
    fix: '',
    contexts: 1,
    ...more,
  });
  const says = (each: Waiver, verdict: Verdict, planned = [plan()], day = today): string[] =>
    waivingBy([each], day)
      .problems([found(verdict)], planned)
      .map(({ problem, says: text }) => `${problem}: ${text}`);

  test('marks the verdict that it expects, until its last day, and no other', () => {
    const { finding } = waivingBy([waiver({ issue: '#12' })], '2027-01-31');
    expect(finding(found('fail'))).toEqual({
      ...found('fail'),
      waived: { reason: 'status is missing until 2.1', owner: 'runs@acme', issue: '#12', expires: '2027-01-31' },
    });
    for (const verdict of ['pass', 'warn', 'observed', 'untested', 'inconclusive', 'error'] as const)
      expect(finding(found(verdict))).toEqual(found(verdict));
    expect(finding(found('fail', 'run.empty-result')).waived).toBeUndefined();
    expect(waivingBy([waiver()], '2027-02-01').finding(found('fail')).waived).toBeUndefined();
  });

  test('is no problem while it is needed, nor where nothing is known', () => {
    expect(says(waiver(), 'fail')).toEqual([]);
    expect(says(waiver(), 'inconclusive')).toEqual([]);
    expect(says(waiver(), 'error')).toEqual([]);
    expect(says(waiver(), 'pass', [])).toEqual([]);
    expect(says(waiver(), 'untested')).toEqual([]);
  });

  test('rots in three ways, each with its own words', () => {
    expect(says(waiver(), 'pass')).toEqual([
      'stale: The waiver of run.success-shape is stale: the rule passes now. Remove it.',
    ]);
    expect(says(waiver({ expectation: 'untested' }), 'pass')[0]).toContain('stale: ');
    expect(says(waiver(), 'fail', [plan()], '2027-02-01')[0]).toContain('expired: ');
    expect(says(waiver(), 'pass', [plan()], '2027-02-01')[0]).toContain('stale: ');
    expect(says(waiver(), 'warn')).toEqual([
      'unused: The waiver of run.success-shape is unused: it expects `fail`, and the rule has the verdict `warn`. Change it or remove it.',
    ]);
    expect(says(waiver({ expectation: 'warn' }), 'fail')[0]).toContain('unused: ');
    expect(says(waiver(), 'untested', [plan({ untested: { because: 'no key' } })])[0]).toContain(
      'untested with this profile',
    );
  });
});
