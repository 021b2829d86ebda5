/** For the tests of certificates: whole runs of the reference service, in memory, as their files would be. */

import type { Overlay } from '../../fixtures/service/index.ts';
import { type Trial, tryOn } from '../../proofs/matrix/try-on.ts';
import { knowledge as ofToday } from '../cli/knowledge.ts';
import type { Run, RunRecord } from '../model/run.ts';
import { freshKeyPair } from '../random.ts';
import { readRun } from '../runfile/read.ts';
import { type BundleFiles, bundleOf, type ToBeCertified, type WitnessFiles } from './bundle.ts';
import { levelsByRules } from './levels.ts';
import type { Knowledge, Statement } from './predicate.ts';
import { type CertifiedSubject, subjectFrom } from './subject.ts';

export const keys = freshKeyPair();
export const subject = subjectFrom('acme-runner@1.4.2') as CertifiedSubject;
export const issued = '2026-11-21T12:00:00.000Z';

/** All rules of today's set. */
export const whole = ofToday();

const core = new Set<string>(levelsByRules[whole.version]?.core.rules);

/** As if the set held what `core` demands, and nothing else: small. Runs of the tests are of a day before it was frozen. */
export const knowledge: Knowledge = {
  ...whole,
  rules: whole.rules.filter(({ id }) => core.has(id)),
  since: '2026-01-01',
};

export interface Recorded {
  readonly text: string;
  readonly run: Run;
}

export async function recorded(
  trial: Partial<Trial> = {},
  lie?: Overlay,
  { rules, version, specification }: Knowledge = knowledge,
): Promise<Recorded> {
  const lines: string[] = [];
  const catalogue = { rules, version, specification };
  const variant = { name: 'a test', overlays: lie === undefined ? [] : [lie] };
  await tryOn(catalogue, variant, {
    depth: 'standard',
    seed: 1,
    ...trial,
    write: (record: RunRecord) => lines.push(JSON.stringify(record)),
  });
  const text = `${lines.join('\n')}\n`;
  return { text, run: readRun(text) };
}

export function bundle(
  runs: readonly Recorded[],
  more: Partial<ToBeCertified> = {},
  pair = keys,
  known = knowledge,
  witnessed?: WitnessFiles,
): { readonly statement: Statement; readonly files: BundleFiles } {
  const given = runs.map(({ text, run }) => ({ bytes: Buffer.from(text, 'utf8'), run }));
  return bundleOf(
    { subject, level: 'core', issued, touchstone: known.touchstone, runs: given, ...more },
    known,
    pair,
    witnessed,
  );
}

/** Two rules of `core` catch it: `verify.valid-key` and `auth.live-and-test-keys`. */
export const saysValidInAString: Overlay = (base) => ({
  verifyBody: (call, record) => ({ ...Object(base.verifyBody(call, record)), valid: 'true' }),
});

/** The same run with some of its lines changed, as somebody with an editor would. */
export function edited({ text }: Recorded, change: (record: RunRecord) => RunRecord | undefined): Recorded {
  const lines = text.trimEnd().split('\n');
  const changed = lines.flatMap((line) => {
    const record = change(JSON.parse(line) as RunRecord);
    return record === undefined ? [] : [JSON.stringify(record)];
  });
  const whole = `${changed.join('\n')}\n`;
  return { text: whole, run: readRun(whole) };
}
