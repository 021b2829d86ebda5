/** Targets that somebody deployed by mistake: each gets one clear message, the right exit code, and no verdict invented. */
import { createServer, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { afterAll, describe, expect, test } from 'vitest';
import { listening, selfSigned } from '../http/testing.ts';
import { patience, place } from './testing.ts';

const { touchstone } = place();
const closers: (() => void)[] = [];
afterAll(() => {
  for (const close of closers) close();
});

async function raw(onData: (socket: Socket) => void): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('data', () => onData(socket));
  });
  closers.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return `http://127.0.0.1:${await listening(server)}`;
}

const env = { TOUCHSTONE_API_KEY: 'vk_live_0123456789abcdefghij' };
const check = (address: string) => touchstone(['check', address, '--depth', 'quick', '--timeout', '1s'], { env });

describe('a target that is no such service', () => {
  test('speaks something that is no HTTP: exit code 4', patience, async () => {
    const { code, out, err } = await check(await raw((socket) => socket.write('220 mail.example ESMTP\r\n')));
    expect(code).toBe(4);
    expect(out + err).toMatch(/not reach|no HTTP|not HTTP/i);
    expect(out + err).not.toMatch(/\bat .+:\d+:\d+/);
  });

  test(
    'has a certificate that nobody vouches for: exit code 4, and the line that would trust it',
    patience,
    async ({ skip }) => {
      const pair = selfSigned();
      if (pair === undefined) return skip('the openssl program is missing, which makes the certificate');
      const server = createTlsServer(pair, (socket) => {
        socket.on('error', () => {});
        socket.on('data', () => socket.end('HTTP/1.1 404 Not Found\r\nContent-Length: 2\r\n\r\n{}'));
      });
      server.on('tlsClientError', () => {});
      closers.push(() => server.close());
      const { code, out, err } = await check(`https://127.0.0.1:${await listening(server)}`);
      expect(code).toBe(4);
      expect(out + err).toMatch(/certificate/i);
    },
  );

  test('redirects elsewhere: not followed, but shown', patience, async () => {
    let elsewhere = 0;
    const other = await raw(() => {
      elsewhere += 1;
    });
    const address = await raw((socket) =>
      socket.write(`HTTP/1.1 307 Temporary Redirect\r\nLocation: ${other}/v1\r\nContent-Length: 0\r\n\r\n`),
    );
    const { code, out } = await check(address);
    expect(code).toBe(1);
    expect(out).toContain('307');
    expect(out).toContain('DOES NOT CONFORM');
    expect(elsewhere).toBe(0);
  });

  test(
    'answers HTML to everything: it does not conform, and the page does no harm to the terminal',
    patience,
    async () => {
      const page = '<html>\u001b]0;owned\u0007\u001b[2J<script>alert(1)</script></html>';
      const { code, out } = await check(
        await raw((socket) =>
          socket.write(
            `HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: ${Buffer.byteLength(page)}\r\n\r\n${page}`,
          ),
        ),
      );
      expect(code).toBe(1);
      expect(out).toContain('verify.valid-key');
      // biome-ignore lint/suspicious/noControlCharactersInRegex: that none is there is the point
      expect(out).not.toMatch(/\u001b|\u0007/);
    },
  );

  test('answers 429 to everything: nothing is judged, and nothing is green', patience, async () => {
    const { code, out } = await check(
      await raw((socket) =>
        socket.write('HTTP/1.1 429 Too Many Requests\r\nRetry-After: 86400\r\nContent-Length: 2\r\n\r\n{}'),
      ),
    );
    expect(code).not.toBe(0);
    expect(out).not.toContain('CONFORMS, as far');
  });
});
