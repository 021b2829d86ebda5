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
