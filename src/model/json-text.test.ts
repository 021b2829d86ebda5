import { describe, expect, test } from 'vitest';
import { decimalOf, ExactNumber, readJson, withDoubles } from './json-text.ts';

describe('numbers keep their digits', () => {
  test.each([
    '9007199254740993',
    '18446744073709551615',
    '0.1000000000000000055511151231257827021181583404541015625123',
    '1e400',
    '-1e-400',
    '1e999999999999',
  ])('%s', (text) => {
    const value = readJson(`{"n":[${text}]}`);
    expect(JSON.stringify(value)).toBe(`{"n":[${text}]}`);
  });
  test.each([
    '0',
    '1',
    '-3',
    '1.5',
    '1e3',
    '1.0',
    '100000000000000000000',
    '9007199254740992',
    '0.1',
    '1.7976931348623157e308',
  ])('%s is held by a double', (text) => expect(typeof readJson(text)).toBe('number'));
});

test('spellings of one number are one decimal', () => {
  expect(new Set(['1', '1.0', '1e0', '10e-1', '0.1E1', '1.000'].map(decimalOf)).size).toBe(1);
  expect(new Set(['0', '-0', '0.00', '0e7'].map(decimalOf)).size).toBe(1);
  expect(decimalOf('9007199254740993')).not.toBe(decimalOf('9007199254740992'));
  expect(decimalOf('-1')).not.toBe(decimalOf('1'));
  expect(decimalOf('1e999999999')).not.toBe(decimalOf('1e999999998'));
});

test('digits in texts are texts', () => {
  expect(readJson('{"a":"9007199254740993","b":"1e400"}')).toEqual({ a: '9007199254740993', b: '1e400' });
});

test('readers that know only doubles get doubles', () => {
  expect(withDoubles({ maximum: new ExactNumber('9223372036854775807'), items: [new ExactNumber('1e400')] })).toEqual({
    maximum: 2 ** 63,
    items: [Number.MAX_VALUE],
  });
});

test('a whole number is named by its digits, however it is spelt', () => {
  expect(String(new ExactNumber('9007199254740993.0'))).toBe('9007199254740993');
  expect(String(new ExactNumber('90071992547409930E-1'))).toBe('9007199254740993');
  expect(String(new ExactNumber('1e400'))).toBe(`1${'0'.repeat(400)}`);
  expect(String(new ExactNumber('1e999999999'))).toBe('1e999999999');
  expect(String(new ExactNumber('0.12345678901234567890'))).toBe('0.12345678901234567890');
});
