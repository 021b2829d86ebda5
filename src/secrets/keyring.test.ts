import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { Secret } from '../model/secret.ts';
import { Keyring } from './keyring.ts';

const value = 'vk_live_0a1b2c3d4e5f60718293a4b5';
const body = value.slice('vk_live_'.length);
const shown = (text: string): string => Buffer.from(text, 'latin1').toString('utf8');

function keyring(): Keyring {
  const ring = new Keyring();
  ring.register(new Secret('main', value));
  ring.register(new Secret('admin-token', 'a "quoted" token/with+signs'));
  return ring;
}

describe('the keyring', () => {
  it.each([
    ['literally', `x ${value} y`, 'x vk_live_«main» y'],
    ['behind another prefix', `vk_test_${body}`, 'vk_test_«main»'],
    ['in hexadecimal', Buffer.from(body).toString('hex'), '«hex:main»'],
    ['reversed', [...body].reverse().join(''), '«reversed:main»'],
    ['its first half alone', `${body.slice(0, 12)}zzz`, '«part:main»zzz'],
    ['its hash in hexadecimal', createHash('sha256').update(value).digest('hex'), '«sha256:main»'],
    ['its hash in base64', createHash('sha256').update(value).digest('base64'), '«sha256-base64:main»='],
    ['its raw hash', createHash('sha256').update(value).digest().toString('latin1'), '«sha256-raw:main»'],
    ['a token in a URL', encodeURIComponent('a "quoted" token/with+signs'), '«url:admin-token»'],
    [
      'spelt in escapes that JSON does not need',
      `{"key":"${[...value].map((c) => `\\u00${c.charCodeAt(0).toString(16)}`).join('')}"}`,
      '{"key":"vk_live_«main»"}',
    ],
    [
      'spelt in percent signs, every byte of it',
      `x=${[...value].map((c) => `%${c.charCodeAt(0).toString(16)}`).join('')}&y`,
      'x=vk_live_«url:main»&y',
    ],
    [
      'spelt in percent signs twice',
      `x=${[...value].map((c) => `%25${c.charCodeAt(0).toString(16).toUpperCase()}`).join('')}&y`,
      'x=vk_live_«url:main»&y',
    ],
    [
      'a token in a URL in a URL',
      encodeURIComponent(encodeURIComponent('a "quoted" token/with+signs')),
      '«url:admin-token»',
    ],
    [
      'a token in escapes, some of which JSON needs',
      `{"${[...'a "quoted" token/with+signs'].map((c) => `\\u00${c.charCodeAt(0).toString(16)}`).join('')}":1}`,
      '{"«admin-token»":1}',
    ],
    ['a token in JSON in JSON', JSON.stringify(JSON.stringify('a "quoted" token/with+signs')), '"\\"«admin-token»\\""'],
    [
      'one that is in escapes beside one that is not, and nothing else',
      `%41 ${value} \\u00e9 ${encodeURIComponent(encodeURIComponent('a "quoted" token/with+signs'))} %2541`,
      '%41 vk_live_«main» \\u00e9 «url:admin-token» %2541',
    ],
    ['a token in a JSON string', JSON.stringify('a "quoted" token/with+signs'), '"«admin-token»"'],
  ])('replaces a secret %s', (_, text, expected) => {
    expect(shown(keyring().redact(text))).toBe(expected);
  });

  it.each([0, 1, 2])('finds it in base64 at offset %i', (offset) => {
    const text = Buffer.from(`${'-'.repeat(offset)}${body} and more`).toString('base64');
    expect(shown(keyring().redact(text))).toContain('«base64:main»');
  });

  it('finds two that touch each other, and keeps what stands around them', () => {
    expect(shown(keyring().redact(`<${value}${value}>`))).toBe('<vk_live_«main»vk_live_«main»>');
  });

  it('names a near miss of one exchange by what is wrong with it', () => {
    const miss = new Secret('main', value).derive('truncated', (v) => v.slice(0, -1));
    expect(shown(keyring().redact(`key ${value.slice(0, -1)}`, [miss]))).toBe('key vk_live_«main:truncated»');
  });

  it('leaves a text without secrets as it is', () => {
    const text = '{"items": [], "status": "OK"}';
    expect(keyring().redact(text)).toBe(text);
    expect(keyring().redact('')).toBe('');
  });

  it('takes no text for a secret that is one letter many times', () => {
    const ring = keyring();
    ring.register(new Secret('poor', `vk_live_${'a'.repeat(20)}`));
    const text = `"tree": ${'{"a":['.repeat(20)}${']}'.repeat(20)}`;
    expect(ring.redact(text)).toBe(text);
    expect(shown(ring.redact(`key=vk_live_${'a'.repeat(20)};`))).toBe('key=vk_live_«poor»;');
  });

  it('replaces a short secret only where it is a whole value', () => {
    const ring = new Keyring();
    ring.register(new Secret('admin-token', 'admin'));
    expect(shown(ring.redact('GET /v1/admin/keys\r\nX-Admin-Token: admin\r\n'))).toBe(
      'GET /v1/admin/keys\r\nX-Admin-Token: «admin-token»\r\n',
    );
    expect(shown(ring.redact('{"token":"admin"}'))).toBe('{"token":"«admin-token»"}');
  });

  it('knows which near miss is another real key', () => {
    const miss = new Secret('other', 'vk_live_x').derive('same', () => value);
    expect(keyring().holds(miss)).toBe(true);
  });
});

describe('a secret', () => {
  it('prints its name whatever prints it', () => {
    const secret = new Secret('main', value);
    expect(`${secret} ${JSON.stringify({ secret })}`).toBe('«main» {"secret":"«main»"}');
    expect(Object.values(secret)).toEqual(['main']);
  });
});
