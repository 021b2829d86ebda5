import { expect, test } from 'vitest';
import { decoded, NotUtf8 } from './utf8.ts';

const placeIn = (bytes: Buffer): unknown => {
  try {
    return decoded(bytes);
  } catch (error) {
    return error instanceof NotUtf8 ? [error.place.line, error.place.column, /0x../.exec(error.message)?.[0]] : error;
  }
};

test.each([
  ['a byte of Latin-1', Buffer.from('address: x\nname: caf\xe9 here\n', 'latin1'), [2, 10, '0xe9']],
  ['after characters of several bytes', Buffer.concat([Buffer.from('é€\n€ é '), Buffer.from([0xff])]), [2, 5, '0xff']],
  ['the very first', Buffer.from([0x80, 0x61]), [1, 1, '0x80']],
  ['a character that the end cuts off', Buffer.from('a\nb€').subarray(0, 5), [2, 2, '0xe2']],
  ['UTF-16', Buffer.from('\ufeffaddress', 'utf16le'), [1, 1, '0xff']],
])('bytes that are not UTF-8 are reported with their place: %s', (_, bytes, place) => {
  expect(placeIn(bytes)).toEqual(place);
});

test('what is UTF-8 is taken as it is', () => {
  expect(decoded(Buffer.from('\ufeffa: é€😀\n'))).toBe('\ufeffa: é€😀\n');
});
