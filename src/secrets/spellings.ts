/**
 * A secret in every coding that can be searched for literally, as letters and digits alone: separators, case, blanks and the zeros
 * of UTF-16 mean nothing to the search. What lies deeper is decoded first.
 */
import { createHash } from 'node:crypto';

export interface Spelling {
  /** Small letters and digits, nothing else. */
  readonly needle: string;
  /** The label of a complete hit: '' for the literal secret. */
  readonly form: string;
  /** How much of it in a row is worth something; all of it, where less is worth nothing. */
  readonly least: number;
}

/** How many characters of a secret in a row are one too many. */
export const telling = 12;

/** The characters that every search compares. */
export const gram = 12;

export const plainly = (text: string): string => text.replaceAll(/[^A-Za-z0-9]/g, '').toLowerCase();

const hex = (bytes: Buffer): string => bytes.toString('hex');

/** The characters of base64 that are the same whatever stands before and behind, at each of the three offsets. */
function base64s(bytes: Buffer): string[] {
  return [0, 1, 2].map((offset) => {
    const whole = Buffer.concat([Buffer.alloc(offset), bytes])
      .toString('base64')
      .replaceAll('=', '');
    return whole.slice(Math.ceil((offset * 8) / 6), Math.floor(((offset + bytes.length) * 8) / 6));
  });
}

const alphabet = 'abcdefghijklmnopqrstuvwxyz234567';

/** The same for base32, at each of its five offsets. */
function base32s(bytes: Buffer): string[] {
  return [0, 1, 2, 3, 4].map((offset) => {
    const skipped = (5 - ((offset * 8) % 5)) % 5;
    let text = '';
    let bits = 0;
    let count = -skipped;
    for (const byte of bytes) {
      bits = ((bits << 8) | byte) & 0xffff;
      for (count += 8; count >= 5; count -= 5) text += alphabet[(bits >> (count - 5)) & 31];
    }
    return text;
  });
}

const each = (bytes: Buffer, say: (byte: number) => string): string => [...bytes].map(say).join('');

/** As languages without unsigned bytes write them. */
const signed = (byte: number): string => String(Math.abs(byte > 127 ? byte - 256 : byte));

function ofBytes(bytes: Buffer, name: (form: string) => string, share: (length: number) => number): Spelling[] {
  const of = (form: string, needle: string, characters: number): Spelling => ({
    needle: plainly(needle),
    form: name(form),
    least: share(characters),
  });
  return [
    of('hex', hex(bytes), 2 * telling),
    of(
      'hex',
      each(bytes, (byte) => `x${byte.toString(16).padStart(2, '0')}`),
      3 * telling,
    ),
    of(
      'hex',
      each(bytes, (byte) => `0x${byte.toString(16).padStart(2, '0')}`),
      4 * telling,
    ),
    of('codes', each(bytes, String), 2 * telling),
    of('codes', each(bytes, signed), 2 * telling),
    // 18.0, 18e0 and 180E-1 are the number 18.
    ...['0', 'e0', '0e1'].map((zero) =>
      of(
        'codes',
        each(bytes, (byte) => `${byte}${zero}`),
        (2 + zero.length) * telling,
      ),
    ),
    of(
      'codes',
      each(bytes, (byte) => byte.toString(8).padStart(3, '0')),
      3 * telling,
    ),
    ...base64s(bytes).map((text) => of('base64', text, 13)),
    ...base32s(bytes).map((text) => of('base32', text, 18)),
  ];
}

export function spellingsOf(value: string): readonly Spelling[] {
  const text = value.replace(/^vk_(?:live|test)_/, '');
  const plain = plainly(text);
  const bytes = Buffer.from(text, 'utf8');
  const wide = Buffer.from(text, 'utf16le');
  const hash = createHash('sha256').update(value).digest();
  const all: Spelling[] = [
    { needle: plain, form: 'spelt', least: telling },
    { needle: [...plain].reverse().join(''), form: 'reversed', least: telling },
    ...ofBytes(
      bytes,
      (form) => form,
      (characters) => characters,
    ),
    { needle: hex(wide), form: 'utf16', least: 4 * telling },
    ...base64s(wide).map((each): Spelling => ({ needle: plainly(each), form: 'utf16', least: 26 })),
    // A part of a hash reveals nothing.
    ...ofBytes(
      hash,
      (form) => `sha256-${form}`,
      () => Number.POSITIVE_INFINITY,
    ),
  ];
  const wanted = new Map<string, Spelling>();
  for (const spelling of all)
    if (spelling.needle.length >= gram && !wanted.has(spelling.needle)) wanted.set(spelling.needle, spelling);
  return [...wanted.values()];
}
