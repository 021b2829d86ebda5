/** How a hostile service may write a key that it was sent. Shares no code with the detector. */
import { deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';

/** A text, or bytes where no text of UTF-8 is meant. */
export type Said = string | Buffer;

export interface Disguise {
  readonly name: string;
  readonly spell: (text: string) => Said;
}

const bytes = (text: string): Buffer => Buffer.from(text, 'utf8');
const each = (text: string, say: (code: number) => string): string[] => [...bytes(text)].map(say);
const hex = (code: number): string => code.toString(16).padStart(2, '0');
const base64 = (text: string | Buffer): string => Buffer.from(text).toString('base64');
const url = (text: string): string => bytes(text).toString('base64url');
const wide = (text: string): Buffer => Buffer.from(text, 'utf16le');

function base32(text: string): string {
  const bits = each(text, (code) => code.toString(2).padStart(8, '0')).join('');
  const letters = bits.match(/.{1,5}/g) ?? [];
  return letters.map((five) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'[Number.parseInt(five.padEnd(5, '0'), 2)]).join('');
}

const swapped = (text: string): string =>
  [...text].map((one) => (one === one.toLowerCase() ? one.toUpperCase() : one.toLowerCase())).join('');

const groups = (text: string, size: number, between: string): string =>
  (text.match(new RegExp(`.{1,${size}}`, 'g')) ?? []).join(between);

const withoutPrefix = (text: string): string => text.replace(/^vk_(?:live|test)_/, '');

const of = (table: Readonly<Record<string, Disguise['spell']>>): readonly Disguise[] =>
  Object.entries(table).map(([name, spell]) => ({ name, spell }));

export const disguises: Readonly<Record<string, readonly Disguise[]>> = {
  'unchanged, case, parts': of({
    unchanged: (text) => text,
    'in capitals': (text) => text.toUpperCase(),
    'in small letters': (text) => text.toLowerCase(),
    'in the other case': swapped,
    backwards: (text) => [...text].reverse().join(''),
    'its first twelve characters': (text) => `${withoutPrefix(text).slice(0, 12)}…`,
    'its last twelve characters': (text) => `…${text.slice(-12)}`,
    'twelve from its middle': (text) => `…${text.slice(-14, -2)}…`,
  }),
  'with something between': of({
    'in groups of four': (text) => groups(text, 4, ' '),
    'in groups with dashes': (text) => groups(text, 5, '-'),
    'in lines of ten': (text) => groups(text, 10, '\n'),
    'letter by letter': (text) => groups(text, 1, '.'),
    'with marks of no width': (text) => groups(text, 3, '\u200b'),
    'in letters of full width': (text) =>
      text.replaceAll(/[!-~]/g, (one) => String.fromCharCode(one.charCodeAt(0) + 0xfee0)),
    'as a list of characters': (text) => JSON.stringify([...text]),
    'as characters by their places': (text) => JSON.stringify({ ...[...text] }),
  }),
  'hexadecimal, codes, escapes': of({
    'in hexadecimal': (text) => each(text, hex).join(''),
    'in hexadecimal with colons': (text) => each(text, hex).join(':').toUpperCase(),
    'as node prints a buffer': (text) => `<Buffer ${each(text, hex).join(' ')}>`,
    'as a buffer of JSON': (text) => JSON.stringify(bytes(text).toJSON()),
    'as bytes of a typed array': (text) => JSON.stringify({ ...new Uint8Array(bytes(text)) }),
    'as codes': (text) => each(text, String).join(','),
    'as codes of eight': (text) => each(text, (code) => `\\${code.toString(8).padStart(3, '0')}`).join(''),
    'in escapes of C': (text) => each(text, (code) => `\\x${hex(code)}`).join(''),
    'in a list of C': (text) => each(text, (code) => `0x${hex(code)}`).join(', '),
    'in percent signs': (text) => each(text, (code) => `%${hex(code)}`).join(''),
    'in percent signs twice': (text) => each(text, (code) => `%25${hex(code)}`).join(''),
    'as mail quotes it': (text) => each(text, (code) => `=${hex(code).toUpperCase()}`).join(''),
    'as entities': (text) => each(text, (code) => `&#${code};`).join(''),
    'as entities in hexadecimal': (text) => each(text, (code) => `&#x${hex(code)};`).join(''),
    'in escapes of JSON': (text) => each(text, (code) => `\\u00${hex(code)}`).join(''),
  }),
  'base64 and base32': of({
    'in base64': base64,
    'in base64 behind a name': (text) => base64(`user:${text}`),
    'in base64 behind two letters': (text) => base64(`u:${text}`),
    'as Basic credentials': (text) => `Basic ${base64(`:${text}`)}`,
    'in a token of three parts': (text) => `${url('{"alg":"none"}')}.${url(JSON.stringify({ sub: text }))}.c2ln`,
    'in base64 for URLs': (text) => url(`{"k":"${text}"}`),
    'in base64 in lines': (text) => groups(base64(text), 20, '\n'),
    'in base64 twice': (text) => base64(base64(text)),
    'in base64 three times': (text) => base64(base64(base64(text))),
    'in base32': base32,
    'in base32 in small letters': (text) => base32(`x${text}`).toLowerCase(),
  }),
  'UTF-16': of({
    'in UTF-16': wide,
    'in UTF-16 of the other end': (text) => wide(text).swap16(),
    'in UTF-16 with a mark before it': (text) => wide(`\ufeff${text}`),
    'in UTF-16 in base64': (text) => base64(wide(text)),
    'in UTF-16 of the other end in base64': (text) => base64(wide(text).swap16()),
    'in UTF-16 in hexadecimal': (text) => wide(text).toString('hex'),
  }),
  'compressed, and one in the other': of({
    'packed by gzip in base64': (text) => gzipSync(`key=${text}`).toString('base64'),
    'packed by zlib in base64': (text) => deflateSync(`key=${text}`).toString('base64url'),
    'packed by zstd in hexadecimal': (text) => zstdCompressSync(`key=${text}`).toString('hex'),
    'packed by gzip in codes': (text) => [...gzipSync(text)].join(', '),
    'in hexadecimal in base64': (text) => base64(each(text, hex).join('')),
    'in percent signs in base64': (text) => base64(each(text, (code) => `%${hex(code)}`).join('')),
    'in a JSON text in base64 in a JSON text': (text) => base64(JSON.stringify({ a: base64(JSON.stringify([text])) })),
  }),
};

export const allDisguises: readonly Disguise[] = Object.values(disguises).flat();

export const bytesOf = (said: Said): Buffer => (typeof said === 'string' ? bytes(said) : said);
