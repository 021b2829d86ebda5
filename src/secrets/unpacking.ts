/** What is packed in a text, unpacked: base64, base32, hexadecimal, lists of codes, and what of that is compressed, one in the other. */
import { constants, gunzipSync, inflateSync, zstdDecompressSync } from 'node:zlib';

import { type Look, sight } from './detector.ts';

export interface Packed {
  /** Where it is in the text. */
  readonly begin: number;
  readonly end: number;
  /** What is in it, as latin1. */
  readonly inside: string;
}

/** Deeper nobody packs. */
export const deepest = 3;

/** Of one text, all together: what is packed without end is not followed. */
const mostBytes = 4 * 1024 * 1024;

interface Coding {
  /** What the walk through the text must have seen. */
  readonly seen: number;
  readonly pattern: RegExp;
  readonly bytes: (run: string) => Buffer;
}

const coded: readonly Coding[] = [
  {
    // Lines, and slashes that JSON has escaped, are of the same run. From its beginning only: from each of its letters on, a long
    // run would be walked through again and again.
    seen: sight.lines,
    pattern:
      /(?<![A-Za-z0-9+/_\\-])(?:[A-Za-z0-9+/_-]|\\\/){16,}={0,2}(?:(?:\s|\\r|\\n)+(?:[A-Za-z0-9+/_-]|\\\/){4,}={0,2})+/g,
    bytes: (run) => Buffer.from(run.replaceAll(/\\[rn]|\s|\\(?=\/)/g, ''), 'base64'),
  },
  {
    seen: sight.lines,
    pattern: /(?:[A-Za-z0-9+/_-]|\\\/){16,}/g,
    bytes: (run) => Buffer.from(run.replaceAll('\\', ''), 'base64'),
  },
  {
    seen: sight.pairs,
    pattern: /(?:(?:\\x|0x|%|=)?[0-9A-Fa-f]{2}[\s:,-]{0,2}){16,}/g,
    bytes: (run) => Buffer.from(run.replaceAll(/\\x|0x|[^0-9A-Fa-f]/g, ''), 'hex'),
  },
  {
    seen: sight.codes,
    pattern: /(?:\b\d{1,3}\b[\s,;]+){11,}\d{1,3}\b/g,
    bytes: (run) => Buffer.from((run.match(/\d+/g) ?? []).map(Number)),
  },
];

const scratch = Buffer.alloc(64);

/**
 * Of the readings of a run of characters in three codings, the useful ones: a text, or compressed data. For one that holds a
 * secret literally, the letters are enough.
 */
function bytesOf(run: string): readonly Buffer[] {
  let all: Buffer[] | undefined;
  if (isWorthIt(scratch.write(run.length > 24 ? run.slice(0, 24) : run, 'base64'))) all = [Buffer.from(run, 'base64')];
  if (isHex.test(run)) {
    const digits = run.startsWith('0x') ? run.slice(2) : run;
    if (isWorthIt(scratch.write(digits.slice(0, 36), 'hex'))) all = [...(all ?? []), Buffer.from(digits, 'hex')];
  }
  if (isBase32.test(run) && isWorthIt(fromBase32(run.length > 29 ? run.slice(0, 29) : run).copy(scratch)))
    all = [...(all ?? []), fromBase32(run)];
  return all ?? noBytes;
}

/** Behind a mark that is a letter of base64 too (`x-…`, `/login/…`) something packed may begin. */
function beginningsIn(run: string): readonly number[] {
  let all: number[] | undefined;
  for (const { index } of run.matchAll(beginning)) {
    all ??= [0];
    all.push(index);
  }
  return all ?? fromTheStart;
}

const fromTheStart = [0];
/** Eight letters of no mark, or what gzip, zlib and Zstandard begin with; and enough of it. */
const beginning = /(?<=[-_+/])(?:[A-Za-z0-9]{8}|H4sI|eJ|eN|KLUv)(?=.{12})/g;

const noBytes: readonly Buffer[] = [];

const isHex = /^(?:0x)?(?:[0-9A-Fa-f]{2})+$/;
const isBase32 = /^(?:[A-Z2-7]+|[a-z2-7]+)$/;

function isWorthIt(size: number): boolean {
  if (isMarked(scratch)) return true;
  for (let at = 0; at < size; at += 1) {
    const byte = scratch[at]!;
    if (byte > 0x7e || (byte < 0x20 && byte !== 9 && byte !== 10 && byte !== 13)) return false;
  }
  return size > 0;
}

/** The first bytes of gzip, zlib and Zstandard. */
function isMarked(bytes: Uint8Array): boolean {
  const first = bytes[0]!;
  const second = bytes[1]!;
  if (first === 0x1f && second === 0x8b) return true;
  return (first & 0x0f) === 8 ? ((first << 8) | second) % 31 === 0 : first === 0x28 && second === 0xb5;
}

const fives = new Uint8Array(128);
for (const [value, letter] of [...'abcdefghijklmnopqrstuvwxyz234567'].entries()) {
  fives[letter.charCodeAt(0)] = value;
  fives[letter.toUpperCase().charCodeAt(0)] = value;
}

/** Of nothing but letters of that alphabet. */
function fromBase32(run: string): Buffer {
  const bytes = Buffer.allocUnsafe((run.length * 5) >> 3);
  let length = 0;
  let bits = 0;
  let count = 0;
  for (let at = 0; at < run.length; at += 1) {
    bits = ((bits << 5) | fives[run.charCodeAt(at)]!) & 0xfff;
    count += 5;
    if (count < 8) continue;
    count -= 8;
    bytes[length] = bits >> count;
    length += 1;
  }
  return bytes;
}

export function packedIn(text: string, { runs, seen }: Look): readonly Packed[] {
  let all: Packed[] | undefined;
  let left = mostBytes;
  const add = (begin: number, end: number, bytes: Buffer): void => {
    left -= bytes.length;
    if (left < 0) return;
    for (const inside of layersOf(bytes, left)) {
      left -= inside.length;
      all ??= [];
      all.push({ begin, end, inside });
    }
  };
  for (let at = 0; at + 1 < runs.length && left > 0; at += 2) {
    const begin = runs[at]!;
    const end = runs[at + 1]!;
    const run = text.slice(begin, end);
    for (const from of beginningsIn(run))
      for (const bytes of bytesOf(from === 0 ? run : run.slice(from))) add(begin + from, end, bytes);
  }
  if ((seen & further) !== 0)
    for (const coding of coded)
      if ((seen & coding.seen) !== 0)
        for (const { 0: run, index } of text.matchAll(coding.pattern))
          add(index, index + run.trimEnd().length, coding.bytes(run));
  return all ?? none;
}

const none: readonly Packed[] = [];
const further = sight.lines | sight.pairs | sight.codes;

/** The bytes themselves, and what is compressed in them. */
export function* layersOf(bytes: Buffer, limit = mostBytes): Generator<string> {
  yield bytes.toString('latin1');
  const unpacked = decompressed(bytes, limit);
  if (unpacked !== undefined) yield unpacked.toString('latin1');
}

/** By its first bytes, and as far as it goes. */
function decompressed(bytes: Buffer, limit: number): Buffer | undefined {
  const [first = 0, second = 0, third = 0] = bytes;
  const flush = { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: Math.max(1, limit) };
  try {
    if (first === 0x1f && second === 0x8b) return gunzipSync(bytes, flush);
    if ((first & 0x0f) === 8 && ((first << 8) | second) % 31 === 0) return inflateSync(bytes, flush);
    if (first === 0x28 && second === 0xb5 && third === 0x2f)
      return zstdDecompressSync(bytes, { finishFlush: constants.ZSTD_e_flush, maxOutputLength: Math.max(1, limit) });
  } catch {
    return undefined;
  }
  return undefined;
}
