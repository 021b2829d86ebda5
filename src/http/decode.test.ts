import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { codingOf, decodeBody } from './decode.ts';

const plain = Buffer.from('{"items":[1,2,3]}'.repeat(50));

describe('decodeBody', () => {
  it.each([
    ['gzip', gzipSync(plain)],
    ['x-gzip', gzipSync(plain)],
    [' GZIP ', gzipSync(plain)],
    ['deflate', deflateSync(plain)],
    ['deflate', deflateRawSync(plain)],
    ['br', brotliCompressSync(plain)],
    ['zstd', zstdCompressSync(plain)],
    ['gzip, br', brotliCompressSync(gzipSync(plain))],
    ['deflate,identity,gzip', gzipSync(deflateSync(plain))],
    ['br, br, gzip', gzipSync(brotliCompressSync(brotliCompressSync(plain)))],
  ])('undoes %s', (header, bytes) => {
    const decoded = decodeBody(bytes, header, 1_000_000);
    expect(Buffer.from(decoded.bytes).equals(plain)).toBe(true);
    expect(decoded).toMatchObject({ truncated: false });
    expect(decoded.failed).toBeUndefined();
    expect(decoded.coding).toBe(
      header
        .split(',')
        .map((each) => each.trim().toLowerCase())
        .filter((each) => each !== 'identity')
        .join(', '),
    );
  });

  it.each([undefined, '', 'identity', ' , '])('leaves %j alone', (header) => {
    expect(decodeBody(plain, header, 1_000_000)).toEqual({ bytes: plain, truncated: false });
    expect(decodeBody(plain, header, 5)).toEqual({ bytes: plain.subarray(0, 5), truncated: true });
  });

  it('has nothing to undo where nothing came', () => {
    expect(decodeBody(new Uint8Array(0), 'gzip', 10)).toEqual({ bytes: new Uint8Array(0), truncated: false });
  });

  it.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
  ])('stops a bomb at the limit (%s)', (header, compress) => {
    const bomb = compress(Buffer.alloc(50_000_000));
    const decoded = decodeBody(bomb, header, 100_000);
    expect(decoded.truncated).toBe(true);
    expect(decoded.failed).toBeUndefined();
    expect(decoded.bytes.byteLength).toBeLessThanOrEqual(100_000);
  });

  it('gives the beginning of what is too large', () => {
    const large = Buffer.from(Array.from({ length: 100_000 }, (_, index) => (index * 7919) % 251));
    const decoded = decodeBody(gzipSync(large, { level: 1 }), 'gzip', 60_000);
    expect(decoded.truncated).toBe(true);
    expect(decoded.bytes.byteLength).toBeGreaterThan(0);
    expect(large.subarray(0, decoded.bytes.byteLength).equals(decoded.bytes)).toBe(true);
  });

  it.each(['gzip', 'deflate', 'br'])('says that garbage is not %s, and keeps it', (header) => {
    const garbage = Buffer.from('ÿÿÿ this is no compressed data at all');
    const decoded = decodeBody(garbage, header, 1000);
    expect(decoded.failed).toContain(header);
    expect(decoded.bytes).toEqual(garbage);
    expect(decoded.coding).toBeUndefined();
  });

  it('distinguishes a body that ends too early from one that Touchstone cut', () => {
    const half = gzipSync(plain).subarray(0, 30);
    expect(decodeBody(half, 'gzip', 1000).failed).toContain('unexpected end');
    const cut = decodeBody(half, 'gzip', 1000, true);
    expect(cut).toMatchObject({ coding: 'gzip', truncated: true });
    expect(cut.failed).toBeUndefined();
  });

  it('knows neither other codings nor more than three', () => {
    expect(decodeBody(plain, 'compress', 1000).failed).toContain('"compress"');
    expect(decodeBody(plain, 'br, br, br, br', 1000).failed).toContain('3');
  });
});

it('reads several fields as one list', () => {
  expect(
    codingOf([
      ['Content-Encoding', 'gzip'],
      ['a', 'b'],
      ['content-encoding', 'br'],
    ]),
  ).toBe('gzip, br');
  expect(codingOf([['a', 'gzip']])).toBeUndefined();
});

it('says of a coding that others read that nobody is to blame', () => {
  expect(decodeBody(plain, 'compress', 1000)).toMatchObject({ unread: true });
  expect(decodeBody(plain, 'nonsense', 1000)).not.toHaveProperty('unread');
});
