import { afterEach, beforeEach, expect, it } from 'vitest';
import { answer, type Bench, bench, get, limits, text } from './testing.ts';

let b: Bench;
beforeEach(() => {
  b = bench();
});
afterEach(() => b.end());

const sent = async (said: string, line?: string) => {
  const server = await b.server((socket) => socket.write(said));
  const route = line === undefined ? { origin: server.origin } : { origin: server.origin, line };
  return (await b.transport.send(get('/'), route, limits())).response;
};

it.each([undefined, 'kept'])('keeps the heads of informational answers, and the answer (%s)', async (line) => {
  const early = 'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </v1?key=a>\r\n\r\n';
  const response = await sent(early + answer('{}'), line);
  expect(response).toMatchObject({ status: 200, early: early.slice(0, -4) });
  expect(text(response?.body)).toBe('{}');
});

it.each([undefined, 'kept'])('counts what comes behind an answer (%s)', async (line) => {
  expect((await sent(answer('{}') + answer('{}'), line))?.surplus).toBe(answer('{}').replaceAll(/[\r\n]/g, '').length);
  expect(await sent(answer('{}'), line)).not.toHaveProperty('surplus');
  const chunked = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n';
  expect(await sent(chunked, line)).not.toHaveProperty('surplus');
  expect((await sent(`${chunked}late`, line))?.surplus).toBe(4);
});

it('takes the bytes that its head says where more come', async () => {
  const response = await sent('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{} and more');
  expect(text(response?.body)).toBe('{}');
  expect(response?.surplus).toBe(9);
});
