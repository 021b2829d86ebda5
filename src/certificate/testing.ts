/** For the tests of certificates: whole runs of the reference service, in memory, as their files would be. */

import type { Overlay } from '../../fixtures/service/index.ts';
import { type Trial, tryOn } from '../../proofs/matrix/try-on.ts';
import { knowledge as ofToday } from '../cli/knowledge.ts';
import type { Run, RunRecord } from '../model/run.ts';
import { freshKeyPair } from '../random.ts';
import { readRun } from '../runfile/read.ts';
import { type BundleFiles, bundleOf, type ToBeCertified } from './bundle.ts';
import { levelsByRules } from './levels.ts';
import type { Statement } from './predicate.ts';
import { type CertifiedSubject, subjectFrom } from './subject.ts';

export const knowledge = ofToday();
export const keys = freshKeyPair();
export const subject = subjectFrom('acme-runner@1.4.2') as CertifiedSubject;
export const issued = '2026-11-21T12:00:00.000Z';

const core = new Set(levelsByRules[knowledge.version]?.core.rules);

export interface Recorded {
  readonly text: string;
  readonly run: Run;
}

/** What `core` demands, and nothing else: small. */
export async function recorded(
  trial: Partial<Trial> = {},
  lie?: Overlay,
  only: ReadonlySet<string> = core,
): Promise<Recorded> {
  const { rules, version, specification } = knowledge;
  const lines: string[] = [];
  const catalogue = { rules: rules.filter(({ id }) => only.has(id)), version, specification };
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
): { readonly statement: Statement; readonly files: BundleFiles } {
  const given = runs.map(({ text, run }) => ({ bytes: Buffer.from(text, 'utf8'), run }));
  return bundleOf(
    { subject, level: 'core', issued, touchstone: knowledge.touchstone, runs: given, ...more },
    knowledge,
    pair,
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
