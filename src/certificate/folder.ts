/** The edge: a bundle on the disk. One folder of plain files; links, folders and names of other kinds are refused. */
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { UserError } from '../mistakes.ts';
import type { BundleFiles } from './bundle.ts';

/** What a person can put right about a bundle's place. */
export class BundleError extends UserError {
  override readonly name = 'BundleError';

  constructor(message: string) {
    super(message, 'bundle');
  }
}

/** Bytes, all files together. Nobody checks what is larger. */
export const largestBundle = 256 * 2 ** 20;
const mostFiles = 200;

const wellNamed = /^[a-z0-9][a-z0-9.-]{0,99}$/;

/** Throws a BundleError. */
export function readBundle(folder: string): BundleFiles {
  const files = new Map<string, Uint8Array>();
  let left = largestBundle;
  for (const name of namesIn(folder)) {
    const bytes = readPlain(join(folder, name), name, left);
    left -= bytes.length;
    files.set(name, bytes);
  }
  return files;
}

function namesIn(folder: string): string[] {
  let names: string[];
  try {
    names = readdirSync(folder);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const why: Record<string, string> = {
      ENOENT: 'there is no such folder',
      ENOTDIR: 'it is a file; a certificate is the folder that `touchstone certify` wrote',
      EACCES: 'permission denied',
    };
    throw new BundleError(`${folder} cannot be read: ${why[code ?? ''] ?? String(code)}`);
  }
  if (names.length === 0) throw new BundleError(`${folder} is empty: there is no certificate in it`);
  if (names.length > mostFiles) throw new BundleError(`${folder} holds ${names.length} files: it is not a certificate`);
  for (const name of names)
    if (!wellNamed.test(name))
      throw new BundleError(`${folder} contains a file that does not belong to a certificate: ${JSON.stringify(name)}`);
  return names.sort();
}

function readPlain(path: string, name: string, most: number): Uint8Array {
  const { isFile, kind } = kindOf(path);
  if (!isFile) throw new BundleError(`${name} is ${kind}: a certificate holds plain files only`);
  let file: number;
  try {
    // Should it have become a link since: not followed. Should it be a pipe: not waited for.
    file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    throw new BundleError(`${name} cannot be read: ${(error as NodeJS.ErrnoException).code}`);
  }
  try {
    const { size } = fstatSync(file);
    if (size > most) throw new BundleError(`the certificate is larger than ${largestBundle} bytes`);
    const bytes = Buffer.alloc(size);
    let read = 0;
    for (let more = 1; more > 0 && read < size; read += more) more = readSync(file, bytes, read, size - read, read);
    return bytes.subarray(0, read);
  } finally {
    closeSync(file);
  }
}

function kindOf(path: string): { readonly isFile: boolean; readonly kind: string } {
  const stats = lstatSync(path);
  const kind = stats.isSymbolicLink() ? 'a link' : stats.isDirectory() ? 'a folder' : 'no plain file';
  return { isFile: stats.isFile(), kind };
}

/** The whole folder or none of it. Throws a BundleError where something has its name already, and the system's errors. */
export function writeBundle(folder: string, files: BundleFiles): void {
  if (lstatSync(folder, { throwIfNoEntry: false }) !== undefined)
    throw new BundleError(`${folder} is there already: a certificate is never written over; choose another --output`);
  const temporary = `${folder.replace(/\/+$/, '')}.unfinished`;
  try {
    mkdirSync(temporary);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST')
      throw new BundleError(`${temporary} is there already, from a time when writing was interrupted: remove it`);
    throw error;
  }
  try {
    for (const [name, bytes] of files) writeFileSync(join(temporary, name), bytes, { flag: 'wx' });
    renameSync(temporary, folder);
  } catch (error) {
    rmSync(temporary, { recursive: true, force: true });
    throw error;
  }
}
