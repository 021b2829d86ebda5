import { deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { withoutPacked } from './packed.ts';

const redact = (text: string): string => text.replaceAll('secret', '«main»');
const kept = (bytes: Uint8Array, failed?: string) =>
  withoutPacked({ bytes, truncated: false, ...(failed === undefined ? {} : { failed }) }, redact, 1000).bytes;

it.each([
  ['gzip', gzipSync],
  ['zlib', deflateSync],
  ['zstd', zstdCompressSync],
])('keeps nothing of a body of %s that nobody announced, where a secret is in it', (_, pack) => {
  expect(kept(pack('a secret'))).toHaveLength(0);
  expect(kept(pack('nothing'))).toEqual(pack('nothing'));
});

it('keeps nothing of what is torn and cannot be read', () => {
  expect(kept(gzipSync('a secret').subarray(0, -6))).toHaveLength(0);
  expect(kept(gzipSync('x'.repeat(2000)))).toHaveLength(0);
  expect(kept(gzipSync('whatever').subarray(0, -6), 'it does not come undone')).toHaveLength(0);
});

it('keeps what can be read as it is', () => {
  expect(kept(Buffer.from('{"a":"secret"}'), 'it says gzip')).toEqual(Buffer.from('{"a":"secret"}'));
  expect(kept(Buffer.from([0xff, 0xfe]))).toEqual(Buffer.from([0xff, 0xfe]));
});
