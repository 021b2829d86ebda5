import { expect, it } from 'vitest';
import { headersOf, lean } from './headers.ts';

const head = `HTTP/1.1 200 OK\r\n${Array.from({ length: 400 }, (_, at) => `Set-Cookie: c${at}=${'c'.repeat(20)}`).join('\r\n')}`;

it('keeps no lines of a long head beside it, and shows them all the same', () => {
  const message = { status: 200, head, headers: headersOf(head), body: {} };
  const leaner = lean(message);
  expect(Object.getOwnPropertyDescriptor(leaner, 'headers')?.get).toBeDefined();
  expect(leaner).toEqual(message);
  expect({ ...leaner }).toEqual(message);
  expect(JSON.stringify(leaner)).toBe(JSON.stringify(message));
});

it('leaves a short head as it is, and lines that are not those of their head', () => {
  const short = { head: 'HTTP/1.1 200 OK\r\nA: b', headers: [['A', 'b']] as const };
  expect(lean(short)).toBe(short);
  const other = { head, headers: [['A', 'b']] as const };
  expect(lean(other)).toBe(other);
});

it('keeps a long first line once, and shows each head as it was', () => {
  const first = `HTTP/1.1 200 ${'O'.repeat(60_000)}`;
  const heads = [`${first}\r\nA: b`, `${first}\r\nA: c`, first, `${first}P\r\nA: b`, `${first}\r\nA: b`];
  const leaner = heads.map((text) => lean({ head: text, headers: headersOf(text) }));
  // Built each time from what is kept once: a member of its own would be the whole head.
  for (const each of leaner) expect(Object.getOwnPropertyDescriptor(each, 'head')?.get).toBeDefined();
  expect(leaner.map((message) => message.head)).toEqual(heads);
  expect(leaner.map(({ headers }) => headers)).toEqual([[['A', 'b']], [['A', 'c']], [], [['A', 'b']], [['A', 'b']]]);
  expect(JSON.stringify(leaner[1])).toBe(JSON.stringify({ head: heads[1], headers: [['A', 'c']] }));
});

it.each([
  ['in the middle', `HTTP/1.1 200 OK\r\nA: 1\r\n${'X-Flood: once more\r\n'.repeat(3000)}Content-Length: 2\r\n\r\n`],
  ['at the end', `HTTP/1.1 200 OK${'\r\nX-Flood: once more'.repeat(3000)}`],
  ['alone', 'X-Flood: once more\r\n'.repeat(3000)],
  ['beside another flood', `HTTP/1.1 200 OK\r\n${'A: b\r\n'.repeat(3000)}${'X-Flood: once more\r\n'.repeat(3000)}\r\n`],
  ['nowhere', `HTTP/1.1 200 OK\r\n${Array.from({ length: 3000 }, (_, at) => `X-${at}: b`).join('\r\n')}\r\n\r\n`],
])('shows a head as it came, where one line is there again and again: %s', (_, text) => {
  const leaner = lean({ head: text, headers: headersOf(text) });
  expect(leaner.head).toBe(text);
  expect(leaner.headers).toEqual(headersOf(text));
});
