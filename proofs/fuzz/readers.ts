/** The readers of files, as properties: whatever is in one, a reader gives a value or a mistake that a person can put right. */
import fc from 'fast-check';
import { demoProfile } from '../../fixtures/profiles/demo.ts';
import { differenceOf } from '../../reports/diff.ts';
import { formatNames, formats } from '../../reports/index.ts';
import { envelopeName, predicateName, publicKeyName } from '../../src/certificate/bundle.ts';
import { signed } from '../../src/certificate/dsse.ts';
import { privateKeyFrom, privatePem, publicKeyFrom, publicPem } from '../../src/certificate/keys.ts';
import type { Statement } from '../../src/certificate/predicate.ts';
import { bundle, keys, knowledge, recorded } from '../../src/certificate/testing.ts';
import { verifyBundle } from '../../src/certificate/verify.ts';
import { UserError } from '../../src/mistakes.ts';
import { outcomeOf } from '../../src/model/run.ts';
import { parseProfile, profileFrom } from '../../src/profile/parse.ts';
import { readRun, readRunBytes } from '../../src/runfile/read.ts';
import { deriveAgain } from '../../src/verdict/derive-again.ts';
import { parseWaivers } from '../../src/waivers/parse.ts';
import { catalogue as rules } from '../../suites/index.ts';
import { adminToken, matrixKeys } from '../matrix/try-on.ts';
import { editedLines, editedText, editedValue } from './edits.ts';
import { otherProfile, profileText, waiversText } from './written.ts';

export interface Reader {
  readonly name: string;
  /** Throws what the reader must not throw. */
  readonly property: fc.IRawProperty<unknown>;
}

/** The value, or undefined if the reader said what is wrong. Anything else it throws, goes through. */
function readable<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof UserError && error.message !== '') return undefined;
    throw error;
  }
}

const of = <T>(name: string, given: fc.Arbitrary<T>, holds: (value: T) => unknown): Reader => ({
  name,
  property: fc.property(given, (value) => {
    holds(value);
  }) as fc.IRawProperty<unknown>,
});

const outside = {
  source: 'fuzz.yaml',
  env: { KEY: 'vk_live_0123456789abcdef', EMPTY: '' },
  readFile: (path: string): string => {
    if (path.includes('key')) return 'vk_test_0123456789abcdef\n';
    throw Object.assign(new Error('no such file'), { code: 'ENOENT' });
  },
};

const places = { address: 'http://127.0.0.1:1', disabled: 'http://127.0.0.1:2', adminToken, keys: matrixKeys };
const demo = demoProfile(places);
const anyText = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }), fc.json());

/** Made once: a real run of a few rules, small enough that thousands of changed ones can be read. */
export async function readers(): Promise<readonly Reader[]> {
  const asked = [
    'verify.valid-key',
    'run.success-shape',
    'access.restricted-run',
    'admin.key-shown-once',
    'error.no-secrets',
  ];
  const few = { ...knowledge, rules: rules.filter(({ id }) => asked.includes(id)) };
  const small = await recorded({ depth: 'quick' }, undefined, few);
  const lines = small.text.trimEnd().split('\n');
  const { files, statement } = bundle([small]);
  const ours = [...rules];
  const profiles = fc.constantFrom<unknown>(demo, otherProfile);
  const texts = fc.constantFrom(profileText, JSON.stringify(demo, undefined, 1));
  const today = '2026-11-21';
  return [
    of('a profile, as text', fc.oneof({ weight: 4, arbitrary: editedText(texts) }, anyText), (text) =>
      readable(() => parseProfile(text, outside)),
    ),
    of('a profile, as a value', fc.oneof({ weight: 4, arbitrary: editedValue(profiles) }, fc.anything()), (value) =>
      readable(() => profileFrom(value, outside)),
    ),
    of('waivers', fc.oneof({ weight: 4, arbitrary: editedText(fc.constant(waiversText)) }, anyText), (text) =>
      readable(() => parseWaivers(text, { source: 'w.yaml', rules: ours, today })),
    ),
    of('a run file', fc.oneof({ weight: 4, arbitrary: editedLines(lines) }, anyText), (text) => {
      const run = readable(() => readRun(text, { source: 'run.jsonl' }));
      if (run === undefined) return;
      outcomeOf(run);
      deriveAgain(run, ours);
      differenceOf(small.run, run);
    }),
    of('a run file, a part of it', fc.oneof(editedLines(lines), fc.constant(small.text)).chain(cut), (bytes) =>
      readable(() => readRunBytes(bytes, { partial: true })),
    ),
    of('the reports of a run file that can be read', editedLines(lines), (text) => {
      const run = readable(() => readRun(text));
      if (run !== undefined) for (const report of reports) report(run, { verbose: true });
    }),
    of(
      'a certificate',
      fc.tuple(fc.constantFrom(...files.keys()), fc.string({ unit: 'binary' })).chain(harmedFile(files)),
      (bundled) => readable(() => verifyBundle(bundled, knowledge)),
    ),
    of('a certificate, signed after it was changed', editedValue(fc.constant(statement)), (changed) =>
      readable(() => verifyBundle(resigned(files, changed as Statement), knowledge)),
    ),
    of('signing keys', editedText(fc.constantFrom(privatePem(keys.privateKey), publicPem(keys.publicKey))), (pem) => {
      readable(() => privateKeyFrom(pem, 'a.pem'));
      readable(() => publicKeyFrom(pem, 'a.pem'));
    }),
  ];
}

const reports = await Promise.all(formatNames.map((name) => formats[name].load()));

const cut = (text: string): fc.Arbitrary<Buffer> => {
  const bytes = Buffer.from(text, 'utf8');
  return fc.nat({ max: bytes.length }).map((length) => bytes.subarray(0, length));
};

const harmedFile =
  (files: ReadonlyMap<string, Uint8Array>) =>
  ([name, other]: [string, string]): fc.Arbitrary<ReadonlyMap<string, Uint8Array>> => {
    const text = Buffer.from(files.get(name) ?? []).toString('latin1');
    const changed = fc.oneof(editedText(fc.constant(text)), fc.constant(undefined), fc.constant(other));
    return changed.map((now) => {
      const made = new Map(files);
      if (now === undefined) made.delete(name);
      else made.set(name, Buffer.from(now, 'latin1'));
      return made;
    });
  };

/** Like a forger who has the key and changed the statement before signing. */
function resigned(files: ReadonlyMap<string, Uint8Array>, changed: Statement): ReadonlyMap<string, Uint8Array> {
  const payload = Buffer.from(JSON.stringify(changed) ?? 'null', 'utf8');
  const predicate = `${JSON.stringify((changed as Partial<Statement> | null)?.predicate, undefined, 2)}\n`;
  return new Map([
    ...files,
    [envelopeName, Buffer.from(signed(payload, keys.privateKey, keys.publicKey), 'utf8')],
    [predicateName, Buffer.from(predicate, 'utf8')],
    [publicKeyName, files.get(publicKeyName)!],
  ]);
}
