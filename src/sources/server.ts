/** Serves the planted sources over plain sockets, because most of what a broken source does no HTTP server would do. */
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { blanks, createRegistry, type Registry, type SourceAnswer } from './registry.ts';
import { readRequest, type SourceRequest } from './request-reader.ts';
import type { Sources } from './sources.ts';
import { afterAWhile, bitByBit, blankByBlank, headOf } from './writing.ts';

export interface SourceServerOptions {
  readonly listen: string;
  /** 0: any. */
  readonly port: number;
  /** Host, or host and port, that the service reaches this server at; if omitted: where it listens. */
  readonly advertise?: string;
  readonly body: string;
  readonly contentType: string;
  readonly random: () => number;
  /** False: nothing will be planted, so nobody listens. */
  readonly listening?: boolean;
}

/** Rejects with the socket's error when it can't listen. Keeps no process alive. */
export async function startSources(options: SourceServerOptions): Promise<Sources & { readonly port: number }> {
  if (options.listening === false) return silentSources(options);
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    serve(socket, registry);
  });
  server.unref();
  const port = await listen(server, options.listen, options.port);
  const refusedPort = await unusedPort(options.listen);
  const { host, port: advertised } = placeOf(options.advertise, options.listen, port);
  const registry = createRegistry({
    random: options.random,
    base: () => `http://${host}:${advertised}`,
    refusedBase: () => `http://${host}:${refusedPort}`,
    body: options.body,
    contentType: options.contentType,
  });
  return {
    port,
    plant: registry.plant,
    turn: registry.turn,
    reached: registry.reached,
    heard: registry.heard,
    strangers: registry.strangers,
    async close() {
      if (!server.listening) return;
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

/** What is planted in spite of it (by a template in a schema that the service shows) leads nowhere. */
function silentSources({ random, body, contentType }: SourceServerOptions): Sources & { readonly port: number } {
  const base = (): string => 'http://127.0.0.1:1';
  const { plant, turn, reached, heard, strangers } = createRegistry({
    random,
    base,
    refusedBase: base,
    body,
    contentType,
  });
  return { port: 0, plant, turn, reached, heard, strangers, close: async () => {} };
}

async function listen(server: Server, host: string, port: number): Promise<number> {
  server.listen(port, host);
  await once(server, 'listening');
  // A later error (of accept) concerns one connection, and that one shows it by itself.
  server.on('error', () => {});
  return (server.address() as AddressInfo).port;
}

/**
 * A port at which nobody listens: one that was ours a moment ago. Another process may take it while the run lasts; kernels hand out
 * ports in such an order that it is unlikely, and then a "refused" source answers something that is no source. Behind an address
 * translation the port must be let through like any other, or connecting to it hangs instead of being refused.
 */
async function unusedPort(host: string): Promise<number> {
  const server = createServer();
  const port = await listen(server, host, 0);
  server.close();
  await once(server, 'close');
  return port;
}

/** The host and port of the addresses that are handed out. */
export function placeOf(
  advertise: string | undefined,
  listens: string,
  port: number,
): { readonly host: string; readonly port: number } {
  const everywhere = listens === '' || listens === '0.0.0.0' || listens === '::';
  const given = advertise ?? (everywhere ? '127.0.0.1' : listens);
  const withPort = /^(\[[^\]]*\]|[^:]*):(\d+)$/.exec(given);
  const host = withPort?.[1] ?? given;
  return {
    host: host.includes(':') && !host.startsWith('[') ? `[${host}]` : host,
    port: withPort?.[2] === undefined ? port : Number(withPort[2]),
  };
}

function serve(socket: Socket, registry: Registry): void {
  let text = '';
  /** What to do about the request whose line is here already, so that it is counted once. */
  let visited: SourceAnswer | undefined;
  let over = false;
  socket.unref();
  socket.setNoDelay(true);
  socket.on('error', () => {});
  socket.on('data', (chunk: Buffer) => {
    if (over) return;
    text += chunk.toString('latin1');
    while (!over) {
      const read = readRequest(text);
      if (read.kind === 'nonsense') {
        over = true;
        socket.end('HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\nConnection: close\r\n\r\n');
        return;
      }
      if (read.kind === 'more') {
        if (read.line !== undefined) visited ??= registry.visit(read.line.target);
        return;
      }
      registry.hear(read.request.target, text.slice(0, text.length - read.rest.length));
      text = read.rest;
      const answer = visited ?? registry.visit(read.request.target);
      visited = undefined;
      over = !act(socket, answer, read.request);
    }
  });
}

/** Returns whether the connection goes on. */
function act(socket: Socket, answer: SourceAnswer, request: SourceRequest): boolean {
  const headOnly = request.method === 'HEAD';
  switch (answer.kind) {
    case 'page': {
      const body = Buffer.from(answer.body, 'utf8');
      if (answer.bitByBit !== undefined && !headOnly) {
        bitByBit(socket, answer, body, request);
        return false;
      }
      if (answer.afterMs !== undefined && !headOnly) {
        const late = Buffer.concat([headOf(answer.status, answer.contentType, body.length, false), body]);
        afterAWhile(socket, answer.afterMs, late);
        return false;
      }
      const head = headOf(answer.status, answer.contentType, body.length, request.keepsAlive, answer.retryAfter);
      const bytes = headOnly ? head : Buffer.concat([head, body]);
      if (request.keepsAlive) socket.write(bytes);
      else socket.end(bytes);
      return request.keepsAlive;
    }
    case 'cut-off': {
      const body = Buffer.from(answer.body, 'utf8');
      const head = headOf(200, answer.contentType, Math.max(body.length, 2), false);
      // HEAD has no body to cut, so its answer would be complete.
      const half = (bytes: Buffer): Buffer => bytes.subarray(0, Math.floor(bytes.length / 2));
      const begun = headOnly ? half(head) : Buffer.concat([head, half(body)]);
      if (answer.staysOpen) socket.write(begun);
      else socket.end(begun);
      return false;
    }
    case 'silence':
      return false;
    case 'blanks':
      socket.write(headOf(200, answer.contentType, blanks, false));
      if (headOnly) socket.end();
      else blankByBlank(socket);
      return false;
    case 'reset':
      socket.resetAndDestroy();
      return false;
    case 'garbage':
      socket.end(Buffer.from(answer.bytes, 'latin1'));
      return false;
  }
}
