/** All that a service has stored, byte for byte: files of this machine, or what a program prints. Bounded, so that no store can fill the memory. */
import { spawn } from 'node:child_process';
import type { Dirent } from 'node:fs';
import { lstat, open, readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { collect } from './output.ts';
import type { Surroundings } from './target.ts';

const mostBytes = 256 * 2 ** 20;
const longestMs = 60_000;

/** Why a store could not be read, in words. */
export class StoreError extends Error {
  override readonly name = 'StoreError';
}

const tooLarge = (what: string): StoreError =>
  new StoreError(`${what} is larger than 256 MB, too large to search: name the part that holds the keys`);

export interface ReadingHere {
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  readonly around: Pick<Surroundings, 'clock' | 'keyring' | 'signal'>;
  /** What the person calls it; if omitted: its program. */
  readonly called?: string;
}

export const readHere = (
  from: { readonly path: string } | { readonly command: readonly string[] },
  here: ReadingHere,
): Promise<Uint8Array> =>
  'path' in from ? readFiles(resolve(here.folder, from.path), from.path) : readPrinted(from.command, here);

/** A file, or every file below a folder. Links are not followed: they may lead anywhere. */
async function readFiles(path: string, shown: string): Promise<Uint8Array> {
  const parts: Buffer[] = [];
  let left = mostBytes;
  const read = async (file: string): Promise<void> => {
    const handle = await open(file);
    try {
      for (;;) {
        const chunk = Buffer.allocUnsafe(Math.min(left + 1, 2 ** 20));
        const { bytesRead } = await handle.read(chunk, 0, chunk.length);
        if (bytesRead === 0) return;
        left -= bytesRead;
        if (left < 0) throw tooLarge(`the store ${shown}`);
        parts.push(chunk.subarray(0, bytesRead));
      }
    } finally {
      await handle.close();
    }
  };
  const walk = async (folder: string): Promise<void> => {
    for (const entry of (await readdir(folder, { withFileTypes: true })) as Dirent[]) {
      const inner = join(folder, entry.name);
      if (entry.isDirectory()) await walk(inner);
      // A file may be renamed or removed while it is looked for: a store lives.
      else if (entry.isFile()) await read(inner).catch(unlessGone);
    }
  };
  try {
    const kind = await lstat(path);
    if (kind.isDirectory()) await walk(path);
    else if (kind.isFile()) await read(path);
    else throw new StoreError(`the store ${shown} is neither a file nor a folder`);
  } catch (error) {
    if (error instanceof StoreError) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    throw new StoreError(`the store ${shown} cannot be read: ${code === 'ENOENT' ? 'it does not exist' : message}`);
  }
  return Buffer.concat(parts);
}

const unlessGone = (error: unknown): void => {
  if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
};

async function readPrinted(
  command: readonly string[],
  { folder, env, around, called }: ReadingHere,
): Promise<Uint8Array> {
  const [program = '', ...args] = command;
  const child = spawn(program, args, { cwd: folder, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  const errors = collect([child.stderr], around.keyring);
  const exit = new Promise<string | undefined>((done) => {
    child.on('error', (error: NodeJS.ErrnoException) =>
      done(error.code === 'ENOENT' ? `there is no program ${program}` : error.message),
    );
    child.on('close', (code, signal) =>
      done(code === 0 ? undefined : `it ended with ${signal ?? `exit code ${code}`}`),
    );
  });
  const kill = (): void => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    } catch {
      // It ended meanwhile.
    }
  };
  const what = called === undefined ? `the store command ${program}` : `reading the store by ${called}`;
  return withDeadline(what, around, kill, async () => {
    const bytes = await readStream(child.stdout, what, kill);
    const failed = await exit;
    if (failed === undefined) return bytes;
    const said = errors.last();
    throw new StoreError(`${what} failed: ${failed}${said === '' ? '' : `\n${said}`}`);
  });
}

/** `kill` ends the work; it is called where it takes too long, and where the run was interrupted. */
export async function withDeadline<T>(
  what: string,
  { clock, signal }: Pick<Surroundings, 'clock' | 'signal'>,
  kill: () => void,
  work: () => Promise<T>,
): Promise<T> {
  let late = false;
  const cancel = clock.later(longestMs, () => {
    late = true;
    kill();
  });
  signal.addEventListener('abort', kill, { once: true });
  try {
    return await work();
  } catch (error) {
    signal.throwIfAborted();
    if (late) throw new StoreError(`${what} took longer than a minute`);
    throw error;
  } finally {
    cancel();
    signal.removeEventListener('abort', kill);
  }
}

export async function readStream(stream: Readable, what: string, kill: () => void): Promise<Buffer> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > mostBytes) {
      kill();
      stream.destroy();
      throw tooLarge(`the output of ${what}`);
    }
    parts.push(chunk);
  }
  return Buffer.concat(parts);
}
