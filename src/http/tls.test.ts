import type { Server, Socket } from 'node:net';
import { createServer } from 'node:tls';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { answer, type Bench, bench, get, limits, listening, type Pair, selfSigned, text } from './testing.ts';

let pair: Pair | undefined;
let b: Bench;
let open: { server: Server; sockets: Socket[] } | undefined;

beforeAll(() => {
  pair = selfSigned();
});
beforeEach((context) => {
  b = bench();
  if (pair === undefined) context.skip('the openssl program is missing, which makes the certificate');
});
afterEach(async () => {
  await b.end();
  for (const socket of open?.sockets ?? []) socket.destroy();
  open?.server.close();
  open = undefined;
});

async function secure(reply: (socket: Socket) => void, protocols: string[] = ['h2', 'http/1.1']) {
  const seen: { alpn: (string | false | null)[]; heard: string } = { alpn: [], heard: '' };
  const sockets: Socket[] = [];
  const server = createServer({ ...pair, ALPNProtocols: protocols }, (socket) => {
    seen.alpn.push(socket.alpnProtocol);
    socket.on('error', () => {});
    socket.on('data', (chunk) => {
      seen.heard += chunk.toString('latin1');
      reply(socket);
    });
  });
  server.on('connection', (socket) => sockets.push(socket));
  server.on('tlsClientError', () => {});
  open = { server, sockets };
  return { origin: `https://127.0.0.1:${await listening(server)}`, seen };
}

describe('TLS', () => {
  it('does not believe in a certificate that nobody vouches for', async () => {
    const { origin } = await secure((socket) => socket.write(answer()));
    const outcome = await b.transport.send(get(), { origin, line: 'a' }, limits());
    expect(outcome.failure).toMatchObject({ kind: 'tls' });
    expect(outcome.failure?.says).toContain('SELF_SIGNED');
    expect(outcome.response).toBeUndefined();
  });

  it('believes in one that the profile vouches for, under the name that the profile says', async () => {
    const { origin, seen } = await secure((socket) => socket.write(answer()));
    const transport = b.another({ tls: { ca: pair!.cert, insecure: false, servername: 'touchstone.test' } });
    for (const use of [1, 2, 3]) {
      const outcome = await transport.send(get(`/${use}`), { origin, line: 'a' }, limits());
      expect(outcome.failure).toBeUndefined();
      expect(outcome.connection).toMatchObject({ number: 1, use });
      expect(text(outcome.response?.body)).toBe('hi');
      expect(outcome.response?.head).toBe('HTTP/1.1 200 OK\r\nContent-Length: 2');
      expect(seen.heard.endsWith(`${outcome.requestHead}\r\n\r\n`)).toBe(true);
    }
    expect(seen.alpn).toEqual(['http/1.1']);
  });

  it('does not believe in one for another name', async () => {
    const { origin } = await secure((socket) => socket.write(answer()));
    const transport = b.another({ tls: { ca: pair!.cert, insecure: false } });
    const outcome = await transport.send(get(), { origin }, limits());
    expect(outcome.failure).toMatchObject({ kind: 'tls' });
    expect(outcome.failure?.says).toContain('ALTNAME');
  });

  it('believes in anything where that is wished', async () => {
    const { origin } = await secure((socket) => socket.write(answer()));
    const transport = b.another({ tls: { insecure: true } });
    for (let i = 0; i < 3; i += 1) {
      expect((await transport.send(get(), { origin }, limits())).response?.status).toBe(200);
    }
  });

  it('distinguishes a reset in the body from an end', async () => {
    const half = 'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc';
    const { origin } = await secure((socket) => {
      socket.write(half);
      setTimeout(() => open?.sockets.at(-1)?.resetAndDestroy(), 10);
    });
    const transport = b.another({ tls: { insecure: true } });
    const outcome = await transport.send(get(), { origin }, limits());
    expect(outcome.failure?.kind).toBe('reset-in-body');
    expect(text(outcome.response?.body)).toBe('abc');
  });

  it('is named when the other side speaks no TLS, or hangs up in the handshake', async () => {
    for (const ending of ['end', 'resetAndDestroy'] as const) {
      const plain = await b.server(
        () => {},
        (socket) => void setTimeout(() => socket[ending](), 5),
      );
      const outcome = await b.transport.send(get(), { origin: plain.origin.replace('http:', 'https:') }, limits());
      expect(outcome.failure?.kind).toBe('tls');
    }
    const plain = await b.server(
      () => {},
      (socket) => socket.write('HTTP/1.1 400 Bad Request\r\n\r\n'),
    );
    const outcome = await b.transport.send(get(), { origin: plain.origin.replace('http:', 'https:') }, limits());
    expect(outcome.failure?.kind).toBe('tls');
  });
});
