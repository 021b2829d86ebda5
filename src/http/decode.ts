/** Undoes content codings, within bounds: a bomb stops at the limit, garbage is said to be garbage. */

import {
  brotliDecompressSync,
  constants,
  gunzipSync,
  inflateRawSync,
  inflateSync,
  zstdDecompressSync,
} from 'node:zlib';
import type { Header } from '../model/exchange.ts';

export interface Decoded {
  /** What was received, if no coding could be undone. */
  readonly bytes: Uint8Array;
  /** What was undone, as the header names it: `gzip`, or `gzip, br` where one lay in the other. */
  readonly coding?: string;
  readonly truncated: boolean;
  /** Why it could not be undone: one sentence. */
  readonly failed?: string;
  /** Nothing is wrong with it: it is a coding that others know. */
  readonly unread?: true;
}

const mostCodings = 3;

type Undo = (bytes: Uint8Array, options: { maxOutputLength: number; finishFlush: number }) => Uint8Array;

interface Coding {
  readonly undo: Undo;
  /** How to end when the input may be cut off: give what is there, ask for no more. */
  readonly lenient: number;
  readonly strict: number;
}

const zlib = (undo: Undo): Coding => ({ undo, lenient: constants.Z_SYNC_FLUSH, strict: constants.Z_FINISH });

/** `deflate` is the zlib format, but so many servers sent the bare one that everybody reads both (RFC 9110 §8.4.1.2). */
const inflate: Undo = (bytes, options) => {
  const zlibFormat = ((bytes[0] ?? 0) & 0x0f) === 8 && (((bytes[0] ?? 0) << 8) | (bytes[1] ?? 0)) % 31 === 0;
  return zlibFormat ? inflateSync(bytes, options) : inflateRawSync(bytes, options);
};

const codings: ReadonlyMap<string, Coding> = new Map([
  ['gzip', zlib((bytes, options) => gunzipSync(bytes, options))],
  ['x-gzip', zlib((bytes, options) => gunzipSync(bytes, options))],
  ['deflate', zlib(inflate)],
  [
    'br',
    {
      undo: (bytes, options) => brotliDecompressSync(bytes, options),
      lenient: constants.BROTLI_OPERATION_FLUSH,
      strict: constants.BROTLI_OPERATION_FINISH,
    },
  ],
  [
    'zstd',
    {
      undo: (bytes, options) => zstdDecompressSync(bytes, options),
      lenient: constants.ZSTD_e_flush,
      strict: constants.ZSTD_e_end,
    },
  ],
]);

/** In IANA's registry, and undone by hardly anybody. */
const ofOthers: ReadonlySet<string> = new Set([
  'compress',
  'x-compress',
  'aes128gcm',
  'dcb',
  'dcz',
  'exi',
  'pack200-gzip',
]);

/** Several fields of the name are one list (RFC 9110, section 5.3). */
export function codingOf(headers: readonly Header[]): string | undefined {
  const fields = headers.filter(([name]) => name.toLowerCase() === 'content-encoding');
  return fields.length === 0 ? undefined : fields.map(([, value]) => value).join(', ');
}

/** `partial`: the bytes were cut off already, so that an end before the end is no fault of theirs. */
export function decodeBody(
  bytes: Uint8Array,
  contentEncoding: string | undefined,
  maxBytes: number,
  partial = false,
): Decoded {
  const names = (contentEncoding ?? '')
    .split(',')
    .map((each) => each.trim().toLowerCase())
    .filter((each) => each !== '' && each !== 'identity');
  const asItCame = { bytes: bytes.subarray(0, maxBytes), truncated: partial || bytes.byteLength > maxBytes };
  // The answer to HEAD names the coding of a body that is not there.
  if (names.length === 0 || bytes.byteLength === 0) return asItCame;
  if (names.length > mostCodings)
    return { ...asItCame, failed: `more than ${mostCodings} content codings`, unread: true };

  let current = bytes;
  let cut = partial;
  for (const name of names.toReversed()) {
    const coding = codings.get(name);
    if (coding === undefined)
      return {
        ...asItCame,
        failed: `the content coding ${JSON.stringify(name)} is unknown`,
        ...(ofOthers.has(name) ? { unread: true as const } : {}),
      };
    try {
      const undone = undoWithin(coding, current, maxBytes, cut);
      current = undone.bytes;
      cut ||= undone.cut;
    } catch (error) {
      const why = error instanceof Error ? error.message : 'for an unknown reason';
      return { ...asItCame, failed: `the body is not valid ${name}: ${why}` };
    }
  }
  return { bytes: current, coding: names.join(', '), truncated: cut };
}

/**
 * All of it, or, where that would be more than the limit, what the first part of the input gives. zlib keeps nothing when the limit is
 * passed, so that ever shorter parts are tried: halves, which never cost more than the limit each.
 */
function undoWithin(
  coding: Coding,
  input: Uint8Array,
  limit: number,
  cut: boolean,
): { bytes: Uint8Array; cut: boolean } {
  const undo = (part: Uint8Array, finishFlush: number): Uint8Array =>
    coding.undo(part, { maxOutputLength: Math.max(limit, 1), finishFlush });
  for (let length = input.byteLength; length > 0; length = Math.floor(length / 2)) {
    const whole = length === input.byteLength;
    try {
      const bytes = undo(input.subarray(0, length), whole && !cut ? coding.strict : coding.lenient);
      if (bytes.byteLength <= limit) return { bytes, cut: cut || !whole };
    } catch (error) {
      if ((error as { code?: unknown }).code !== 'ERR_BUFFER_TOO_LARGE') throw error;
    }
  }
  return { bytes: new Uint8Array(0), cut: true };
}
