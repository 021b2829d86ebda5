/** Forty spellings in six places, and nothing where nothing is. */
import { deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { Secret } from '../model/secret.ts';
import { Keyring } from './keyring.ts';

const body = 'Zq7Xc4LmP0aTr9WkYe2NhB5vUd8SgJ1f';
const value = `vk_live_${body}`;

const ring = new Keyring();
ring.register(new Secret('main', value));

const bytes = (text: string): Buffer => Buffer.from(text, 'utf8');
const each = (text: string, say: (code: number) => string): string[] => [...bytes(text)].map(say);
const hex = (code: number): string => code.toString(16).padStart(2, '0');
const base64 = (text: string): string => bytes(text).toString('base64');

function base32(text: string): string {
  const bits = each(text, (code) => code.toString(2).padStart(8, '0')).join('');
  const letters = bits.match(/.{1,5}/g) ?? [];
  return letters.map((five) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'[Number.parseInt(five.padEnd(5, '0'), 2)]).join('');
}

const swapped = (text: string): string =>
  [...text].map((one) => (one === one.toLowerCase() ? one.toUpperCase() : one.toLowerCase())).join('');

const groups = (text: string, size: number, between: string): string =>
  (text.match(new RegExp(`.{1,${size}}`, 'g')) ?? []).join(between);

const spellings: Readonly<Record<string, (text: string) => string>> = {
  'as it stands': (text) => text,
  'in capitals': (text) => text.toUpperCase(),
  'in small letters': (text) => text.toLowerCase(),
  'in the other case': swapped,
  'in groups of four': (text) => groups(text, 4, ' '),
  'in groups with dashes': (text) => groups(text, 5, '-'),
  'in lines of ten': (text) => groups(text, 10, '\n'),
  'letter by letter': (text) => groups(text, 1, '.'),
  'with marks of no width': (text) => groups(text, 3, '\u200b'),
  'in letters of full width': (text) =>
    text.replaceAll(/[!-~]/g, (one) => String.fromCharCode(one.charCodeAt(0) + 0xfee0)),
  backwards: (text) => [...text].reverse().join(''),
  'its first twelve characters': (text) => `${text.replace('vk_live_', '').slice(0, 12)}…`,
  'its last twelve characters': (text) => `…${text.slice(-12)}`,
  'twelve from its middle': (text) => `…${text.slice(-20, -8)}…`,
  'in hexadecimal': (text) => each(text, hex).join(''),
  'in hexadecimal with colons': (text) => each(text, hex).join(':').toUpperCase(),
  'as node prints a buffer': (text) => `<Buffer ${each(text, hex).join(' ')}>`,
  'in escapes of C': (text) => each(text, (code) => `\\x${hex(code)}`).join(''),
  'in a list of C': (text) => each(text, (code) => `0x${hex(code)}`).join(', '),
  'in percent signs': (text) => each(text, (code) => `%${hex(code)}`).join(''),
  'in percent signs twice': (text) => each(text, (code) => `%25${hex(code)}`).join(''),
  'as mail quotes it': (text) => each(text, (code) => `=${hex(code).toUpperCase()}`).join(''),
  'as entities': (text) => each(text, (code) => `&#${code};`).join(''),
  'as entities in hexadecimal': (text) => each(text, (code) => `&#x${hex(code)};`).join(''),
  'as codes': (text) => each(text, String).join(','),
  'as codes of eight': (text) => each(text, (code) => `\\${code.toString(8).padStart(3, '0')}`).join(''),
  'in escapes of JSON': (text) => each(text, (code) => `\\u00${hex(code)}`).join(''),
  'in base64': base64,
  'in base64 behind a name': (text) => base64(`user:${text}`),
  'in base64 behind two letters': (text) => base64(`u:${text}`),
  'in base64 for URLs': (text) => bytes(`{"k":"${text}"}`).toString('base64url'),
  'in base64 in lines': (text) => groups(base64(text), 20, '\n'),
  'in base64 twice': (text) => base64(base64(text)),
  'in base64 three times': (text) => base64(base64(base64(text))),
  'in base32': base32,
  'in base32 in small letters': (text) => base32(`x${text}`).toLowerCase(),
  'in UTF-16': (text) => Buffer.from(text, 'utf16le').toString('latin1'),
  'in UTF-16 in base64': (text) => Buffer.from(text, 'utf16le').toString('base64'),
  'in UTF-16 of the other end in base64': (text) => Buffer.from(text, 'utf16le').swap16().toString('base64'),
  'in UTF-16 in hexadecimal': (text) => Buffer.from(text, 'utf16le').toString('hex'),
  'packed by gzip in base64': (text) => gzipSync(`key=${text}`).toString('base64'),
  'packed by zlib in base64': (text) => deflateSync(`key=${text}`).toString('base64url'),
  'packed by zstd in hexadecimal': (text) => zstdCompressSync(`key=${text}`).toString('hex'),
  'packed by gzip in codes': (text) => [...gzipSync(text)].join(', '),
  'in hexadecimal in base64': (text) => base64(each(text, hex).join('')),
  'in percent signs in base64': (text) => base64(each(text, (code) => `%${hex(code)}`).join('')),
  'in a token of three parts': (text) => `e30.${bytes(`{"sub":"${text}"}`).toString('base64url')}.c2ln`,
  'in a JSON text in base64 in a JSON text': (text) => base64(JSON.stringify({ a: base64(JSON.stringify([text])) })),
};

const latin1 = (text: string): string => Buffer.from(text, 'utf8').toString('latin1');

const places: Readonly<Record<string, (said: string) => string>> = {
  alone: (said) => said,
  'in a text of JSON': (said) =>
    JSON.stringify({ error: 'invalid', detail: `the key ${said} is not known`, actor: null }),
  'in a name of JSON': (said) => JSON.stringify({ [said]: { a: [1, 2] } }),
  'in a header': (said) => `HTTP/1.1 401 \r\nx-told: ${said}\r\ncontent-length: 2\r\n\r\n{}`,
  'in a cookie': (said) => `set-cookie: a=b; session="${said}"; Path=/`,
  'in a page': (said) => `<html><body title='${said}'>no</body></html>`,
};

/** UTF-16 is bytes already. */
const written = (name: string, said: string): string => (name === 'in UTF-16' ? said : latin1(said));

describe.each(Object.entries(spellings))('a key %s', (name, spell) => {
  it.each(Object.entries(places))('is found %s', (_, place) => {
    const text = written(name, place(spell(value)));
    const redacted = ring.redact(text);
    expect(redacted).toContain(latin1('main»'));
    expect(ring.redact(redacted)).toBe(redacted);
  });
});

const structures: Readonly<Record<string, unknown>> = {
  'as a buffer': bytes(value).toJSON(),
  'as bytes of a typed array': { ...new Uint8Array(bytes(value)) },
  'as a list of characters': [...value],
  'as characters by their places': { ...[...value] },
  'as a list of pieces': value.match(/.{1,6}/g),
  'as a list of codes': [...bytes(value)],
  'behind escapes': { a: 'x\n', b: `\n${body.slice(3)}` },
};

describe.each(Object.entries(structures))('a key %s', (_, structure) => {
  it('is found, and what was JSON stays JSON', () => {
    const text = latin1(JSON.stringify({ detail: structure, n: 1180 }));
    const redacted = ring.redact(text);
    expect(redacted).toContain(latin1('main»'));
    expect(Object.keys(JSON.parse(redacted) as object)).toEqual(['detail', 'n']);
    if (Array.isArray(structure))
      expect((JSON.parse(redacted) as { detail: [] }).detail).toHaveLength(structure.length);
  });
});

it('leaves a text with parts of fewer than twelve characters as it is', () => {
  const text = latin1(
    `{"preview":"vk_live_${body.slice(0, 8)}…${body.slice(-4)}","n":[1,2,3],"x":"${body.slice(2, 13)}"}`,
  );
  expect(ring.redact(text)).toBe(text);
});

it('finds nothing of a secret of common words in what is common', () => {
  const weak = new Keyring();
  weak.register(new Secret('admin-token', 'admin-token-admin-token-0123456789'));
  const text = 'X-Admin-Token: admin-token-admin 0123456789012345';
  expect(weak.redact(text)).toBe(text);
  expect(weak.redact('x=ADMIN-TOKEN-ADMIN-TOKEN-0123456789')).toContain('admin-token');
});
