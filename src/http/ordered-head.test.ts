import { expect, test } from 'vitest';
import { mannered, ordered } from './ordered-head.ts';

const head = (lines: readonly string[], end = '\r\n\r\n'): string => `POST /x HTTP/1.1\r\n${lines.join('\r\n')}${end}`;
const written = ['host: a:1', 'connection: close', 'X-API-Key: k', 'Accept: */*', 'x-more: 1', 'content-length: 2'];

test('lines stand in the order and case of the client, and no other line is lost', () => {
  const order = ['Accept', 'Content-Length', 'X-Api-Key', '*', 'Host', 'Connection'];
  const due = ['Accept: */*', 'Content-Length: 2', 'X-API-Key: k', 'x-more: 1', 'Host: a:1', 'Connection: keep-alive'];
  expect(ordered(head(written), order)).toBe(head(due));
});

test('a client that does not speak of its connection does not, and what a rule spells its own way stays so', () => {
  const own = written.map((line) => line.replace('X-API-Key', 'x-API-key'));
  expect(ordered(head(own), ['Host', 'X-Api-Key', '*'])).toBe(
    head(['Host: a:1', 'x-API-key: k', 'Accept: */*', 'x-more: 1', 'content-length: 2']),
  );
});

test('a line that is said in full stands where the head has none of that name', () => {
  expect(ordered(head(['host: a:1']), ['Content-Length: 0', 'Host'])).toBe(head(['Content-Length: 0', 'Host: a:1']));
  expect(ordered(head(written), ['Content-Length: 0', 'Host', '*'])).toBe(
    head(['Content-Length: 2', 'Host: a:1', 'X-API-Key: k', 'Accept: */*', 'x-more: 1']),
  );
});

test('a head that goes on with chunks is not ended', () => {
  const chunked = ['host: a:1', 'connection: keep-alive', 'transfer-encoding: chunked'];
  expect(ordered(head(chunked, '\r\n'), ['Host', '*'])).toBe(head(['Host: a:1', 'transfer-encoding: chunked'], '\r\n'));
});

test('an old client says its version, whatever the order of its lines', () => {
  expect(mannered(head(written), { headers: [], version: '1.0' })).toBe(head(written).replace('HTTP/1.1', 'HTTP/1.0'));
  const all = mannered(head(written), { headers: [], version: '1.0', order: ['Host', '*'] });
  expect(all).toMatch(/^POST \/x HTTP\/1\.0\r\nHost: a:1\r\n/);
  expect(mannered(head(written), { headers: [] })).toBe(head(written));
});

test('what undici refuses to write is written all the same, with or without a body behind it', () => {
  const headers = [['Upgrade', 'h2c'] as const];
  expect(mannered(head(written), { headers })).toBe(head([...written, 'Upgrade: h2c']));
  expect(mannered(head(written, '\r\n'), { headers })).toBe(head([...written, 'Upgrade: h2c'], '\r\n'));
});

test('a connection that is to be closed is said to be, once, in the place that the line has', () => {
  const headers = [['Connection', 'close'] as const];
  const kept = written.map((line) => line.replace('close', 'keep-alive'));
  expect(mannered(head(kept), { headers })).toBe(head(written));
  expect(mannered(head(kept), { headers, order: ['Connection', '*'] })).toMatch(
    /^POST \/x HTTP\/1\.1\r\nConnection: close\r\n/,
  );
  const silent = ['Host: a:1', 'Accept: */*'];
  for (const end of ['\r\n\r\n', '\r\n'])
    expect(mannered(head(['host: a:1', 'Accept: */*'], end), { headers, order: ['Host', '*'] })).toBe(
      head([...silent, 'Connection: close'], end),
    );
});

test('a host of another name stands in the place of the own one', () => {
  const other = written.map((line) => (line.startsWith('host') ? 'host: b$&' : line));
  expect(mannered(head(written), { headers: [], host: 'b$&' })).toBe(head(other));
});
