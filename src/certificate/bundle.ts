/** Pure: a certificate as the files of one folder. */
import { createHash, type KeyObject } from 'node:crypto';
import { signed } from './dsse.ts';
import { publicPem } from './keys.ts';
import { type Certified, type FileDigest, type Knowledge, type Statement, statementOf } from './predicate.ts';
import { challengeName, journalName } from './witness/names.ts';

export const envelopeName = 'certificate.dsse.json';
/** For signing without a key of one's own in a pipeline. What it says is in the envelope too. */
export const predicateName = 'predicate.json';
export const publicKeyName = 'public-key.pem';

export type BundleFiles = ReadonlyMap<string, Uint8Array>;

export const digestOfFile = (name: string, bytes: Uint8Array): FileDigest => ({
  name,
  bytes: bytes.length,
  sha256: createHash('sha256').update(bytes).digest('hex'),
});

export const predicateText = ({ predicate }: Statement): string => `${JSON.stringify(predicate, undefined, 2)}\n`;

interface Made {
  readonly statement: Statement;
  readonly files: BundleFiles;
}

export type ToBeCertified = Omit<Certified, 'runs' | 'files'> & {
  readonly runs: readonly { readonly bytes: Uint8Array; readonly run: Certified['runs'][number]['run'] }[];
};

/** What a witnessed run was started with, as its files hold it. */
export interface WitnessFiles {
  readonly challenge: string;
  readonly journal: string;
}

export function bundleOf(
  certified: ToBeCertified,
  knowledge: Knowledge,
  keys: { readonly privateKey: KeyObject; readonly publicKey: KeyObject },
  witnessed?: WitnessFiles,
): Made {
  const key = Buffer.from(publicPem(keys.publicKey), 'utf8');
  const runs = certified.runs.map(({ bytes, run }, index) => ({
    bytes,
    run,
    file: digestOfFile(`run-${index + 1}.jsonl`, bytes),
  }));
  const more: [string, Uint8Array][] = [
    [publicKeyName, key],
    ...(witnessed === undefined
      ? []
      : [
          [challengeName, Buffer.from(witnessed.challenge, 'utf8')] as [string, Uint8Array],
          [journalName, Buffer.from(witnessed.journal, 'utf8')] as [string, Uint8Array],
        ]),
  ];
  const statement = statementOf(
    {
      ...certified,
      runs: runs.map(({ run, file }) => ({ run, file })),
      files: more.map(([name, bytes]) => digestOfFile(name, bytes)),
    },
    knowledge,
  );
  const payload = Buffer.from(JSON.stringify(statement), 'utf8');
  return {
    statement,
    files: new Map<string, Uint8Array>([
      [envelopeName, Buffer.from(signed(payload, keys.privateKey, keys.publicKey), 'utf8')],
      [predicateName, Buffer.from(predicateText(statement), 'utf8')],
      ...more,
      ...runs.map(({ file: { name }, bytes }): [string, Uint8Array] => [name, bytes]),
    ]),
  };
}
