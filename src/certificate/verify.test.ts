/** What a signer could try, with a key that is theirs: nothing verifies that does not follow from the recorded exchanges. */
import { beforeAll, describe, expect, test } from 'vitest';
import { modelOf } from '../limits/model/model-of.ts';
import type { RunRecord } from '../model/run.ts';
import { freshKeyPair } from '../random.ts';
import { readRun } from '../runfile/read.ts';
import { type BundleFiles, envelopeName, predicateName, predicateText } from './bundle.ts';
import { envelopeFrom, signed } from './dsse.ts';
import type { Statement } from './predicate.ts';
import { bundle, edited, keys, knowledge, type Recorded, recorded, saysValidInAString } from './testing.ts';
import { verifyBundle } from './verify.ts';

let clean: Recorded;
let faulty: Recorded;

beforeAll(async () => {
  clean = await recorded();
  faulty = await recorded({}, saysValidInAString);
});

const problems = (files: BundleFiles): readonly string[] => verifyBundle(files, knowledge).problems;

/** Another statement, properly signed. */
function resigned(runs: readonly Recorded[], change: (statement: Statement) => unknown): BundleFiles {
  const { files, statement } = bundle(runs);
  const changed = change(structuredClone(statement)) as Statement;
  const payload = Buffer.from(JSON.stringify(changed), 'utf8');
  return new Map(files)
    .set(envelopeName, Buffer.from(signed(payload, keys.privateKey, keys.publicKey)))
    .set(predicateName, Buffer.from(predicateText(changed)));
}

/** A copy with one member changed, or without it. */
function put<T>(whole: T, path: string, value: unknown): T {
  const copy = structuredClone(whole);
  const steps = path.split('.');
  let here = copy as Record<string, unknown>;
  for (const step of steps.slice(0, -1)) here = here[step] as Record<string, unknown>;
  here[steps.at(-1)!] = value;
  return copy;
}

/** The same run, in which a limit was looked for. */
function withLimit({ text }: Recorded): Recorded {
  const lines = text.trimEnd().split('\n');
  const limit = { caller: 'main', scope: 'key', route: 'verify', model: modelOf([]), calls: [] };
  lines.splice(-1, 0, JSON.stringify({ type: 'limit', limit }));
  const more = `${lines.join('\n')}\n`;
  return { text: more, run: readRun(more) };
}

/** `fail` becomes `pass`, and the footer counts along. */
const whitewashed = (record: RunRecord): RunRecord => {
  if (record.type === 'finding' && record.finding.verdict === 'fail')
    return { ...record, finding: { ...record.finding, verdict: 'pass', reasons: [] } };
  if (record.type !== 'footer') return record;
  const { fail, pass } = record.counts;
  return { ...record, counts: { ...record.counts, fail: 0, pass: pass + fail } };
};

describe('a clean run', () => {
  test('verifies, by the key in the bundle and by the one that was published', () => {
    const { files, statement } = bundle([clean]);
    expect(verifyBundle(files, knowledge)).toEqual({ problems: [], statement, keyid: expect.any(String) });
    expect(verifyBundle(files, knowledge, { publicKey: keys.publicKey }).problems).toEqual([]);
    expect(statement.predicate).toMatchObject({ result: 'PASSED', failedTests: [], warnedTests: [] });
    expect(statement.predicate.touchstone.coverage.required.exercised).toBeGreaterThan(15);
  });

  test('is not taken for signed by a key that it is not signed by', () => {
    const other = freshKeyPair();
    const [said] = verifyBundle(bundle([clean], {}, other).files, knowledge, { publicKey: keys.publicKey }).problems;
    expect(said).toContain('it is signed by another key than the one given');
  });

  test('states the limits that its runs found, and no others', async () => {
    const limited = withLimit(clean);
    const { files } = bundle([limited]);
    const { statement, problems: none } = verifyBundle(files, knowledge);
    expect(none).toEqual([]);
    expect(statement?.predicate.touchstone.limits).toMatchObject([{ scope: 'key', caller: 'main' }]);
    const invented = resigned([clean], (said) =>
      put(said, 'predicate.touchstone.limits', statement!.predicate.touchstone.limits),
    );
    expect(problems(invented).join('\n')).toContain('limits');
  });

  test('under rules of another version, the signature holds and nothing is derived', () => {
    const { files } = bundle([clean]);
    const later = verifyBundle(files, { ...knowledge, version: '999' });
    expect(later).toMatchObject({ problems: [], underived: expect.stringContaining('rules of version') });
    const otherText = verifyBundle(files, { ...knowledge, specification: '0'.repeat(64) });
    expect(otherText.underived).toContain('another specification');
  });

  test('a later Touchstone with other rules verifies it by the set of its time, as long as it keeps that', () => {
    const { files } = bundle([clean]);
    const later = { ...knowledge, touchstone: '99.0.0', version: '99', rules: [] };
    const others = (version: string) => (version === knowledge.version ? knowledge : undefined);
    expect(verifyBundle(files, later, { others })).toMatchObject({ problems: [], statement: expect.anything() });
    expect(verifyBundle(files, later, { others }).underived).toBeUndefined();
    expect(verifyBundle(files, later).underived).toContain('rules of version');
    expect(verifyBundle(files, { ...knowledge, digest: 'f'.repeat(64) }).underived).toContain('with other rules in it');
  });

  test('says how many exchanges each rule rests on, and what no exchange shows', () => {
    const { verdicts, claimed } = bundle([clean]).statement.predicate.touchstone;
    expect(verdicts.every(({ exchanges }) => exchanges > 0)).toBe(true);
    expect(claimed).toContain('runs.started');
  });
});

describe('signed, but not what was recorded', () => {
  test('a failure turned into a pass', () => {
    expect(problems(bundle([edited(faulty, whitewashed)]).files)).toEqual([
      'run-1.jsonl: the verdict on verify.valid-key is stored as pass, but its exchanges show fail',
      'run-1.jsonl: the verdict on auth.live-and-test-keys is stored as pass, but its exchanges show fail',
    ]);
  });

  test('a failure that nobody waives', () => {
    expect(problems(bundle([faulty]).files)).toContain('run-1.jsonl: verify.valid-key is broken, and not waived');
  });

  test('a rule that failed, called untested', () => {
    const hidden = edited(faulty, (record) =>
      record.type === 'header'
        ? {
            ...record,
            planned: record.planned.map((each) =>
              each.rule === 'verify.valid-key' ? { ...each, untested: { because: 'there is no key' } } : each,
            ),
          }
        : record,
    );
    const said = problems(bundle([hidden]).files);
    expect(said).toContain('run-1.jsonl: verify.valid-key is marked untested, but was asked');
  });

  test('an expected rule, where the rule is a required one', () => {
    const lowered = edited(clean, (record) =>
      record.type === 'header'
        ? { ...record, planned: record.planned.map((each) => ({ ...each, level: 'expected' as const })) }
        : record,
    );
    expect(problems(bundle([lowered]).files)).toContain(
      'run-1.jsonl: the run describes verify.valid-key differently than the rule does',
    );
  });

  test.for<[string, string, unknown, string]>([
    ['more coverage', 'predicate.touchstone.coverage.required.exercised', 59, '`coverage` does not follow'],
    ['a verdict', 'predicate.touchstone.verdicts.0.verdict', 'observed', '`verdicts` does not follow'],
    ['a list of passes', 'predicate.passedTests', ['limit.per-key'], '`predicate.passedTests` does not follow'],
    ['a fact', 'predicate.touchstone.observed', [{ rule: 'x.y', facts: [] }], '`observed` does not follow'],
    ['the target', 'predicate.touchstone.runs.0.target', 'https://acme.example', '`runs` does not follow'],
    ['a member more', 'predicate.touchstone.seal', 'gold', '`seal` does not follow'],
    ['a member less', 'predicate.configuration', undefined, '`predicate.configuration` does not follow'],
    ['a higher level', 'predicate.touchstone.level', 'full', 'full demands'],
    ['the subject outside', 'subject.0.name', 'other@1', '`statement.subject` does not follow'],
    ['the subject', 'predicate.touchstone.subject.version', '2.0', 'is not that of its name and version'],
  ])('%s', ([, path, value, says]) => {
    expect(problems(resigned([clean], (statement) => put(statement, path, value))).join('\n')).toContain(says);
  });

  test.for<[string, string, unknown]>([
    ['a name that leads out of the folder', 'predicate.touchstone.files.1.name', '../run.jsonl'],
    ['an absolute name', 'predicate.touchstone.runs.0.file', '/etc/passwd'],
    ['another version', 'predicate.touchstone.version', 1],
    ['another type', 'predicateType', 'https://slsa.dev/provenance/v1'],
    ['no runs', 'predicate.touchstone.runs', []],
    ['coverage that is no table', 'predicate.touchstone.coverage', 5],
    ['an invalid date', 'predicate.touchstone.issued', '2026-11-21Tsoon'],
    ['something else', 'predicate', { hello: 'world' }],
  ])('is no certificate: %s', ([, path, value]) => {
    const { files, statement } = bundle([clean]);
    const payload = Buffer.from(JSON.stringify(put(statement, path, value)), 'utf8');
    const envelope = Buffer.from(signed(payload, keys.privateKey, keys.publicKey));
    expect(problems(new Map(files).set(envelopeName, envelope))).toEqual([
      'what is signed is not a certificate of a version that this Touchstone knows',
    ]);
  });

  test('a member that stands there twice', () => {
    const { files, statement } = bundle([clean]);
    const text = JSON.stringify(statement).replace('"result":"PASSED"', '"result":"FAILED","result":"PASSED"');
    const envelope = Buffer.from(signed(Buffer.from(text), keys.privateKey, keys.publicKey));
    expect(problems(new Map(files).set(envelopeName, envelope))).toHaveLength(1);
  });

  test('a run that is no run', () => {
    const junk = { text: 'hello\n', run: clean.run };
    expect(problems(bundle([junk]).files)).toEqual([expect.stringContaining('run-1.jsonl:1: the line is not JSON')]);
    const cut = { text: clean.text.slice(0, -40), run: clean.run };
    expect(problems(bundle([cut]).files)[0]).toContain('the file was cut off');
    const footless = { text: `${clean.text.trimEnd().split('\n').slice(0, -1).join('\n')}\n`, run: clean.run };
    expect(problems(bundle([footless]).files)).toContain('run-1.jsonl ended early: it has no footer');
  });
});

describe('the envelope', () => {
  interface Spelling {
    readonly payload: string;
    readonly signatures: readonly { readonly keyid: string; readonly sig: string }[];
  }
  const spelled = (change: (envelope: Spelling) => unknown): readonly string[] => {
    const { files } = bundle([clean]);
    const envelope = JSON.parse(Buffer.from(files.get(envelopeName)!).toString('utf8')) as Spelling;
    const text = `${JSON.stringify(change(envelope), undefined, 2)}\n`;
    return problems(new Map(files).set(envelopeName, Buffer.from(text)));
  };

  test('is spelled in one way', () => {
    expect(spelled((same) => same)).toEqual([]);
    const changes: ((envelope: Spelling) => unknown)[] = [
      (e) => ({ ...e, payload: e.payload.endsWith('=') ? e.payload.replace(/=+$/, '') : `${e.payload}=` }),
      (e) => ({ ...e, payloadType: 'text/plain' }),
      (e) => ({ ...e, note: 1 }),
      (e) => ({ ...e, signatures: [...e.signatures, ...e.signatures] }),
      (e) => ({ ...e, signatures: [] }),
      (e) => [e],
      () => null,
    ];
    for (const change of changes)
      expect(spelled(change)).toEqual([`${envelopeName} is not the envelope as it was written`]);
  });

  test('names the key that signed', () => {
    const said = spelled((e) => ({ ...e, signatures: [{ ...e.signatures[0], keyid: 'ab'.repeat(32) }] }));
    expect(said).toEqual([`${envelopeName} names another key than public-key.pem`]);
    expect(envelopeFrom('')).toBeUndefined();
  });
});
