/**
 * How much of all answers together a run takes in. An answer of ordinary size costs nothing; what is beyond it is counted over the
 * whole run, so that a service with answers of the largest size cannot fill the memory: each takes less than the one before.
 */

/** Up to here an answer is an ordinary one. */
export const ordinary = 64 * 1024;

/** How many answers of the largest size allowed make the whole of what is taken in. */
const largest = 4;
/** After the first of them each may have so small a part of what is left: several come at the same time. */
const part = 16;

export class Appetite {
  readonly #maxBodyBytes: number;
  #left: number;

  constructor(maxBodyBytes: number) {
    this.#maxBodyBytes = maxBodyBytes;
    this.#left = largest * maxBodyBytes;
  }

  /** Bytes of a body that the next answer may have. */
  get room(): number {
    if (this.#left === largest * this.#maxBodyBytes) return this.#maxBodyBytes;
    return Math.min(this.#maxBodyBytes, Math.max(ordinary, Math.floor(this.#left / part)));
  }

  took(bytes: number): void {
    this.#left = Math.max(0, this.#left - Math.max(0, bytes - ordinary));
  }
}

/** JSON that is nested deeper than this makes those who walk through it fall over. */
const deepest = 2000;
/** More lists and objects than this fill many times the memory of their text. */
const mostInside = 200_000;

const [quote, backslash] = [0x22, 0x5c];
const opening = new Set([0x5b, 0x7b]);
const closing = new Set([0x5d, 0x7d]);

/** Whether a text, if it is JSON, is nested or divided too much to be looked at. */
export function isTooMuch(bytes: Uint8Array): boolean {
  // One bracket a level, and the one that closes it.
  if (bytes.length < 2 * deepest) return false;
  let depth = 0;
  let inside = 0;
  let inText = false;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at]!;
    if (inText) {
      if (byte === backslash) at += 1;
      else if (byte === quote) inText = false;
    } else if (byte === quote) inText = true;
    else if (opening.has(byte)) {
      depth += 1;
      inside += 1;
      if (depth > deepest || inside > mostInside) return true;
    } else if (closing.has(byte)) depth -= 1;
  }
  return false;
}
