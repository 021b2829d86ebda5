import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { FailureKind } from '../model/exchange.ts';
import { answer, type Bench, bench, closedPort, get, limits, moment, text } from './testing.ts';
import type { Limits, WireOutcome } from './transport.ts';

let b: Bench;
beforeEach(() => {
  b = bench();
});
afterEach(() => b.end());

const has = (outcome: WireOutcome, kind: FailureKind): void => {
  expect(outcome.failure?.kind).toBe(kind);
  expect(outcome.failure?.says).not.toBe('');
  expect(outcome.requestHead).toMatch(/^GET \/ HTTP\/1\.1\r\nhost: /);
  expect(outcome.at.end).toBeGreaterThanOrEqual(outcome.at.sent);
};

describe('before there is an answer', () => {
  it('refused', async () => {
    const outcome = await b.transport.send(get(), { origin: `http://127.0.0.1:${await closedPort()}` }, limits());
    has(outcome, 'refused');
    expect(outcome.at.connected).toBeUndefined();
    expect(outcome.connection).toEqual({ number: 1, use: 1 });
    has(
      await b.transport.send(get(), { origin: `http://localhost:${await closedPort()}`, line: 'a' }, limits()),
      'refused',
    );
  });

  it('not-sent, if this side failed', async () => {
    for (const route of [
      { origin: 'http://127.0.0.1:1', localAddress: '192.0.2.77' },
      { origin: 'http://127.0.0.1:1', localAddress: 'nonsense' },
      { origin: 'gopher://127.0.0.1' },
      { origin: 'no address' },
      { origin: 'http://127.0.0.1:1/path' },
    ]) {
      has(await b.transport.send(get(), route, limits()), 'not-sent');
    }
  });

  it.each<[FailureKind, string]>([
    ['not-http', '\x00\x01\x02 nonsense\r\n\r\n'],
    ['not-http', 'SSH-2.0-OpenSSH_9.6\r\n'],
    ['not-http', 'RTSP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n'],
    ['not-http', 'HTTP/1.1 200 OK\nContent-Length: 0\n\n'],
    ['not-http', 'HTTP/1.1 99 Low\r\n\r\n'],
    ['not-http', 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nhi'],
    ['not-http', 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'],
    ['not-http', 'HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n'],
    ['not-http', 'HTTP/1.1 101 Switching Protocols\r\n\r\n'],
    ['head-too-large', `HTTP/1.1 200 ${'o'.repeat(70_000)}`],
    ['head-too-large', `HTTP/1.1 200 OK\r\n${'A: b\r\n'.repeat(20_000)}`],
    ['head-too-large', `HTTP/1.1 200 OK\r\nA: ${'b'.repeat(66_000)}\r\n\r\n`],
    ['head-too-large', `HTTP/1.1 103 ${'o'.repeat(70_000)}`],
  ])('%s: %j', async (kind, bytes) => {
    const server = await b.server((socket) => socket.write(Buffer.from(bytes, 'latin1')));
    const outcome = await b.transport.send(get(), server, limits());
    has(outcome, kind);
    expect(outcome.response).toBeUndefined();
  });

  it.each(['', 'HTT', 'HTTP/1.1 10', 'HTTP/1.1 200 OK\r\nA', 'HTTP/1.1 103 E\r\n', 'HTTP/1.1 100 C\r\n\r\n'])(
    'closed or reset before the head is complete: %j',
    async (bytes) => {
      for (const [ending, kind] of [
        ['end', 'closed-before-head'],
        ['resetAndDestroy', 'reset-before-head'],
      ] as const) {
        const server = await b.server((socket) => {
          socket.write(bytes);
          setTimeout(() => socket[ending](), 5);
        });
        const outcome = await b.transport.send(get(), server, limits());
        has(outcome, kind);
        expect(outcome.response).toBeUndefined();
      }
    },
  );
});

describe('in the body', () => {
  const cases: Record<string, string> = {
    length: 'HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc',
    'length and close': 'HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 10\r\n\r\nabc',
    chunks: 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nabc',
    'chunks and close': 'HTTP/1.1 200 OK\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n',
  };
  for (const [name, bytes] of Object.entries(cases)) {
    it(`closed-in-body and reset-in-body, with what was received (${name})`, async () => {
      for (const [ending, kind] of [
        ['end', 'closed-in-body'],
        ['resetAndDestroy', 'reset-in-body'],
      ] as const) {
        for (const line of ['a', undefined]) {
          const server = await b.server((socket) => {
            socket.write(bytes);
            setTimeout(() => socket[ending](), 5);
          });
          const route = line === undefined ? server : { origin: server.origin, line };
          const outcome = await b.transport.send(get(), route, limits());
          has(outcome, kind);
          expect(outcome.response).toMatchObject({ status: 200, truncated: false });
          expect(text(outcome.response?.body)).toBe('abc');
          expect(outcome.at.head).toBeDefined();
        }
      }
    });
  }

  it('reset-in-body, where undici takes the reset for the end', async () => {
    const server = await b.server((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n\r\nabc');
      setTimeout(() => socket.resetAndDestroy(), 5);
    });
    const outcome = await b.transport.send(get(), server, limits());
    has(outcome, 'reset-in-body');
    expect(text(outcome.response?.body)).toBe('abc');
  });

  it('not-http, if a chunk is malformed', async () => {
    const server = await b.server((socket) =>
      socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\nzz\r\n'),
    );
    const outcome = await b.transport.send(get(), server, limits());
    has(outcome, 'not-http');
    expect(text(outcome.response?.body)).toBe('a');
  });
});

describe('time and interruption', () => {
  const stages: Record<string, string> = {
    'no answer': '',
    'half a head': 'HTTP/1.1 200 OK\r\nA:',
    'informational answers only': 'HTTP/1.1 103 E\r\n\r\n',
    'half a body': 'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc',
  };
  for (const [name, bytes] of Object.entries(stages)) {
    it(`is over at the deadline, and when it is interrupted: ${name}`, async () => {
      const server = await b.server((socket) => socket.write(bytes));
      for (const line of ['a', undefined]) {
        const route = line === undefined ? server : { origin: server.origin, line };
        const ask = async (kind: FailureKind, how: Partial<Limits>): Promise<void> => {
          const start = performance.now();
          const outcome = await b.transport.send(get(), route, limits(how));
          const took = performance.now() - start;
          has(outcome, kind);
          expect(took).toBeGreaterThan(55);
          // undici's own timers are late by half a second and more.
          expect(took).toBeLessThan(450);
          expect(text(outcome.response?.body)).toBe(name === 'half a body' ? 'abc' : '');
        };
        await ask('too-slow', { timeoutMs: 60 });
        const controller = new AbortController();
        setTimeout(() => controller.abort(), 60);
        await ask('interrupted', { signal: controller.signal });
      }
      await moment(10);
      expect(server.sockets.every((socket) => socket.destroyed)).toBe(true);
    });
  }

  it('is over at the deadline when the peer never reads', async () => {
    const server = await b.server(
      () => {},
      (socket) => socket.pause(),
    );
    const body = Buffer.alloc(30_000_000);
    const outcome = await b.transport.send({ ...get(), body }, server, limits({ timeoutMs: 80 }));
    has(outcome, 'too-slow');
    expect(outcome.at.end - outcome.at.sent).toBeLessThan(450);
  });

  it('is over at the deadline while connecting', async () => {
    // TLS against a server that says nothing: what is below stands, the connection does not.
    const server = await b.server(() => {});
    const origin = server.origin.replace('http:', 'https:');
    const outcome = await b.transport.send(get(), { origin, line: 'a' }, limits({ timeoutMs: 60 }));
    has(outcome, 'too-slow');
    expect(outcome.at.connected).toBeUndefined();
    await expect.poll(() => server.sockets.every((socket) => socket.destroyed)).toBe(true);
  });

  it('sends nothing when it was interrupted before', async () => {
    const server = await b.server((socket) => socket.write(answer()));
    const outcome = await b.transport.send(get(), server, limits({ signal: AbortSignal.abort() }));
    has(outcome, 'interrupted');
    expect(server.heard).toHaveLength(0);
  });

  it('leaves no listener on a signal that outlives it', async () => {
    const server = await b.server((socket) => socket.write(answer()));
    const { signal } = new AbortController();
    let listeners = 0;
    const add = signal.addEventListener.bind(signal);
    const remove = signal.removeEventListener.bind(signal);
    signal.addEventListener = (...args: Parameters<typeof add>) => [listeners++, add(...args)];
    signal.removeEventListener = (...args: Parameters<typeof remove>) => [listeners--, remove(...args)];
    for (let i = 0; i < 5; i += 1) await b.transport.send(get(), { ...server, line: 'a' }, limits({ signal }));
    expect(listeners).toBe(0);
  });
});
