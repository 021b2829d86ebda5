/** Whether a start left its key in a file: in its folder for temporary files, or next to the files that it is run among. */
import { closeSync, openSync, readdirSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';

const mostFiles = 300;
const deepest = 3;
const readAtMost = 1024 * 1024;

/** Files of these folders that hold a key and were written since; the second is looked at without the folders in it. */
export function filesWithKey(
  holdsKey: (latin1: string) => boolean,
  temporary: string,
  own: string,
  { since, but }: { readonly since: number; readonly but: readonly string[] },
): number {
  const files = [...filesIn(temporary, deepest), ...filesIn(own, 0)].filter((file) => !but.includes(file));
  return files.filter((file) => wasWritten(file, since) && holdsKey(endOf(file))).length;
}

function filesIn(folder: string, depth: number): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .slice(0, mostFiles)
      .flatMap((entry) => {
        const path = join(folder, entry.name);
        if (entry.isFile()) return [path];
        return entry.isDirectory() && depth > 0 ? filesIn(path, depth - 1) : [];
      });
  } catch {
    // Gone, or not ours to read.
    return [];
  }
}

/** Clocks of file systems are coarse. */
const grainMs = 100;

function wasWritten(file: string, since: number): boolean {
  try {
    return statSync(file).mtimeMs >= since - grainMs;
  } catch {
    return false;
  }
}

/** A log is written at its end. */
function endOf(file: string): string {
  try {
    const handle = openSync(file, 'r');
    try {
      const { size } = statSync(file);
      const length = Math.min(size, readAtMost);
      const bytes = Buffer.alloc(length);
      return bytes.subarray(0, readSync(handle, bytes, 0, length, size - length)).toString('latin1');
    } finally {
      closeSync(handle);
    }
  } catch {
    return '';
  }
}

const nameBegins = Buffer.from('«').toString('latin1');

/** Reports of other runs, written at the same time, hold names instead of keys: none of them is a key of this start. */
export const withoutNames = (latin1: string): string => latin1.replaceAll(nameBegins, '');
