/** For tests only: servers without HTTP that send prescribed bytes, so that every byte can be checked. */
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../clock.ts';
import type { Limits, Transport, WireRequest } from './transport.ts';
import { createTransport, type TransportOptions } from './undici-transport.ts';

export interface RawServer {
  readonly origin: string;
  readonly port: number;
  /** What each connection sent, latin1, in the order of connections. */
  readonly heard: string[];
  readonly sockets: Socket[];
}

/** Called for each request head that is complete (bodies are not waited for), with all that came so far on the connection. */
export type Answerer = (socket: Socket, turn: number, heard: string) => void;

export interface Bench {
  readonly transport: Transport;
  server(answer: Answerer, onConnection?: (socket: Socket) => void): Promise<RawServer>;
  another(options: Partial<TransportOptions>): Transport;
  end(): Promise<void>;
}

/** Opens what a test needs and closes all of it. */
export function bench(): Bench {
  const servers: { server: Server; sockets: Socket[] }[] = [];
  const transports: Transport[] = [];
  const another = (options: Partial<TransportOptions>): Transport => {
    const transport = createTransport({ clock: systemClock, ...options });
    transports.push(transport);
    return transport;
  };
  return {
    transport: another({}),
    another,
    async server(answer, onConnection) {
      const heard: string[] = [];
      const sockets: Socket[] = [];
      let turn = 0;
      const server = createServer((socket) => {
        const at = heard.push('') - 1;
        let answered = 0;
        sockets.push(socket);
        socket.on('error', () => {});
        onConnection?.(socket);
        socket.on('data', (chunk) => {
          heard[at] += chunk.toString('latin1');
          const heads = heard[at]!.split('\r\n\r\n').length - 1;
          for (; answered < heads; answered += 1) answer(socket, turn++, heard[at]!);
        });
      });
      servers.push({ server, sockets });
      const port = await listening(server);
      return { origin: `http://127.0.0.1:${port}`, port, heard, sockets };
    },
    async end() {
      await Promise.all(transports.map((each) => each.close()));
      for (const { server, sockets } of servers) {
        for (const socket of sockets) socket.destroy();
        server.close();
      }
    },
  };
}

export async function listening(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

/** A port of which it is known that nobody listens there (until somebody takes it). */
export async function closedPort(): Promise<number> {
  const server = createServer();
  const port = await listening(server);
  server.close();
  await once(server, 'close');
  return port;
}

export const get = (target = '/', headers: WireRequest['headers'] = []): WireRequest => ({
  method: 'GET',
  target,
  headers,
});

export const limits = (part: Partial<Limits> = {}): Limits => ({ timeoutMs: 3000, maxBodyBytes: 1_000_000, ...part });

export const answer = (body = 'hi', ...lines: string[]): string =>
  ['HTTP/1.1 200 OK', ...lines, `Content-Length: ${body.length}`, '', body].join('\r\n');

export const text = (bytes: Uint8Array | undefined): string => Buffer.from(bytes ?? []).toString('latin1');

export const moment = (ms: number): Promise<void> => systemClock.sleep(ms);

export interface Pair {
  readonly key: string;
  readonly cert: string;
}

/** Self-signed, for the name `touchstone.test`, made by the openssl program; undefined if it is missing. */
export function selfSigned(): Pair | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'touchstone-tls-'));
  try {
    const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
    const subject = ['-subj', '/CN=touchstone.test', '-addext', 'subjectAltName=DNS:touchstone.test'];
    const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
    execFileSync('openssl', ['req', '-x509', ...curve, '-keyout', key, '-out', cert, ...subject], { stdio: 'ignore' });
    return { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') };
  } catch {
    return undefined;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
