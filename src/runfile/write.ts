/** Writes a run as it happens: one JSON line a record, in batches, so that thousands of exchanges cost next to nothing. */
import { closeSync, fstatSync, mkdirSync, openSync, statSync, writeFileSync, writeSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { UserError } from '../mistakes.ts';
import type { RunRecord } from '../model/run.ts';

/** What a person can put right about a place to write to; other faults of writing end a run half-way. */
const placeCodes = new Set(['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'EEXIST', 'EISDIR', 'ENOENT']);

/** One clear sentence; `code` is the system's. */
export class RunFileWriteError extends UserError {
  override readonly name = 'RunFileWriteError';
  readonly code: string;

  constructor(says: string, code: string) {
    super(says, placeCodes.has(code) ? 'cannot-write' : 'write-failed');
    this.code = code;
  }
}

/** What the clock has that a writer needs. */
export interface Later {
  later(ms: number, call: () => void): () => void;
}

export interface RunWriter {
  readonly path: string;
  /** Throws a RunFileWriteError, once; what is written after that is dropped. */
  write(record: RunRecord): void;
  /** What waits in memory, onto the disk. */
  flush(): void;
  /** Flushes and closes; the file can't be written any more. */
  close(): void;
}

/** Where the bytes go. Tests have a full disk. */
export interface Sink {
  write(bytes: Buffer): void;
  close(): void;
}

const batch = 64 * 1024;
const latestMs = 200;

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such folder',
  ENOSPC: 'no space is left on the disk',
  EDQUOT: 'the disk quota is used up',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
  ENOTDIR: 'a part of its path is not a folder',
  EEXIST: 'a file has this name',
  EISDIR: 'it is a folder',
  EMFILE: 'too many files are open',
  EFBIG: 'the file would be larger than allowed',
  EIO: 'the disk failed',
};

/** What the system said, in words, next to what was being done. */
export function writeError(what: string, error: unknown): RunFileWriteError {
  return new RunFileWriteError(`${what}: ${whyUnwritten(error)}`, codeOf(error));
}

export const whyUnwritten = (error: unknown): string =>
  reasons[codeOf(error)] ?? (error instanceof Error ? error.message : String(error));

const codeOf = (error: unknown): string => (error instanceof Error && 'code' in error ? String(error.code) : '');

/** Creates the output folder if it is missing, with a `.gitignore`, so that no run is committed by accident. */
export function makeOutputFolder(folder: string): void {
  try {
    if (made(resolve(folder))) writeFileSync(join(folder, '.gitignore'), '*\n');
  } catch (error) {
    throw writeError(`the output folder ${folder} cannot be made`, error);
  }
}

/** Step by step, because Node's own recursion never ends where a file system like /proc refuses. False: it was there. */
function made(folder: string): boolean {
  try {
    mkdirSync(folder);
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST' && statSync(folder).isDirectory()) return false;
    if (code !== 'ENOENT' || dirname(folder) === folder || !made(dirname(folder))) throw error;
    mkdirSync(folder);
    return true;
  }
}

/** Readable by its owner only: what a service answers is nobody else's business. */
export function openRunFile(path: string, clock: Later): RunWriter {
  try {
    const file = openSync(path, 'w', 0o600);
    return createRunWriter(path, clock, {
      write: (bytes) => {
        for (let from = 0; from < bytes.length; ) from += writeSync(file, bytes, from);
      },
      close: () => {
        const isThere = isStill(file, path);
        closeSync(file);
        if (!isThere) throw Object.assign(new Error('it was removed or replaced during the run'), { code: 'EGONE' });
      },
    });
  } catch (error) {
    throw writeError(`the run cannot be written to ${path}`, error);
  }
}

/** A file that was removed, with its folder perhaps, takes every byte and is found by nobody. */
function isStill(file: number, path: string): boolean {
  try {
    const [written, found] = [fstatSync(file), statSync(path)];
    return written.ino === found.ino && written.dev === found.dev;
  } catch {
    return false;
  }
}

export function createRunWriter(path: string, clock: Later, sink: Sink): RunWriter {
  let waiting: string[] = [];
  let length = 0;
  let failed: RunFileWriteError | undefined;
  let told = false;
  let open = true;
  let cancel: (() => void) | undefined;

  const tell = (): void => {
    if (failed === undefined || told) return;
    told = true;
    throw failed;
  };
  /** Never throws, because the timer calls it too. The next `write` reports the error. */
  const drain = (): void => {
    cancel?.();
    cancel = undefined;
    if (length === 0 || failed !== undefined) return;
    const bytes = Buffer.from(waiting.join(''), 'utf8');
    waiting = [];
    length = 0;
    try {
      sink.write(bytes);
    } catch (error) {
      failed = writeError(`the run cannot be written to ${path}`, error);
    }
  };
  const flush = (): void => {
    drain();
    tell();
  };
  return {
    path,
    flush,
    write(record) {
      tell();
      if (failed !== undefined || !open) return;
      const line = `${JSON.stringify(record)}\n`;
      waiting.push(line);
      length += line.length;
      if (length >= batch || record.type === 'header' || record.type === 'footer') flush();
      else cancel ??= clock.later(latestMs, drain);
    },
    close() {
      if (!open) return;
      open = false;
      drain();
      try {
        sink.close();
      } catch (error) {
        failed ??= writeError(`the run cannot be written to ${path}`, error);
      }
      tell();
    },
  };
}
