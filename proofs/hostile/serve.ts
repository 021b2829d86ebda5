/** A hostile service on a raw socket: the lawful one for everything, but for what its behaviour meets. */
import { createServer, type Server, type Socket } from 'node:net';
import { createServer as createSecure } from 'node:tls';
import {
  createService,
  demoKeys,
  type ServiceRequest,
  type ServiceResponse,
  seedsOf,
} from '../../fixtures/service/index.ts';
import type { Behaviour, Meeting } from './behaviour.ts';
import { type Certificates, certificates } from './certificates.ts';

export interface Serving {
  readonly address: string;
  readonly port: number;
  /** PEM, of the one that is to be trusted. */
  readonly certificate?: string;
  /** Heads as they came, latin1. */
  readonly heads: readonly string[];
  /** How often somebody was met with hostility. */
  met(): number;
  /** How often somebody called where nobody may be led to. */
  trapped(): number;
  close(): Promise<void>;
}

/** A header that marks a hostile answer, to show whether a pass depends on it. */
export const mark = 'X-Met';
const firstLine = /^HTTP\/1\.1 [2-5]\d\d[^\r\n]*\r\n/;

export const keys = demoKeys('hostile');
export const adminToken = 'a-token-of-a-hostile-service';

export const trapHost = '127.0.0.77';

export async function serveHostile(behaviour: Behaviour, upstreamTimeoutMs = 10_000): Promise<Serving> {
  const service = createService({
    keys: seedsOf(keys),
    adminToken,
    keyLimits: false,
    addressLimit: false,
    upstreamTimeoutMs,
  });
  const heads: string[] = [];
  const open = new Set<Socket>();
  let turns = 0;
  let met = 0;
  let trapped = 0;
  let connections = 0;
  const trap = createServer((socket) => {
    trapped += 1;
    socket.destroy();
  });
  // Where nobody else listens: a port that was somebody's a moment ago is still called.
  const trapAt = `http://${trapHost}:${await listening(trap, trapHost)}/trap`;

  const meet = async (socket: Socket, request: ServiceRequest): Promise<void> => {
    turns += 1;
    const turn = turns;
    const lawful = await service.handle(request);
    if (socket.destroyed) return;
    const meeting = meetingOn(
      socket,
      request,
      lawful,
      turn,
      trapAt,
      behaviour.must === 'hurt' || behaviour.must === 'slight',
    );
    if (!behaviour.at(request, lawful)) {
      if (!socket.destroyed) socket.write(wire(lawful));
      return;
    }
    met += 1;
    behaviour.does(meeting);
  };

  const welcome = (socket: Socket): void => {
    connections += 1;
    const id = connections;
    open.add(socket);
    socket.setNoDelay(true);
    socket.on('error', () => {});
    socket.on('close', () => open.delete(socket));
    if (behaviour.greets?.(socket)) {
      met += 1;
      return;
    }
    readRequests(socket, id, (head, request) => {
      heads.push(head);
      return meet(socket, request);
    });
  };
  const server =
    behaviour.tls === undefined || behaviour.tls === 'none'
      ? createServer({ allowHalfOpen: true }, welcome)
      : // The last version that knows how to negotiate again.
        createSecure({ ...pairFor(behaviour.tls), maxVersion: 'TLSv1.2' }, welcome);
  const port = await listening(server);
  return {
    address: `${behaviour.tls === undefined ? 'http' : 'https'}://127.0.0.1:${port}`,
    port,
    ...(behaviour.tls === 'trusted' ? { certificate: pairFor('trusted').cert } : {}),
    heads,
    met: () => met,
    trapped: () => trapped,
    close: async () => {
      for (const socket of open) socket.destroy();
      await Promise.all([closed(server), closed(trap)]);
      service.close();
    },
  };
}

let made: Certificates | undefined;
function pairFor(which: keyof Certificates): { key: string; cert: string } {
  made ??= certificates();
  return made[which];
}

function listening(server: Server, host = '127.0.0.1'): Promise<number> {
  return new Promise((resolve) => {
    server.listen(0, host, () => resolve((server.address() as { port: number }).port));
  });
}

const closed = (server: Server): Promise<void> => new Promise((resolve) => server.close(() => resolve()));

function meetingOn(
  socket: Socket,
  request: ServiceRequest,
  lawful: ServiceResponse,
  turn: number,
  trap: string,
  marked: boolean,
): Meeting {
  const write = (bytes: string | Uint8Array): void => {
    if (!socket.writable) return;
    if (typeof bytes !== 'string') socket.write(bytes);
    else socket.write(Buffer.from(marked ? bytes.replace(firstLine, `$&${mark}: yes\r\n`) : bytes, 'latin1'));
  };
  return {
    socket,
    request,
    turn,
    lawful,
    trap,
    write,
    end: (bytes) => {
      write(bytes);
      socket.end();
    },
    every: (ms, call) => {
      const timer = setInterval(call, ms);
      socket.on('close', () => clearInterval(timer));
    },
    answer: (response) =>
      write(wire(marked ? { ...response, headers: [...response.headers, [mark, 'yes']] } : response)),
    lawfully: () => write(wire(lawful)),
  };
}

/** An answer, byte for byte. */
export function wire({ status, headers, body }: ServiceResponse): Uint8Array {
  const bytes = Buffer.from(body);
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  const framed = status === 204 || headers.some(([name]) => name.toLowerCase() === 'content-length');
  const length = framed ? '' : `Content-Length: ${bytes.length}\r\n`;
  return Buffer.concat([Buffer.from(`HTTP/1.1 ${status} Status\r\n${lines}${length}\r\n`, 'latin1'), bytes]);
}

/** One request after the other, each answered before the next is looked at. Bodies have a length, as the harness sends them. */
function readRequests(
  socket: Socket,
  id: number,
  come: (head: string, request: ServiceRequest) => Promise<void>,
): void {
  let held = Buffer.alloc(0);
  let nth = 0;
  let busy = false;
  const next = async (): Promise<void> => {
    if (busy) return;
    const end = held.indexOf('\r\n\r\n');
    if (end < 0) return;
    const head = held.toString('latin1', 0, end);
    const [first = '', ...lines] = head.split('\r\n');
    const [method = '', target = ''] = first.split(' ');
    const headers = lines.map((line): [string, string] => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon), line.slice(colon + 1).trim()];
    });
    const length = Number(headers.find(([name]) => name.toLowerCase() === 'content-length')?.[1] ?? 0);
    if (held.length < end + 4 + length) return;
    const body = held.subarray(end + 4, end + 4 + length);
    held = held.subarray(end + 4 + length);
    busy = true;
    nth += 1;
    await come(head, { method, target, headers, body, remoteAddress: '127.0.0.1', connection: { id, nth } });
    if (headers.some(([name, value]) => name.toLowerCase() === 'connection' && value === 'close') && !socket.destroyed)
      socket.once('end', () => socket.end());
    busy = false;
    void next();
  };
  socket.on('data', (chunk) => {
    held = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
    void next();
  });
  socket.on('end', () => setTimeout(() => socket.destroy(), 20));
}
