/** Which implementation a certificate is about. */
import { createHash } from 'node:crypto';
import { canonical } from '../profile/digest.ts';

export interface CertifiedSubject {
  readonly name: string;
  readonly version: string;
  readonly sha256: string;
  /** Whether the digest is that of a build, or only that of what it is called. */
  readonly digestOf: 'build' | 'name-and-version';
}

const namePattern = /^[A-Za-z0-9](?:[\w.:/+-]{0,198}[\w])?$/;
const versionPattern = /^[A-Za-z0-9](?:[\w.+-]{0,98}[\w])?$/;

export const subjectName = ({ name, version }: CertifiedSubject): string => `${name}@${version}`;

const digestIn = (text: string): string | undefined => /^(?:sha256:)?([0-9a-f]{64})$/i.exec(text)?.[1]?.toLowerCase();

/** A sentence: what is wrong with it. */
export function subjectFrom(text: string, digest?: string): CertifiedSubject | string {
  const at = text.lastIndexOf('@');
  if (at < 1 || at === text.length - 1)
    return `\`${text.slice(0, 80)}\` is not a subject: write name@version, such as acme-runner@1.4.2, or name@sha256:…`;
  const name = text.slice(0, at);
  const stated = text.slice(at + 1);
  const pinned = stated.includes(':') ? digestIn(stated) : undefined;
  const version = pinned === undefined ? stated : `sha256:${pinned}`;
  if (!namePattern.test(name)) return 'the name of a subject is letters, digits and . _ : / + -, at most 200';
  if (pinned === undefined && !versionPattern.test(version))
    return 'the version of a subject is letters, digits and . _ + -, at most 100, or sha256: and 64 hexadecimal digits';
  const given = digest === undefined ? pinned : digestIn(digest);
  if (digest !== undefined && given === undefined)
    return 'a digest is 64 hexadecimal digits, with or without sha256: in front';
  if (pinned !== undefined && given !== pinned) return 'the digest is not the one that the subject names';
  if (given !== undefined) return { name, version, sha256: given, digestOf: 'build' };
  return { name, version, sha256: digestOfName(name, version), digestOf: 'name-and-version' };
}

/** An in-toto subject must have a digest; this one binds no build, and the certificate says so. */
export const digestOfName = (name: string, version: string): string =>
  createHash('sha256').update(canonical({ name, version })).digest('hex');
