/** `touchstone certificate new-key`: a key pair for signing certificates. The private part is its owner's alone, and is never written over. */
import { rmSync, writeFileSync } from 'node:fs';
import { keyId, privatePem, publicPem } from '../../certificate/keys.ts';
import { freshKeyPair } from '../../random.ts';
import { writeError } from '../../runfile/write.ts';
import { UsageError } from '../errors.ts';
import { out, say } from '../output.ts';

export function newKeys({ output }: { readonly output: string }): void {
  const { publicKey, privateKey } = freshKeyPair();
  const files = { private: `${output}.key.pem`, public: `${output}.pub.pem` };
  writeNew(files.private, privatePem(privateKey), 0o600);
  try {
    writeNew(files.public, publicPem(publicKey), 0o644);
  } catch (error) {
    // Half a pair is of no use to anybody.
    rmSync(files.private, { force: true });
    throw error;
  }
  out(`${files.private}  the private key: keep it secret and out of repositories`);
  out(`${files.public}  the public key: publish it where others trust you`);
  out(`its fingerprint: ${keyId(publicKey)}`);
  say('The private key is not protected by a passphrase: anybody who can read its file can sign in your name.');
}

function writeNew(path: string, text: string, mode: number): void {
  try {
    writeFileSync(path, text, { flag: 'wx', mode });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST')
      throw new UsageError(`${path} already exists, and keys are never overwritten: choose another name with --output`);
    throw new UsageError(writeError(`the key cannot be written to ${path}`, error).message);
  }
}
