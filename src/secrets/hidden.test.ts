/** Every disguise in every place of a text, and nothing where nothing is. `npm run prove -- secrets` tries them over a socket. */
import { describe, expect, it } from 'vitest';
import { allDisguises, type Said } from '../../proofs/canary/disguises.ts';
import { Secret } from '../model/secret.ts';
import { Keyring } from './keyring.ts';

const body = 'Zq7Xc4LmP0aTr9WkYe2NhB5vUd8SgJ1f';
const value = `vk_live_${body}`;

const ring = new Keyring();
ring.register(new Secret('main', value));

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

/** Bytes are latin1 already. */
const written = (said: Said, place: (text: string) => string): string =>
  typeof said === 'string' ? latin1(place(said)) : place(said.toString('latin1'));

describe.each(allDisguises)('a key $name', ({ spell }) => {
  it.each(Object.entries(places))('is found %s', (_, place) => {
    const text = written(spell(value), place);
    const redacted = ring.redact(text);
    expect(redacted).toContain(latin1('main»'));
    expect(ring.redact(redacted)).toBe(redacted);
  });
});

const bytes = (text: string): Buffer => Buffer.from(text, 'utf8');

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

it('walks through what is long once: a run of base64 behind which no line follows', () => {
  const long = 'Ab1+'.repeat(200_000);
  const text = `${'a'.repeat(20)} ${'b'.repeat(20)} ${long}`;
  expect(ring.redact(text)).toBe(text);
});

it('finds what is nearly a short key, in a disguise too, while it is sent', () => {
  const short = new Keyring();
  const right = new Secret('token', 'kR8vT2qLx9Wb4ZnC');
  short.register(right);
  const near = right.derive('middle-changed', (whole) => whole.replace('x', 'y'));
  const told = Buffer.from('u:kR8vT2qLy9Wb4ZnC').toString('base64');
  expect(short.redact(`session=${told}`, [near])).toContain('token:middle-changed');
  expect(short.redact(`session=${told}`)).toContain(told);
});

it('finds twelve characters of a key that are fewer letters, and what stands behind them, in any case', () => {
  const ids = new Keyring();
  ids.register(new Secret('id', '5b1f9c02-7de4-4a83-b6c9-20e8d41f7a35'));
  expect(ids.redact('x 7de4-4a83-b6c y')).toBe(latin1('x «part:id» y'));
  expect(ids.redact('x -7DE4-4A83-B y')).toBe(latin1('x «part:id» y'));
  expect(ids.redact('x 7de4-4a83-b y')).toBe('x 7de4-4a83-b y');
});
