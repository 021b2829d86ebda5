/** For the tests: a service of any manners, Touchstone before it, and clients that are sockets. */
import { type AddressInfo, connect, createServer as createTcp, type Server, type Socket } from 'node:net';
import { setTimeout as passing } from 'node:timers/promises';
import { catalogue, clientCatalogue } from '../cli/catalogue.ts';
import type { Run, RunRecord } from '../model/run.ts';
import type { Injection } from './injecting.ts';
import { type BetweenOptions, judgeBetween } from './judge.ts';
import { type Service, serviceAt } from './service.ts';

export interface Standing {
  readonly url: string;
  readonly port: number;
  readonly records: readonly RunRecord[];
  /** Resolves when it ends by itself, too. */
  readonly ended: Promise<Run>;
  end(): Promise<Run>;
}

export async function standBefore(
  service: string,
  more: Partial<BetweenOptions> & { readonly injections?: readonly Injection[] } = {},
): Promise<Standing> {
  const controller = new AbortController();
  const records: RunRecord[] = [];
  let listening = (_: string): void => {};
  const at = new Promise<string>((resolve) => {
    listening = resolve;
  });
  const run = judgeBetween({
    catalogue,
    ofClients: clientCatalogue,
    service: serviceAt(service) as Service,
    host: '127.0.0.1',
    port: 0,
    seed: 7,
    strict: false,
    sameRuns: false,
    injections: [],
    most: 1000,
    signal: controller.signal,
    write: (record) => records.push(record),
    listening,
    ...more,
  });
  // A later question gets it then.
  run.catch(() => {});
  const url = await Promise.race([at, run.then(() => '')]);
  return {
    url,
    port: Number(new URL(url).port),
    records,
    ended: run,
    end: () => {
      controller.abort();
      return run;
    },
  };
}

/** A service of bytes: what it was sent, and what it makes of it. */
export interface Bytes {
  readonly url: string;
  readonly connections: readonly { readonly socket: Socket; got: string; closed: boolean }[];
  close(): Promise<void>;
}

export async function serviceOfBytes(answer: (got: string, socket: Socket, nth: number) => void): Promise<Bytes> {
  const connections: { socket: Socket; got: string; closed: boolean }[] = [];
  const server: Server = createTcp({ allowHalfOpen: true }, (socket) => {
    const own = { socket, got: '', closed: false };
    const nth = connections.push(own);
    socket.on('data', (part) => {
      own.got += part.toString('latin1');
      answer(own.got, socket, nth);
    });
    socket.on('error', () => {});
    for (const name of ['end', 'close'] as const)
      socket.on(name, () => {
        own.closed = true;
      });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    connections,
    close: () =>
      new Promise((resolve) => {
        for (const { socket } of connections) socket.destroy();
        server.close(() => resolve());
      }),
  };
}

/** A client of bytes. */
export interface Caller {
  readonly socket: Socket;
  got(): string;
  /** Whether the other side has said that it sends no more, or broke off. */
  ended(): boolean;
  send(text: string): void;
}

export async function callerOf(port: number): Promise<Caller> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  let got = '';
  let ended = false;
  socket.on('data', (part) => {
    got += part.toString('latin1');
  });
  socket.on('error', () => {});
  for (const name of ['end', 'close'] as const)
    socket.on(name, () => {
      ended = true;
    });
  await new Promise<void>((resolve) => socket.once('connect', resolve));
  return { socket, got: () => got, ended: () => ended, send: (text) => void socket.write(text, 'latin1') };
}

/** Until it is so; a test that waits in vain fails by what it looks at next. */
export async function until(what: () => boolean): Promise<void> {
  for (let tries = 0; tries < 500 && !what(); tries += 1) await passing(20);
}
