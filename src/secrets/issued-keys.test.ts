import { expect, it } from 'vitest';
import { Secret } from '../model/secret.ts';
import { reveal } from './issued-keys.ts';
import { Keyring } from './keyring.ts';

const at = { key: '/key', id: '/id', name: 'issued-1' };
const bytes = (text: string): Buffer => Buffer.from(text, 'utf8');

it('takes a key and an identifier that no text can hold for what would be sent of them', () => {
  const found = reveal(at, bytes(String.raw`{"key":"vk_live_0123456789\ud800","id":"\udc00"}`), new Keyring());
  expect(encodeURIComponent(Secret.reveal(found.key!))).toBe('vk_live_0123456789%EF%BF%BD');
  expect(encodeURIComponent(Secret.reveal(found.id!))).toBe('%EF%BF%BD');
});
