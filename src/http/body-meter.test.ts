import { expect, it } from 'vitest';
import { BodyMeter } from './body-meter.ts';

const head = (lines: string): string => `HTTP/1.1 200 OK\r\n${lines}\r\n\r\n`;

/** In one piece, and byte by byte. */
function surplusOf(lines: string, body: string, method = 'GET', status = '200'): number {
  const said = head(lines).replace('200', status);
  const whole = new BodyMeter(said, method);
  whole.take(Buffer.from(body));
  const pieces = new BodyMeter(said, method);
  for (const byte of Buffer.from(body)) pieces.take(Uint8Array.of(byte));
  expect(pieces.surplus).toBe(whole.surplus);
  return whole.surplus;
}

it.each([
  ['Content-Length: 5', 'hello', 0],
  ['Content-Length: 5', 'hello\r\n', 0],
  ['content-length:5', 'hello you', 4],
  ['Content-Length: 0', '{}', 2],
  ['Content-Length: 5\r\nContent-Length: 5', 'hello!', 1],
  ['Transfer-Encoding: chunked', '5\r\nhello\r\n0\r\n\r\n', 0],
  ['Transfer-Encoding: chunked', '5;a=b\r\nhello\r\n0\r\nx: y\r\n\r\nHTTP', 4],
  ['Transfer-Encoding: gzip, chunked\r\nContent-Length: 3', 'A\r\n0123456789\r\n0\r\n\r\n', 0],
  ['Connection: close', 'whatever comes', 0],
  ['Content-Length: nonsense', 'whatever comes', 0],
])('of %j and %j it counts what is behind', (lines, body, surplus) => {
  expect(surplusOf(lines, body)).toBe(surplus);
});

it('knows which answers have no body', () => {
  expect(surplusOf('Content-Length: 5', 'hello', 'HEAD')).toBe(5);
  expect(surplusOf('', 'hello', 'GET', '204')).toBe(5);
  expect(surplusOf('Content-Length: 5', '', 'GET', '304')).toBe(0);
});
