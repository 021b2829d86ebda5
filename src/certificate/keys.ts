/** Keys as PEM files hold them, and what can be wrong with one. Ed25519 and nothing else. */
import { createHash, createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { UserError } from '../mistakes.ts';

/** Said by a sentence that a person can act on. Never holds anything of the key. */
export class KeyError extends UserError {
  override readonly name = 'KeyError';

  constructor(message: string) {
    super(message, 'signing-key');
  }
}

/** SHA-256 of the public key in its SubjectPublicKeyInfo form: what `openssl pkey -pubin -outform DER | sha256sum` says. */
export const keyId = (key: KeyObject): string =>
  createHash('sha256')
    .update(key.export({ type: 'spki', format: 'der' }))
    .digest('hex');

export const publicPem = (key: KeyObject): string => String(key.export({ type: 'spki', format: 'pem' }));

export const privatePem = (key: KeyObject): string => String(key.export({ type: 'pkcs8', format: 'pem' }));

const makeOne = '`touchstone certificate new-key` writes one';

export function privateKeyFrom(pem: string, source: string): { privateKey: KeyObject; publicKey: KeyObject } {
  if (/-----BEGIN ENCRYPTED PRIVATE KEY-----|Proc-Type: 4,ENCRYPTED/.test(pem))
    throw new KeyError(
      `${source} is protected by a passphrase, which Touchstone does not ask for: write an unencrypted copy that only you can read (umask 077; openssl pkey -in … -out …), sign, and remove it`,
    );
  if (/-----BEGIN (?:CERTIFICATE|PUBLIC KEY)-----/.test(pem))
    throw new KeyError(`${source} is the public part, but signing needs the private key`);
  if (pem.includes('-----BEGIN OPENSSH PRIVATE KEY-----'))
    throw new KeyError(`${source} is a key in OpenSSH's own form; a PEM file is needed: ${makeOne}`);
  const privateKey = parsed(() => createPrivateKey(pem), source, 'private');
  mustBeEd25519(privateKey, source);
  return { privateKey, publicKey: createPublicKey(privateKey) };
}

export function publicKeyFrom(pem: string, source: string): KeyObject {
  if (/-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(pem))
    throw new KeyError(
      `${source} is a private key: verifying needs the public part, and nobody else should have this file`,
    );
  const key = parsed(() => createPublicKey(pem), source, 'public');
  mustBeEd25519(key, source);
  return key;
}

function parsed(read: () => KeyObject, source: string, kind: 'private' | 'public'): KeyObject {
  try {
    return read();
  } catch {
    throw new KeyError(`${source} is not a ${kind} key in PEM form: ${makeOne}`);
  }
}

function mustBeEd25519({ asymmetricKeyType: type }: KeyObject, source: string): void {
  if (type !== 'ed25519')
    throw new KeyError(`${source} is a key of the type ${type}; certificates are signed by Ed25519 only: ${makeOne}`);
}
