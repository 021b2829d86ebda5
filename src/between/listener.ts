/** The listener before one service: what may pass is relayed, what may not is refused with a sentence, and all of it is noted. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { give } from '../client/answering.ts';
import { badRequestOf, headOf } from '../client/heads.ts';
import type { Clock } from '../clock.ts';
import { isRun } from '../model/client.ts';
import type { Exchange, RecordedResponse } from '../model/exchange.ts';
import { Copy } from './copy.ts';
import { noTunnel, type Refusal, refusalOf } from './heads.ts';
import type { Injected } from './injecting.ts';
import { Line } from './line.ts';
import type { Notes } from './notes.ts';
import { type Ending, ownAnswer, type Passing, relay } from './relay.ts';
import type { Service } from './service.ts';

export interface ListenerOptions {
  readonly service: Service;
  readonly host: string;
  readonly port: number;
  readonly clock: Clock;
  readonly notes: Notes;
  /** Touchstone itself failed: usually the record. */
  readonly failed: (error: unknown) => void;
  /** What the next run meets, if anything. */
  readonly inject: () => Injected | undefined;
}

export interface Listener {
  readonly host: string;
  readonly port: number;
  /** Whether the service has answered anything. */
  reached(): boolean;
  /** Why it was not reached, the last time. */
  unreached(): string | undefined;
  /** The clock's time of the last thing that happened. */
  lastAt(): number;
  open(): number;
  /** Takes no more calls; those under way have so long to end. */
  close(graceMs: number): Promise<void>;
}

export async function listenBetween(options: ListenerOptions): Promise<Listener> {
  const { service, clock, notes, inject } = options;
  const lines = new Map<Socket, Line>();
  const own: string[] = [service.host];
  let ids = 0;
  let connections = 0;
  let open = 0;
  let reached = false;
  let unreached: string | undefined;
  let last = clock.now();

  const lineOf = (socket: Socket): Line => {
    const known = lines.get(socket);
    if (known !== undefined) return known;
    connections += 1;
    const line = new Line(socket, connections, service.secure);
    lines.set(socket, line);
    socket.once('close', () => lines.delete(socket));
    return line;
  };

  const around = () => ({
    clock,
    service,
    room: notes.room,
    answered: () => {
      reached = true;
    },
  });

  /** What becomes of one call: the service's answer, ours, or none. */
  async function pass(passing: Passing, injected: Injected | undefined): Promise<Ending> {
    const { message, response, line } = passing;
    const refusal = refusalOf(message.rawHeaders, message.url ?? '', own);
    if (refusal !== undefined) return refuse(passing, refusal);
    if (injected === undefined) return relay(passing, around());
    const { answer, name, passes } = injected;
    if (answer.breaks === 'before-request') {
      line.reset();
      return {
        end: clock.now(),
        failure: { kind: 'reset-before-head', says: 'Touchstone broke the connection before the request was passed' },
        injected: name,
      };
    }
    if (passes) {
      if (answer.afterMs !== undefined && !(await waited(passing, answer.afterMs))) {
        line.client.destroy();
        return gone(name);
      }
      return { ...(await relay({ ...passing, breaks: answer.breaks === 'after-request' }, around())), injected: name };
    }
    if (passing.expects) response.writeContinue();
    if (!(await readAll(passing))) return gone(name);
    const end = clock.now();
    const given = give(response, message, answer, { keep: response.shouldKeepAlive, acceptsCoding: '' });
    return {
      end,
      injected: name,
      ...(given.response === undefined ? {} : { ours: given.response }),
      ...(given.failure === undefined ? {} : { failure: given.failure }),
    };
  }

  const refuse = (passing: Passing, { status, error, detail }: Refusal): Ending =>
    ownAnswer(passing, status, error, detail, clock);

  const gone = (injected: string): Ending => ({
    end: clock.now(),
    failure: { kind: 'interrupted', says: 'the client closed the connection before it was answered' },
    injected,
  });

  /** False: the client went away meanwhile. */
  const waited = ({ message, response }: Passing, ms: number): Promise<boolean> =>
    new Promise((resolve) => {
      const cancel = clock.later(ms, () => resolve(true));
      const leave = (): void => {
        cancel();
        resolve(false);
      };
      response.once('close', leave);
      message.socket.once('end', leave);
    });

  async function serve(message: IncomingMessage, response: ServerResponse, expects: boolean): Promise<void> {
    const sent = clock.now();
    const line = lineOf(message.socket);
    line.uses += 1;
    line.open += 1;
    open += 1;
    ids += 1;
    const use = line.uses;
    const id = ids;
    const target = message.url ?? '';
    const method = message.method ?? '';
    const asks = method !== 'HEAD' && method !== 'OPTIONS' && isRun({ request: { target } } as Exchange);
    const body = new Copy(Math.min(notes.room, 64 * 1024));
    const ending = await pass({ message, response, line, body, expects, breaks: false }, asks ? inject() : undefined);
    last = clock.now();
    line.open -= 1;
    open -= 1;
    if (ending.injected?.startsWith('no connection')) unreached = ending.injected;
    notes.note({
      id,
      head: headOf(message),
      rawHeaders: message.rawHeaders,
      method,
      target,
      body,
      connection: { number: line.number, use },
      sent,
      ...ending,
    });
  }

  const server = createServer({ keepAlive: true, requireHostHeader: false });
  server.maxHeadersCount = 0;
  server.keepAliveTimeout = 0;
  server.requestTimeout = 0;
  // A client that has said that it sends no more still waits for its answer.
  Object.assign(server, { httpAllowHalfOpen: true });
  const taken = (expects: boolean) => (message: IncomingMessage, response: ServerResponse) => {
    response.on('error', () => {});
    serve(message, response, expects).catch((error: unknown) => {
      options.failed(error);
      response.destroy();
    });
  };
  server.on('request', taken(false));
  server.on('checkContinue', taken(true));
  server.on('checkExpectation', taken(false));
  server.on('connection', (socket: Socket) => {
    socket.on('error', () => {});
    last = clock.now();
  });

  /** For cases in which Node has no response object to write to: a malformed head, a tunnel. */
  const refuseRaw = (socket: Socket, raw: string, { status, error, detail }: Refusal): void => {
    const line = lineOf(socket);
    const at = clock.now();
    last = at;
    ids += 1;
    const body = JSON.stringify({ error, detail });
    const headers = [
      ['Content-Type', 'application/json'],
      ['Content-Length', String(body.length)],
      ['Connection', 'close'],
    ] as const;
    const head = `HTTP/1.1 ${status} ${error}\r\n${headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`;
    const response: RecordedResponse = { status, head, headers, body: { text: body, bytes: body.length } };
    try {
      const connection = { number: line.number, use: line.uses + 1 };
      notes.unreadable({ id: ids, at: { sent: at, end: at }, connection }, badRequestOf(raw), response);
    } catch (error) {
      options.failed(error);
    }
    if (socket.writable) socket.end(head + body);
    else socket.destroy();
  };
  server.on('connect', (message: IncomingMessage, socket: Socket) => refuseRaw(socket, headOf(message), noTunnel));
  server.on('clientError', (error: Error & { code?: string; rawPacket?: Buffer }, socket: Socket) => {
    const raw = error.rawPacket?.subarray(0, 16_384).toString('latin1') ?? '';
    // A client that disconnects gets no answer; an answer that has started is not written to.
    if ((lines.get(socket)?.open ?? 0) > 0) return void socket.destroy();
    if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') refuseRaw(socket, raw, tooSlow);
    else if (raw === '' || !/^[A-Za-z]+ /.test(raw)) socket.destroy();
    else refuseRaw(socket, raw, error.code === 'HPE_HEADER_OVERFLOW' ? tooLarge : notHttp);
  });

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port: options.port, host: options.host }, resolve);
  });
  const { port } = server.address() as AddressInfo;
  own.push(`${options.host}:${port}`, `127.0.0.1:${port}`, `localhost:${port}`, `[::1]:${port}`);
  return {
    host: options.host,
    port,
    reached: () => reached,
    unreached: () => unreached,
    lastAt: () => last,
    open: () => open,
    async close(graceMs) {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeIdleConnections();
      const until = clock.now() + graceMs;
      while (open > 0 && clock.now() < until) await clock.sleep(20);
      for (const socket of lines.keys()) socket.destroy();
      server.closeAllConnections();
      await closed;
    },
  };
}

const notHttp: Refusal = { status: 400, error: 'bad_request', detail: 'This is not HTTP.' };
const tooLarge: Refusal = { status: 431, error: 'head_too_large', detail: 'The head of the request is too large.' };
const tooSlow: Refusal = { status: 408, error: 'request_timeout', detail: 'The head of the request took too long.' };

/** False: the client went away in the middle. */
const readAll = ({ message, body }: Passing): Promise<boolean> =>
  new Promise((resolve) => {
    message.on('data', (part: Buffer) => body.take(part));
    message.on('end', () => resolve(true));
    message.on('error', () => resolve(false));
    message.on('close', () => resolve(message.complete));
  });
