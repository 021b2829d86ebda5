/** The bytes of a file as text. What is no UTF-8 would become `�` without a word, in a key perhaps: it is refused, with its place. */
import { isUtf8 } from 'node:buffer';
import type { Position } from './problems.ts';

export class NotUtf8 extends Error {
  override readonly name = 'NotUtf8';
  readonly place: Position;

  constructor(bytes: Buffer, at: number) {
    const shown = `0x${bytes[at]!.toString(16).padStart(2, '0')}`;
    const wide = bytes[0] === 0xff || bytes[0] === 0xfe ? ' (it looks like UTF-16)' : '';
    super(`it is not UTF-8 text: the byte ${shown} is here${wide}; save the file as UTF-8`);
    this.place = placeOf(bytes, at);
  }
}

/** Throws a NotUtf8. */
export function decoded(bytes: Buffer): string {
  if (!isUtf8(bytes)) throw new NotUtf8(bytes, firstWrong(bytes));
  return bytes.toString('utf8');
}

/** The end of the longest beginning that can be the beginning of a text. */
function firstWrong(bytes: Buffer): number {
  let [good, bad] = [0, bytes.length + 1];
  while (bad - good > 1) {
    const middle = (good + bad) >> 1;
    if (mayBegin(bytes.subarray(0, middle))) good = middle;
    else bad = middle;
  }
  // A character that is begun there, and goes on otherwise or not at all, is what is wrong.
  while (!isUtf8(bytes.subarray(0, good))) good -= 1;
  return good;
}

function mayBegin(bytes: Buffer): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
    return true;
  } catch {
    return false;
  }
}

function placeOf(bytes: Buffer, at: number): Position {
  const before = bytes.subarray(0, at).toString('utf8').split('\n');
  return { line: before.length, column: before.at(-1)!.length + 1 };
}
