import { expect, it } from 'vitest';
import { Secret } from '../model/secret.ts';
import { isExample, reveal } from './issued-keys.ts';
import { Keyring } from './keyring.ts';

const at = { key: '/key', id: '/id', name: 'issued-1' };
const bytes = (text: string): Buffer => Buffer.from(text, 'utf8');

it('takes a key and an identifier that no text can hold for what would be sent of them', () => {
  const found = reveal(at, bytes(String.raw`{"key":"vk_live_0123456789\ud800","id":"\udc00"}`), new Keyring());
  expect(encodeURIComponent(Secret.reveal(found.key!))).toBe('vk_live_0123456789%EF%BF%BD');
  expect(encodeURIComponent(Secret.reveal(found.id!))).toBe('%EF%BF%BD');
});

it('calls a key that is given out a second time by the name that it has', () => {
  const ring = new Keyring();
  const first = reveal(at, bytes('{"key":"vk_live_0123456789abcdef","id":1}'), ring);
  const again = reveal({ ...at, name: 'issued-2' }, bytes('{"key":"vk_live_0123456789abcdef","id":2}'), ring);
  expect([first.key?.name, again.key?.name]).toEqual(['issued-1', 'issued-1']);
});

it.each([
  ['vk_live_xxxxxxxxxxxxxxxxxxxxxxxx', true],
  ['vk_test_0123456789abcdef0123456789abcdef', true],
  ['vk_live_your_key_here', true],
  ['vk_live_9f86d081884c7d659a2feaa0c55ad015', false],
  ['vk_test_0000000000000001', false],
])('%s shows what keys look like: %s', (key, is) => {
  expect(isExample(key)).toBe(is);
});

it('registers no example beside a new key, and every other key', () => {
  const ring = new Keyring();
  const other = 'vk_live_5994471abb01112afcc18159f6cc74b4';
  reveal(at, bytes(`{"key":"vk_live_9f86d081884c7d65","hint":"vk_live_0123456789abcdef","old":"${other}"}`), ring);
  expect(ring.known(new Secret('later', other)).name).toBe('issued-1-elsewhere');
  expect(ring.known(new Secret('later', 'vk_live_0123456789abcdef')).name).toBe('later');
});
