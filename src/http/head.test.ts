import { describe, expect, it } from 'vitest';
import { headersOf } from '../model/headers.ts';
import { headLimit, intendedHead, withoutEmptyLine } from './head.ts';
import { HeadReader, informationalLimit } from './head-reader.ts';

describe('heads', () => {
  it('have lines', () => {
    expect(headersOf('HTTP/1.1 200 OK')).toEqual([]);
    expect(headersOf('HTTP/1.1 200 OK\r\nA:b\r\na: \t c d \t\r\nE:\r\nT: 10:30\r\nN: \xa0x\xa0')).toEqual([
      ['A', 'b'],
      ['a', 'c d'],
      ['E', ''],
      ['T', '10:30'],
      ['N', '\xa0x\xa0'],
    ]);
    expect(withoutEmptyLine('a\r\n\r\n')).toBe('a');
    expect(withoutEmptyLine('a\r\n')).toBe('a\r\n');
  });

  it('are foretold without a connection', () => {
    const request = { method: 'PUT', target: '/a', headers: [['X-A', '']] as const, body: Buffer.from('abc') };
    expect(intendedHead(request, 'http://[::1]:8080', true)).toBe(
      'PUT /a HTTP/1.1\r\nhost: [::1]:8080\r\nconnection: keep-alive\r\nX-A: \r\ncontent-length: 3',
    );
  });
});

/** The output and the notes, for bytes that arrive in pieces of a given size. */
function read(bytes: string, size: number) {
  const reader = new HeadReader();
  const noticed: string[] = [];
  const passed: string[] = [];
  let through = '';
  reader.begin({
    onStatusLine: () => noticed.push('line'),
    onHead: (head) => noticed.push(head),
    onTooLarge: (says) => noticed.push(says),
    onInformational: (head) => passed.push(head),
    onBody: () => {},
  });
  const all = Buffer.from(bytes, 'latin1');
  for (let at = 0; at < all.length; at += size) {
    through += reader.take(all.subarray(at, at + size))?.toString('latin1') ?? '';
  }
  const unfinished = reader.unfinished;
  through += reader.flush()?.toString('latin1') ?? '';
  return { noticed, through, unfinished, passed };
}

describe('HeadReader', () => {
  const hint = 'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n';
  const final = 'HTTP/1.0 200 OK\r\nA: b\r\n\r\n';
  const body = 'HTTP/1.1 100 Continue\r\n\r\nthis is the body\r\n\r\n';

  it.each([1, 2, 3, 7, 11, 12, 13, 40, 10_000])('takes informational answers away, in pieces of %i bytes', (size) => {
    for (const before of ['', hint, hint + hint + hint, `\r\n${hint}\r\n`]) {
      const { noticed, through } = read(before + final + body, size);
      expect(through).toBe(final + body);
      expect(noticed).toEqual(['line', final]);
    }
  });

  it.each(['x', 'SSH-2.0\r\n', 'HTTX/1.1 200', '\x00\x01', 'HTTP/2 200 OK'])(
    'lets %j pass as soon as it can',
    (bytes) => {
      expect(read(bytes, 1).through).toBe(bytes);
    },
  );

  it('gives back at the end what it held', () => {
    expect(read('HTTP/1.1 10', 4)).toMatchObject({ through: 'HTTP/1.1 10', unfinished: 11 });
    expect(read(`${hint}HTTP/1.1 2`, 4)).toMatchObject({ through: 'HTTP/1.1 2', unfinished: 10 });
  });

  it('leaves 101 to be judged', () => {
    const upgrade = 'HTTP/1.1 101 Switching Protocols\r\n\r\n';
    expect(read(upgrade, 5)).toMatchObject({ through: upgrade, noticed: ['line', upgrade] });
  });

  it.each([1000, 1_000_000])('has bounds, in pieces of %i bytes', (size) => {
    expect(read(`HTTP/1.1 200 ${'a'.repeat(headLimit)}`, size).noticed.join()).toContain('larger');
    expect(read(`HTTP/1.1 200 OK\r\nA: ${'a'.repeat(headLimit)}\r\n\r\n`, size).noticed.join()).toContain('larger');
    expect(read(`HTTP/1.1 103 ${'a'.repeat(headLimit)}`, size).noticed.join()).toContain('larger');
    const endless = read(hint.repeat(informationalLimit / hint.length + 2), size);
    expect(endless.noticed).toEqual(['informational answers did not end']);
  });

  it('looks at nothing before a request and after a head', () => {
    const reader = new HeadReader();
    const chunk = Buffer.from('HTTP/1.1 103 x\r\n\r\n');
    expect(reader.take(chunk)).toBe(chunk);
  });
});
