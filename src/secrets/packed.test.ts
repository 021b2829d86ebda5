import { deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { gzippedIn, withoutPacked } from './packed.ts';

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

describe('compressed bytes within a store', () => {
  const around = (...pieces: readonly (string | Uint8Array)[]): Uint8Array =>
    Buffer.concat(pieces.map((each) => (typeof each === 'string' ? Buffer.from(each) : each)));

  it('each is unpacked, also one that is torn', () => {
    const torn = gzipSync(`vk_live_${'torn '.repeat(400)}`).subarray(0, -12);
    const all = around('a page ', gzipSync('vk_live_first'), ' and ', gzipSync('vk_live_second'), ' and ', torn);
    const found = gzippedIn(all, 100_000);
    expect(found).toContain('vk_live_first');
    expect(found).toContain('vk_live_second');
    expect(found).toContain('vk_live_torn');
  });

  it('bytes that only begin so are passed over, and however many there are, it ends', () => {
    expect(
      gzippedIn(around(new Uint8Array([0x1f, 0x8b, 8, 0, 1, 1, 1, 1, 1, 1, 7, 7]), gzipSync('behind')), 100_000),
    ).toBe('behind');
    const many = around(
      ...Array.from({ length: 1000 }, () => new Uint8Array([0x1f, 0x8b, 8, 0, 1, 1, 1, 1, 1, 1, 7, 7])),
      gzipSync('late'),
    );
    expect(gzippedIn(many, 100_000)).toBe('');
  });

  it('what unpacks to more than there is room for is left', () => {
    expect(gzippedIn(gzipSync('x'.repeat(1_000_000)), 10_000)).toBe('');
  });
});
