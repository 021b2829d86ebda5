/** Keys that cannot sign, and why, in words that say what to do. */
import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { freshKeyPair } from '../random.ts';
import { envelopeFrom, isSignedBy, preAuthenticated, signed } from './dsse.ts';
import { keyId, privateKeyFrom, privatePem, publicKeyFrom, publicPem } from './keys.ts';
import { digestOfName, subjectFrom } from './subject.ts';

const pem = { type: 'pkcs8', format: 'pem' } as const;
const spki = { type: 'spki', format: 'pem' } as const;
const pair = freshKeyPair();

describe('a private key', () => {
  test('is read as it was written', () => {
    const { privateKey, publicKey } = privateKeyFrom(privatePem(pair.privateKey), 'my.key');
    expect(keyId(publicKey)).toBe(keyId(pair.publicKey));
    expect(publicKeyFrom(publicPem(publicKey), 'my.pub').equals(pair.publicKey)).toBe(true);
    const envelope = envelopeFrom(signed(Buffer.from('hello'), privateKey, publicKey))!;
    expect(isSignedBy(envelope, pair.publicKey)).toBe(true);
    expect(isSignedBy({ ...envelope, payload: Buffer.from('hullo') }, pair.publicKey)).toBe(false);
    expect(isSignedBy(envelope, freshKeyPair().publicKey)).toBe(false);
  });

  test.for<[string, string, string]>([
    [
      'with a passphrase',
      String(pair.privateKey.export({ ...pem, cipher: 'aes-256-cbc', passphrase: 'secret' })),
      'my.key is protected by a passphrase',
    ],
    [
      'of RSA',
      String(generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export(pem)),
      'a key of the type rsa',
    ],
    ['of a curve', String(generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export(pem)), 'of the type ec'],
    ['for agreement only', String(generateKeyPairSync('x25519').privateKey.export(pem)), 'of the type x25519'],
    ['that is the public part', publicPem(pair.publicKey), 'my.key is the public part'],
    [
      'of OpenSSH',
      '-----BEGIN OPENSSH PRIVATE KEY-----\nAAAA\n-----END OPENSSH PRIVATE KEY-----\n',
      "OpenSSH's own form",
    ],
    ['cut off', privatePem(pair.privateKey).slice(0, 60), 'my.key is not a private key in PEM form'],
    ['that is empty', '', 'my.key is not a private key in PEM form'],
  ])('%s is refused', ([, text, says]) => {
    expect(() => privateKeyFrom(text, 'my.key')).toThrow(says);
    expect(() => privateKeyFrom(text, 'my.key')).toThrow(expect.objectContaining({ name: 'KeyError' }));
  });
});

test('a public key is not a private one, nor one of another type', () => {
  expect(() => publicKeyFrom(privatePem(pair.privateKey), 'my.pub')).toThrow('nobody else should have this file');
  const rsa = String(generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey.export(spki));
  expect(() => publicKeyFrom(rsa, 'my.pub')).toThrow('Ed25519 only');
  expect(() => publicKeyFrom('hello', 'my.pub')).toThrow('is not a public key');
});

test('what is signed is the type and the payload, each with its length', () => {
  expect(preAuthenticated(Buffer.from('grüß')).toString()).toBe('DSSEv1 28 application/vnd.in-toto+json 6 grüß');
});

describe('a subject', () => {
  const sha256 = 'ab'.repeat(32);

  test('is a name and a version, and a build where one is named', () => {
    expect(subjectFrom('acme@1.0')).toEqual({
      name: 'acme',
      version: '1.0',
      sha256: digestOfName('acme', '1.0'),
      digestOf: 'name-and-version',
    });
    expect(subjectFrom('registry:5000/acme/run@1.0', `sha256:${sha256}`)).toMatchObject({ sha256, digestOf: 'build' });
    expect(subjectFrom(`acme@sha256:${sha256.toUpperCase()}`)).toMatchObject({ sha256, version: `sha256:${sha256}` });
    expect(digestOfName('acme', '1.0')).not.toBe(digestOfName('acme1', '.0'));
  });

  test.for([
    ['acme', 'write name@version'],
    ['@1.0', 'write name@version'],
    ['acme@', 'write name@version'],
    ['ac me@1', 'the name of a subject'],
    ['acme@1\n2', 'the version of a subject'],
    ['\u202eacme@1', 'the name of a subject'],
    ['acme@sha256:12', 'the version of a subject'],
    [`acme@${'1'.repeat(200)}`, 'the version of a subject'],
  ] as const)('%j is no key', ([text, says]) => {
    expect(subjectFrom(text)).toContain(says);
  });

  test('has the digest that it names', () => {
    expect(subjectFrom('acme@1', 'sha256:12')).toContain('64 hexadecimal digits');
    expect(subjectFrom(`acme@sha256:${sha256}`, 'cd'.repeat(32))).toContain('not the one that the subject names');
  });
});
