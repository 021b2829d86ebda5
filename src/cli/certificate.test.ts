/** From a check to a certificate that others check, as docs/certificates.md shows it. */
import { execFileSync } from 'node:child_process';
import { cpSync, readFileSync, statSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Serving, seedsOf, serve } from '../../fixtures/service/index.ts';
import { matrixKeys } from '../../proofs/matrix/try-on.ts';
import { levelsByRules } from '../certificate/levels.ts';
import { freshKeyPair } from '../random.ts';
import { catalogue } from './catalogue.ts';
import { needs, patience, place } from './testing.ts';

const { file, folder, touchstone } = place();
const env = { API_KEY: matrixKeys.entitled.key };
const guide = readFileSync(join(import.meta.dirname, '../../docs/certificates.md'), 'utf8');
const core = levelsByRules[catalogue.version]!.core.rules;
const subject = ['--subject', 'acme-runner@1.4.2'];

let served: Serving;
let said: string;

beforeAll(async () => {
  served = await serve({ host: '127.0.0.1', port: 0, keys: seedsOf(matrixKeys), upstreamTimeoutMs: 300 });
  file(
    'touchstone.yaml',
    `address: ${served.url}\nkeys:\n  main: { value: "\${env:API_KEY}" }\nactors:\n  clean: { name: text-digest, input: { text: "a few words" } }\n`,
  );
  const checked = await touchstone(['check', '--quiet', '--seed', '3'], { env });
  expect(checked).toMatchObject({ code: 0 });
  await touchstone(['certificate', 'new-key', '--output', 'acme']);
  const made = await touchstone(['certify', 'touchstone-report/run.jsonl', '--key', 'acme.key.pem', ...subject], {
    env,
  });
  expect(made).toMatchObject({ code: 0, err: '' });
  said = made.out;
  await served.close();
});

describe('a certificate', patience, () => {
  test('is made, and says by which key', () => {
    expect(said).toContain('touchstone-certificate: acme-runner@1.4.2, level core, signed by ');
    expect(statSync(join(folder, 'acme.key.pem')).mode & 0o777).toBe(0o600);
  });

  test('verifies without the service, in plain words', async () => {
    const { code, out } = await touchstone([
      'certificate',
      'verify',
      'touchstone-certificate',
      '--key',
      'acme.pub.pem',
      ...subject,
    ]);
    expect(out).toContain('VERIFIED: nothing was altered');
    expect(out).toMatch(/Self-signed: it proves who signed, not that the service was that\s+build/);
    expect(code).toBe(0);
    const predicate = JSON.parse(readFileSync(join(folder, 'touchstone-certificate/predicate.json'), 'utf8'));
    expect(predicate.passedTests).toEqual(expect.arrayContaining([...core]));
    const named = predicate.touchstone.verdicts.map(({ rule }: { rule: string }) => rule);
    expect(named.toSorted()).toEqual(catalogue.rules.map(({ id }) => id).toSorted());
  });

  test('is checked by openssl alone, as the guide shows', (context) => {
    needs(context, 'openssl', 'version', 'openssl');
    const commands = /```sh\n(C=touchstone-certificate\n[\s\S]*?)```/.exec(guide)?.[1] ?? '';
    expect(commands).toContain('openssl');
    const shell = (text: string): string => execFileSync('sh', ['-eu', '-c', text], { cwd: folder, encoding: 'utf8' });
    const out = shell(commands);
    expect(out).toContain('Signature Verified Successfully');
    expect(out).toContain('touchstone-certificate/run-1.jsonl: as signed');
    cpSync(join(folder, 'touchstone-certificate'), join(folder, 'forged'), { recursive: true });
    const envelope = join(folder, 'forged/certificate.dsse.json');
    writeFileSync(envelope, readFileSync(envelope, 'utf8').replace(/("payload": "[^"]{40})./, '$1A'));
    expect(() => shell(commands.replace('C=touchstone-certificate', 'C=forged'))).toThrow();
  });

  test('does not verify once it was touched, is about something else, or is by somebody else', async () => {
    cpSync(join(folder, 'touchstone-certificate'), join(folder, 'touched'), { recursive: true });
    const run = join(folder, 'touched/run-1.jsonl');
    writeFileSync(run, readFileSync(run, 'utf8').replace('"status":200', '"status":201'));
    writeFileSync(join(folder, 'touched/notes.txt'), '');
    await touchstone(['certificate', 'new-key', '--output', 'other']);
    const [touched, about, by] = await Promise.all([
      touchstone(['verify', 'touched']),
      touchstone(['certificate', 'verify', 'touchstone-certificate', '--subject', 'acme-runner@2.0']),
      touchstone(['certificate', 'verify', 'touchstone-certificate', '--key', 'other.pub.pem']),
    ]);
    expect(touched.out).toContain('run-1.jsonl is not what was signed');
    expect(touched.out).toContain('notes.txt is not listed in the statement');
    expect(about.out).toContain('it is about acme-runner@1.4.2, not about acme-runner@2.0');
    expect(by.out).toContain('it is signed by another key than the one given');
    for (const { code, out } of [touched, about, by]) {
      expect(out).toMatch(/NOT VERIFIED: do not rely on .*\n$/);
      expect(code).toBe(1);
    }
  });

  test('is refused, with the list of what is missing', async () => {
    const args = ['certify', 'touchstone-report/run.jsonl', '--key', 'acme.key.pem', ...subject, '-o', 'refused'];
    const { code, err } = await touchstone([...args, '--level', 'full'], { env });
    expect(err).toContain('touchstone: no certificate of the level full for acme-runner@1.4.2:');
    expect(err).toContain('  full demands admin.right-token, which is untested');
    expect(code).toBe(1);
  });

  test('is not written over, and not without the profile and its secrets', async () => {
    const args = ['certify', 'touchstone-report/run.jsonl', '--key', 'acme.key.pem', ...subject];
    const [twice, unset] = await Promise.all([touchstone(args, { env }), touchstone([...args, '-o', 'unset'])]);
    expect(twice).toMatchObject({ code: 2, err: expect.stringContaining('a certificate is never written over') });
    expect(unset).toMatchObject({ code: 2, err: expect.stringContaining('API_KEY is not set') });
    file('other.yaml', 'address: http://127.0.0.1:1\n');
    const other = await touchstone([...args, '-o', 'other', '--profile', 'other.yaml']);
    expect(other).toMatchObject({ code: 2, err: expect.stringContaining('was made with another profile') });
  });

  test('is not written with a secret in it, however it came there', async () => {
    const text = readFileSync(join(folder, 'touchstone-report/run.jsonl'), 'utf8');
    const encoded = Buffer.from(`x${env.API_KEY}`).toString('base64');
    file('leaking.jsonl', text.replace('"remarks":[]', `"remarks":["${encoded}"]`));
    const { code, err } = await touchstone(
      ['certify', 'leaking.jsonl', '--key', 'acme.key.pem', ...subject, '-o', 'leaking'],
      { env },
    );
    expect(err).toContain('nothing was written: the certificate would contain a secret of the profile');
    expect(err).toContain('run-1.jsonl: base64:main');
    expect(err).not.toContain(env.API_KEY.slice(10));
    expect(code).toBe(2);
    expect(statSync(join(folder, 'leaking'), { throwIfNoEntry: false })).toBeUndefined();
  });
});

describe.concurrent('mistakes with certificates', patience, () => {
  const certify = (...args: string[]): string[] => ['certify', 'touchstone-report/run.jsonl', ...args];
  const key = ['--key', 'acme.key.pem'];

  test.for<[string, () => string[], string]>([
    [
      'no run',
      () => ['certify', 'none.jsonl', ...key, ...subject],
      'the run file none.jsonl cannot be read: there is no such file',
    ],
    [
      'a run twice',
      () => ['certify', 'touchstone-report/run.jsonl', 'touchstone-report/run.jsonl', ...key, ...subject],
      'is named twice',
    ],
    ['an empty run', () => ['certify', file('empty.jsonl', ''), ...key, ...subject], 'the run file is empty'],
    [
      'a run of a newer version',
      () => ['certify', file('newer.jsonl', '{"type":"header","version":99}\n'), ...key, ...subject],
      'has version 99, and this Touchstone reads versions 1 to 2',
    ],
    [
      'half a gigabyte of run',
      () => {
        truncateSync(join(folder, file('huge.jsonl', '')), 500 * 2 ** 20);
        return ['certify', 'huge.jsonl', ...key, ...subject];
      },
      'nobody would verify a certificate of that size',
    ],
    ['no subject', () => certify(...key), "required option '--subject <name@version>' not specified"],
    ['half a subject', () => certify(...key, '--subject', 'acme'), '--subject: `acme` is not a subject'],
    ['no such key', () => certify('--key', 'none.pem', ...subject), 'the key none.pem cannot be read'],
    [
      'the public key',
      () => certify('--key', 'acme.pub.pem', ...subject),
      'is the public part, but signing needs the private key',
    ],
    [
      'a key with a passphrase',
      () => {
        const { privateKey } = freshKeyPair();
        const locked = privateKey.export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'x' });
        return certify('--key', file('locked.pem', String(locked)), ...subject);
      },
      'locked.pem is protected by a passphrase, which Touchstone does not ask for',
    ],
    [
      'a place that is not',
      () => certify(...key, ...subject, '-o', 'none/deep'),
      'the certificate cannot be written to none/deep: there is no such folder',
    ],
    [
      'a place that takes nothing',
      () => certify(...key, ...subject, '-o', '/proc/certificate'),
      'the certificate cannot be written to /proc/certificate',
    ],
    ['no such level', () => certify(...key, ...subject, '--level', 'gold'), 'Allowed choices are core, full'],
    [
      'a key that is there',
      () => ['certificate', 'new-key', '--output', 'acme'],
      'acme.key.pem already exists, and keys are never overwritten',
    ],
    [
      'a key in no folder',
      () => ['certificate', 'new-key', '--output', 'none/acme'],
      'the key cannot be written to none/acme.key.pem: there is no such folder',
    ],
    ['nothing to verify', () => ['verify', 'none'], 'none cannot be read: there is no such folder'],
    ['a file to verify', () => ['verify', 'acme.pub.pem'], 'it is a file'],
    [
      'a private key to verify by',
      () => ['certificate', 'verify', 'touchstone-certificate', ...key],
      'nobody else should have this file',
    ],
    [
      'a link in it',
      () => {
        cpSync(join(folder, 'touchstone-certificate'), join(folder, 'linked'), { recursive: true });
        symlinkSync('/etc/hostname', join(folder, 'linked/more.json'));
        return ['verify', 'linked'];
      },
      'more.json is a link: a certificate holds plain files only',
    ],
  ])('%s', async ([, args, says]) => {
    const { code, out, err } = await touchstone(args(), { env });
    expect(err).toContain(says);
    expect(err).not.toMatch(/\n\s+at /);
    expect(out).toBe('');
    expect(code).toBe(2);
  });
});
