/** What stands between runs and a certificate is said, all of it; what is waived is allowed, and is in the certificate. */
import { beforeAll, describe, expect, test } from 'vitest';
import { outcomeOf, type PlannedRule, type RunRecord } from '../model/run.ts';
import { waivingBy } from '../waivers/apply.ts';
import type { Waiver } from '../waivers/waiver.ts';
import type { LevelName } from './levels.ts';
import type { Knowledge } from './predicate.ts';
import { bundle, edited, knowledge, type Recorded, recorded, saysValidInAString, whole } from './testing.ts';
import { verifyBundle } from './verify.ts';
import { whyNotCertified } from './why-not.ts';

const today = '2026-11-21';
const full: Knowledge = { ...whole, since: '2026-01-01' };
let clean: Recorded;

beforeAll(async () => {
  clean = await recorded();
});

const whyNot = (
  runs: readonly Recorded[],
  level: LevelName = 'core',
  day = today,
  known: Knowledge = knowledge,
): string[] =>
  whyNotCertified(
    runs.map(({ run }, index) => ({ name: `run ${index + 1}`, run })),
    level,
    day,
    known,
  );

const with_ = (change: (record: RunRecord) => RunRecord | undefined): string[] => whyNot([edited(clean, change)]);

/** As a plan says it of a rule that lacks something. */
const lacking = ({ axes: _, ...planned }: PlannedRule, because: string): PlannedRule => ({
  ...planned,
  contexts: 0,
  untested: { because },
});

const waiver = (rule: string, expectation: Waiver['expectation'] = 'fail'): Waiver => ({
  rule,
  expectation,
  reason: 'fixed in the next release',
  owner: '@keys',
  issue: 'ACME-12',
  expires: '2027-01-31',
});

describe('core', () => {
  test('is given to a whole run of what it demands', () => {
    expect(whyNot([clean])).toEqual([]);
  });

  test('is not given to a run that ended early', async () => {
    expect(whyNot([await recorded({ signal: AbortSignal.abort() })])).toContain('run 1 was interrupted');
    expect(with_((record) => (record.type === 'footer' ? undefined : record))).toContain(
      'run 1 ended early: it has no footer',
    );
  });

  test('is not given where nobody answered, or a waiver has rotted', () => {
    const gone = with_((record) => (record.type === 'footer' ? { ...record, unreachable: 'refused' } : record));
    expect(gone).toContain('run 1 did not reach its target');
    const says = 'The waiver of x is stale.';
    const rotten = with_((record) =>
      record.type === 'footer' ? { ...record, waivers: [{ rule: 'x', problem: 'stale', says }] } : record,
    );
    expect(rotten).toEqual([`run 1: ${says}`]);
  });

  test('is not given to what was asked once only, or not at all', async () => {
    const shallow = await recorded({ depth: 'quick' });
    expect(whyNot([shallow])).toEqual(['core demands --depth standard, but run 1 is quick']);
    const only = { ...knowledge, rules: knowledge.rules.filter(({ id }) => id === 'verify.valid-key') };
    const said = whyNot([await recorded({}, undefined, only)]).join('\n');
    expect(said).toContain('core demands actor.read, which no run asked');
    expect(said).toContain('core is given to runs of the whole set only');
  });

  test('is given to several runs of one service, each of the whole set', async () => {
    const others = await recorded({ seed: 2 });
    expect(whyNot([clean, others])).toEqual([]);
    const { files, statement } = bundle([clean, others]);
    expect(verifyBundle(files, knowledge).problems).toEqual([]);
    expect(statement.predicate.touchstone.runs.map(({ file }) => file)).toEqual(['run-1.jsonl', 'run-2.jsonl']);
    const elsewhere = edited(others, (record) =>
      record.type === 'header' ? { ...record, target: 'http://127.0.0.1:7' } : record,
    );
    expect(whyNot([clean, elsewhere])).toEqual(['run 2 is of http://127.0.0.1:7, but run 1 of http://127.0.0.1:1001']);
  });

  test('is not given to a run that skipped what fails', async () => {
    const left = { ...knowledge, rules: knowledge.rules.filter(({ id }) => id !== 'route.unknown') };
    const skipped = await recorded({}, undefined, left);
    expect(outcomeOf(skipped.run)).toBe('conforms');
    expect(whyNot([skipped])).toContainEqual(expect.stringContaining('omitted rules (--only, --skip): route.unknown;'));
    const { files } = bundle([skipped]);
    expect(verifyBundle(files, knowledge).problems).not.toEqual([]);
  });

  test('says nothing of provisional rules', async () => {
    const broken = ['verify.valid-key', 'auth.live-and-test-keys'];
    const known = { ...knowledge, rules: knowledge.rules.filter(({ id }) => !broken.includes(id)) };
    const rules = knowledge.rules.map((rule) =>
      broken.includes(rule.id) ? { ...rule, provisional: true as const } : rule,
    );
    const made = await recorded({}, saysValidInAString, { ...knowledge, rules });
    expect(made.run.findings.filter(({ verdict }) => verdict === 'fail').map(({ rule }) => rule)).toEqual(broken);
    expect(outcomeOf(made.run)).toBe('conforms');
    expect(whyNot([made], 'core', today, known)).toEqual([
      'core demands verify.valid-key, which no run asked',
      'core demands auth.live-and-test-keys, which no run asked',
    ]);
    const { verdicts, waivers } = bundle([made], {}, undefined, known).statement.predicate.touchstone;
    expect([verdicts.length, waivers]).toEqual([known.rules.length, []]);
  });

  test('is not given to rules of another version, or another specification', () => {
    const other = with_((record) =>
      record.type === 'header' ? { ...record, rules: { ...record.rules, version: '0' } } : record,
    );
    expect(other).toEqual([expect.stringContaining('run 1 was judged by rules of version 0, and this Touchstone')]);
    const text = with_((record) =>
      record.type === 'header' ? { ...record, rules: { ...record.rules, specification: 'f'.repeat(64) } } : record,
    );
    expect(text).toEqual(['run 1 was judged by another text of the specification']);
  });

  test('is not given to a fault in Touchstone, or to what stayed open', () => {
    const broken = with_((record) =>
      record.type === 'step' && record.rule === 'actor.read' ? { ...record, error: 'asking failed' } : record,
    );
    expect(broken).toContain('run 1: the verdict on actor.read is stored as pass, but its exchanges show error');
    const open = edited(clean, (record) => {
      if (record.type === 'step' && record.rule === 'actor.read') return { ...record, inconclusive: 'lost' };
      if (record.type === 'finding' && record.finding.rule === 'actor.read')
        return { ...record, finding: { ...record.finding, verdict: 'inconclusive', because: 'lost' } };
      if (record.type !== 'footer') return record;
      const { pass, inconclusive } = record.counts;
      return { ...record, counts: { ...record.counts, pass: pass - 1, inconclusive: inconclusive + 1 } };
    });
    expect(whyNot([open])).toContain('run 1: actor.read is inconclusive: lost');
  });
});

describe('waivers', () => {
  const waiving = waivingBy([waiver('verify.valid-key'), waiver('auth.live-and-test-keys')], today);

  test('let a failure through, by name, in the certificate', async () => {
    const put = await recorded({ waiving }, saysValidInAString);
    expect(outcomeOf(put.run)).toBe('conforms');
    expect(whyNot([put])).toEqual([]);
    const { statement, files } = bundle([put]);
    expect(statement.predicate).toMatchObject({
      result: 'WARNED',
      failedTests: ['verify.valid-key', 'auth.live-and-test-keys'],
    });
    expect(statement.predicate.touchstone.waivers[0]).toEqual({
      rule: 'verify.valid-key',
      verdict: 'fail',
      reason: 'fixed in the next release',
      owner: '@keys',
      issue: 'ACME-12',
      expires: '2027-01-31',
    });
    expect(verifyBundle(files, knowledge).problems).toEqual([]);
    expect(whyNot([put], 'core', '2027-02-01')).toContain(
      'run 1: the waiver of verify.valid-key expired on 2027-01-31',
    );
  });

  test('that somebody wrote into the run have an end too', async () => {
    const endless = edited(await recorded({}, saysValidInAString), (record) =>
      record.type === 'finding' && record.finding.verdict === 'fail'
        ? { ...record, finding: { ...record.finding, waived: { reason: 'never mind', owner: '@keys' } } }
        : record,
    );
    expect(whyNot([endless])).toEqual([
      'run 1: the waiver of verify.valid-key has no last day',
      'run 1: the waiver of auth.live-and-test-keys has no last day',
    ]);
  });

  test('excuse nothing but what they name', async () => {
    const half = await recorded({ waiving: waivingBy([waiver('verify.valid-key')], today) }, saysValidInAString);
    expect(whyNot([half])).toEqual(['run 1: auth.live-and-test-keys is broken, and not waived']);
  });

  test('stand in for what could not be tested in full, and never in core', async () => {
    const all = await recorded({}, undefined, full);
    const untested = edited(all, (record) => {
      const because = 'no two keys declare different tiers';
      if (record.type === 'header')
        return {
          ...record,
          planned: record.planned.map((each) => (each.rule === 'verify.tiers-differ' ? lacking(each, because) : each)),
        };
      if (record.type === 'step' && record.rule === 'verify.tiers-differ') return undefined;
      if (record.type === 'finding' && record.finding.rule === 'verify.tiers-differ') {
        const blank = {
          reasons: [],
          exchanges: [],
          asked: { contexts: 0, planned: 0, leftOut: [] },
        };
        return { ...record, finding: { rule: 'verify.tiers-differ', verdict: 'untested', because, ...blank } };
      }
      if (record.type !== 'footer') return record;
      const { pass, untested: count } = record.counts;
      return { ...record, counts: { ...record.counts, pass: pass - 1, untested: count + 1 } };
    });
    expect(whyNot([untested], 'core', today, full)).toEqual([]);
    expect(whyNot([untested], 'full', today, full)).toEqual([
      'full demands verify.tiers-differ, which is untested: no two keys declare different tiers',
    ]);
    const waived = edited(untested, (record) =>
      record.type === 'finding'
        ? { ...record, finding: waivingBy([waiver('verify.tiers-differ', 'untested')], today).finding(record.finding) }
        : record,
    );
    expect(whyNot([waived], 'full', today, full)).toEqual([]);
  });
});
