/** One writer a folder at a time: two would write into each other's file. What a killed one left behind binds nobody. */
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeError } from '../runfile/write.ts';
import { isAlive, thisOwner } from '../target/owner.ts';
import { UsageError } from './errors.ts';

const attempts = 20;

/** Returns what gives the folder free again. */
export function lock(folder: string, name: string, what: 'check' | 'load'): () => void {
  const path = join(folder, name);
  const owner = thisOwner();
  const own = `${path}.${process.pid}`;
  try {
    // A link is there at once and whole, so that nobody ever reads a lock without its owner.
    writeFileSync(own, owner, { mode: 0o600 });
    for (let attempt = 0; attempt < attempts; attempt += 1) {
      if (linked(own, path)) return () => release(path, owner);
      const other = read(path);
      if (other === undefined) continue;
      if (isAlive(other)) throw taken(folder, other, what);
      setAside(path, other, `${own}.old`);
    }
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw writeError(`${folder} is not writable`, error);
  } finally {
    rmSync(own, { force: true });
  }
  throw new UsageError(`other runs keep locking ${path}: choose another folder with --output`, 'folder-in-use');
}

function taken(folder: string, owner: string, what: 'check' | 'load'): UsageError {
  const pid = /_(\d+)_\d*$/.exec(owner)?.[1];
  const why = what === 'load' ? 'and the two would measure each other' : 'and the two would write into one file';
  return new UsageError(
    `another ${what} (process ${pid}) writes to ${folder}, ${why}: wait for it, end it, or choose another folder with --output`,
    'folder-in-use',
  );
}

/** Of several that find the same dead lock only one can move it; a process that moved a living one instead puts it back. */
function setAside(path: string, dead: string, aside: string): void {
  try {
    renameSync(path, aside);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw error;
  }
  if (read(aside) !== dead) linked(aside, path);
  rmSync(aside, { force: true });
}

function linked(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** A lock that somebody else has taken meanwhile is theirs. */
function release(path: string, owner: string): void {
  try {
    if (read(path) === owner) rmSync(path, { force: true });
  } catch {
    // The folder is not what it was: then neither is there a lock in it.
  }
}
