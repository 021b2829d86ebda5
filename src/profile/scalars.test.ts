import { expect, test } from 'vitest';
import { nearest } from './nearest.ts';
import { address, byteCount, duration, isPointer } from './scalars.ts';

test.each([
  ['250ms', 250],
  ['2s', 2000],
  ['1.5m', 90_000],
  ['1h', 3_600_000],
  [10, 10_000],
  ['10', 10_000],
  ['25h', undefined],
  ['1d', undefined],
  ['-1s', undefined],
  [-1, undefined],
  ['', undefined],
])('the duration %j is %j ms', (text, ms) => {
  expect(duration(text)).toBe(ms);
});

test.each([
  ['64kB', 64_000],
  ['8MB', 8_000_000],
  ['1MiB', 1_048_576],
  [12, 12],
  ['0', undefined],
  ['8 potatoes', undefined],
])('the size %j is %j bytes', (text, bytes) => {
  expect(byteCount(text)).toBe(bytes);
});

test.each([
  ['', true],
  ['/a/~0~1/0', true],
  ['a', false],
  ['/~2', false],
])('%j is a JSON Pointer: %j', (text, expected) => {
  expect(isPointer(text)).toBe(expected);
});

test.each([
  ['http://a', { origin: 'http://a', basePath: '' }],
  ['https://A:443/b//', { origin: 'https://a', basePath: '/b' }],
  ['http://[::1]:80/x', { origin: 'http://[::1]', basePath: '/x' }],
  ['http://', { wrong: 'is not an address' }],
  ['http://a/#', { wrong: 'must not have a fragment' }],
])('the address %j', (text, expected) => {
  expect(address(text)).toEqual(expected);
});

test.each([
  ['nmae', 'name'],
  ['schemaAt', 'schema_at'],
  ['tieer', 'tier'],
  ['wholly-else', undefined],
])('the nearest name to %j is %j', (word, expected) => {
  expect(nearest(word, ['name', 'schema_at', 'tier'])).toBe(expected);
});
