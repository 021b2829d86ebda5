/** Waivers in a run: written into its file, no reason to stop, and red when they have rotted. */
import { expect, test } from 'vitest';
import type { Overlay } from '../../fixtures/service/index.ts';
import { tryOn } from '../../proofs/matrix/try-on.ts';
import { catalogue } from '../../suites/index.ts';
import { outcomeOf, type Run, type RunRecord } from '../model/run.ts';
import { readRun } from '../runfile/read.ts';
import { deriveAgain, differencesOf } from '../verdict/derive-again.ts';
import { waivingBy } from '../waivers/apply.ts';
import type { Waiver } from '../waivers/waiver.ts';

// One rule for each fault: what looks at every verification would fail beside it.
const rules = {
  rules: catalogue.filter(({ id }) => /^(verify|route)\./.test(id) && id !== 'verify.every-answer'),
  version: 'test',
  specification: 'test',
};
const lie: Overlay = (base) => ({
  verifyBody: (call, record) => ({ ...Object(base.verifyBody(call, record)), valid: 'true' }),
});

const waiver = (rule: string, more: Partial<Waiver> = {}): Waiver => ({
  rule,
  expectation: 'fail',
  reason: 'fixed in the next release',
  owner: '@keys',
  expires: '2027-01-31',
  ...more,
});

async function run(waivers: readonly Waiver[], overlays: readonly Overlay[] = [lie], bail = false): Promise<Run> {
  const lines: string[] = [];
  const live = await tryOn(
    rules,
    { name: 'a test', overlays },
    {
      depth: 'quick',
      seed: 1,
      bail,
      waiving: waivingBy(waivers, '2026-11-21'),
      write: (record: RunRecord) => lines.push(JSON.stringify(record)),
    },
  );
  const written = readRun(`${lines.join('\n')}\n`);
  expect(written.findings).toEqual(JSON.parse(JSON.stringify(live.findings)));
  return written;
}

const verdicts = ({ findings }: Run): string[] =>
  findings.map(({ rule, verdict, waived }) => `${rule} ${verdict}${waived === undefined ? '' : ' waived'}`);

test('a waived failure is still a failure, and breaks nothing', async () => {
  const waived = await run([waiver('verify.valid-key')]);
  expect(verdicts(waived)).toContain('verify.valid-key fail waived');
  expect(waived.footer?.counts.fail).toBe(1);
  expect(outcomeOf(waived)).toBe('conforms');
  expect(outcomeOf(await run([]))).toBe('violation');
});

test('it does not end a run that ends at the first violation', async () => {
  const waived = await run([waiver('verify.valid-key')], [lie], true);
  expect(waived.footer?.counts.inconclusive).toBe(0);
  const stopped = await run([], [lie], true);
  expect(stopped.footer?.counts.inconclusive).toBeGreaterThan(0);
});

test('one that has rotted makes the run red, in its file too', async () => {
  const rotten = await run([waiver('verify.valid-key'), waiver('verify.missing-key')]);
  expect(rotten.footer?.waivers).toEqual([expect.objectContaining({ rule: 'verify.missing-key', problem: 'stale' })]);
  expect(outcomeOf(rotten)).toBe('violation');
  const expired = await run([waiver('verify.valid-key', { expires: '2026-11-20' })]);
  expect(expired.footer?.waivers).toEqual([expect.objectContaining({ problem: 'expired' })]);
  expect(verdicts(expired)).toContain('verify.valid-key fail');
  expect(outcomeOf(expired)).toBe('violation');
});

test('verdicts derived again keep the waivers that stand beside them', async () => {
  const waived = await run([waiver('verify.valid-key')]);
  expect(differencesOf(waived.findings, deriveAgain(waived, rules.rules))).toEqual([]);
  const edited = waived.findings.map((each) =>
    each.verdict === 'fail' ? { ...each, verdict: 'pass' as const } : each,
  );
  const [difference] = differencesOf(edited, deriveAgain({ ...waived, findings: edited }, rules.rules));
  expect(difference?.derived).toMatchObject({ verdict: 'fail' });
  expect(difference?.derived.waived).toBeUndefined();
});
