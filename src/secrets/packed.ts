/** Bodies in which a secret cannot be seen, but from which anybody can unpack it. They are no evidence of anything that a rule asks. */
import { isUtf8 } from 'node:buffer';
import { constants, gunzipSync, inflateRawSync, inflateSync, zstdDecompressSync } from 'node:zlib';
import type { Decoded } from '../http/decode.ts';

type Unpack = (bytes: Uint8Array, maxOutputLength: number) => Uint8Array;

/** By their first bytes, and as far as they go: a torn one is unpacked as well. */
const packings: readonly { readonly begins: (bytes: Uint8Array) => boolean; readonly unpack: Unpack }[] = [
  {
    begins: ([first, second]) => first === 0x1f && second === 0x8b,
    unpack: (bytes, maxOutputLength) => gunzipSync(bytes, { maxOutputLength, finishFlush: constants.Z_SYNC_FLUSH }),
  },
  {
    begins: ([first = 0, second = 0]) => (first & 0x0f) === 8 && ((first << 8) | second) % 31 === 0,
    unpack: (bytes, maxOutputLength) => inflateSync(bytes, { maxOutputLength, finishFlush: constants.Z_SYNC_FLUSH }),
  },
  {
    begins: ([first, second, third]) => first === 0x28 && second === 0xb5 && third === 0x2f,
    unpack: (bytes, maxOutputLength) =>
      zstdDecompressSync(bytes, { maxOutputLength, finishFlush: constants.ZSTD_e_flush }),
  },
];

/** Compressed files and columns within other bytes: what is in them, as far as it can be unpacked. */
export function gzippedIn(bytes: Uint8Array, limit: number): string {
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const found: string[] = [];
  let room = limit;
  for (let at = all.indexOf(gzipMagic); at >= 0 && room > 0; at = all.indexOf(gzipMagic, at + 1)) {
    try {
      const packed = all.subarray(endOfGzipHead(all, at));
      const inside = inflateRawSync(packed, { maxOutputLength: room, finishFlush: constants.Z_SYNC_FLUSH });
      found.push(inside.toString('latin1'));
      room -= inside.length;
    } catch {
      // These bytes looked like the beginning of something compressed, by chance.
    }
    room -= attemptCost;
  }
  return found.join('\n');
}

/** RFC 1952, section 2.3. What follows a member is another's, so it cannot be given to a reader of whole files. */
function endOfGzipHead(bytes: Uint8Array, from: number): number {
  const flags = bytes[from + 3] ?? 0;
  let at = from + 10;
  if (flags & 4) at += 2 + (bytes[at] ?? 0) + 256 * (bytes[at + 1] ?? 0);
  for (const text of [8, 16]) if (flags & text) at = bytes.indexOf(0, at) + 1 || bytes.length;
  return flags & 2 ? at + 2 : at;
}

/** With the one method that there is. */
const gzipMagic = Buffer.from([0x1f, 0x8b, 0x08]);

/** So that bytes which begin like that a million times come to an end. */
const attemptCost = 10_000;

const nothing = new Uint8Array(0);

/** What of a body may be written down. */
export function withoutPacked(decoded: Decoded, redact: (text: string) => string, limit: number): Decoded {
  const { bytes, failed } = decoded;
  // Nobody knows how to read it, and what cannot be read cannot be searched.
  if (failed !== undefined) return isUtf8(bytes) ? decoded : { ...decoded, bytes: nothing };
  const packing = packings.find(({ begins }) => begins(bytes));
  if (packing === undefined || isUtf8(bytes)) return decoded;
  let inside: string;
  try {
    inside = Buffer.from(packing.unpack(bytes, limit)).toString('latin1');
  } catch {
    return { ...decoded, bytes: nothing };
  }
  return redact(inside) === inside ? decoded : { ...decoded, bytes: nothing };
}
