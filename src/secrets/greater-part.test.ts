import { expect, it } from 'vitest';
import { Secret } from '../model/secret.ts';
import { holdsMostOf } from './greater-part.ts';

const secret = new Secret('created-1', 'vk_live_0123456789abcdefghijklmn');

it.each([
  ['the whole', 'a vk_live_0123456789abcdefghijklmn b', true],
  ['all but its end', 'key: 0123456789abcdefghij', true],
  ['all but its beginning', '…456789abcdefghijklmn', true],
  ['a preview', 'vk_live_01234567…klmn', false],
  ['nothing of it', 'vk_live_', false],
])('%s', (_, text, holds) => {
  expect(holdsMostOf(secret, text)).toBe(holds);
});

it('of a short key, an end is a word like any other', () => {
  expect(holdsMostOf(new Secret('short', 'vk_test_harbour'), 'the harbour and the harb')).toBe(false);
});
