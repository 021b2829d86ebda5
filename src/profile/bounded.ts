/** The edge: a file that somebody else names, read up to a size. One that never ends (`/dev/zero`, a pipe) is no reason to wait. */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

export class TooLarge extends Error {
  override readonly name = 'TooLarge';

  constructor(most: number) {
    super(`it is larger than ${most} bytes`);
  }
}

/** Throws a TooLarge, and the system's errors. */
export function readBounded(path: string, most: number): Buffer {
  const file = openSync(path, 'r');
  try {
    const expected = fstatSync(file).size;
    if (expected > most) throw new TooLarge(most);
    const parts: Buffer[] = [];
    for (let left = most + 1; ; ) {
      const part = Buffer.allocUnsafe(Math.min(left, Math.max(expected + 1, 65_536)));
      const length = readSync(file, part, 0, part.length, null);
      if (length === 0) return Buffer.concat(parts);
      parts.push(part.subarray(0, length));
      left -= length;
      if (left <= 0) throw new TooLarge(most);
    }
  } finally {
    closeSync(file);
  }
}

/** Of a key in PEM form. */
export const largestKey = 64 * 1024;
