/** A service for one trial: it answers by a script, and writes down all that arrives. One listener a trial keeps trials apart. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { Clock } from '../clock.ts';
import { type Answer, isRun } from '../model/client.ts';
import type { Body, Exchange, Failure, RecordedRequest, RecordedResponse } from '../model/exchange.ts';
import { give } from './answering.ts';
import { closed, unlessGone } from './gone.ts';
import { badRequestOf, headOf, pairs } from './heads.ts';
import { lawful } from './lawful.ts';

export interface Script {
  /** The base address has this before `/v1`. */
  readonly basePath: string;
  readonly answers: readonly Answer[];
  readonly refuses: boolean;
  readonly actor: string;
  readonly keepsConnections: boolean;
  /** Every answer waits for it. */
  readonly held?: Promise<unknown>;
  /** How many answers come before those of the situation. */
  readonly before?: number;
  readonly tls?: { readonly key: string; readonly cert: string };
}

export interface Around {
  readonly clock: Clock;
  /** Milliseconds of the clock at which the run began. */
  readonly began: number;
  newId(): number;
  /** From latin1 to latin1, without secrets. */
  redact(text: string): string;
  written(exchange: Exchange): void;
  /** Something arrived. */
  seen(exchange: { readonly isRun: boolean }): void;
}

export interface Counterpart {
  readonly port: number;
  readonly exchanges: number[];
  broken(): number;
  /** The clock's time of the last thing that happened, if anything has. */
  lastAt(): number | undefined;
  runs(): number;
  /** Calls that are being answered. */
  open(): number;
  /** Connections that nobody has closed. */
  connected(): number;
  close(): Promise<void>;
}

const mostKept = 64 * 1024;
const mostRead = 32 * 2 ** 20;

export async function startCounterpart(script: Script, around: Around, host = '127.0.0.1'): Promise<Counterpart> {
  const exchanges: number[] = [];
  const connections = new Map<Socket, { readonly number: number; uses: number }>();
  const { clock, began } = around;
  let broken = 0;
  let runs = 0;
  let given = 0;
  let open = 0;
  let last: number | undefined;
  const now = (): number => clock.now() - began;
  const touch = (): void => {
    last = clock.now();
  };
  const write = (exchange: Exchange): void => {
    exchanges.push(exchange.id);
    around.written(exchange);
  };
  const lineOf = (socket: Socket) => {
    const known = connections.get(socket) ?? { number: connections.size + 1, uses: 0 };
    connections.set(socket, known);
    return known;
  };

  /** What this call gets. Each call that asks for a run takes the next of the script, the last for ever. */
  const answerFor = (request: RecordedRequest): Answer => {
    if (isRun({ request } as Exchange)) {
      if (request.method === 'HEAD' || request.method === 'OPTIONS') return lawful(request, script);
      const answer = script.answers[Math.min(given, script.answers.length - 1)]!;
      given += 1;
      return answer;
    }
    return script.refuses ? script.answers[script.before ?? 0]! : lawful(request, script);
  };

  const serve = async (message: IncomingMessage, response: ServerResponse): Promise<void> => {
    const sent = now();
    touch();
    const id = around.newId();
    const line = lineOf(message.socket);
    line.uses += 1;
    open += 1;
    const connection = { number: line.number, use: line.uses };
    const head = headOf(message);
    let request: RecordedRequest = {
      method: message.method ?? '',
      target: clean(message.url ?? '', around),
      head: clean(head, around),
      headers: pairs(message.rawHeaders).map(([name, value]) => [clean(name, around), clean(value, around)]),
    };
    const asksForRun = isRun({ request } as Exchange);
    if (asksForRun) runs += 1;
    around.seen({ isRun: asksForRun });
    const answer = answerFor(request);
    const finish = (outcome: { response?: RecordedResponse; failure?: Failure }, end: number): void => {
      open -= 1;
      touch();
      write({ id, purpose: 'ask', instance: 'main', request, ...outcome, at: { sent, end }, connection });
    };
    const bytes = await readAll(message);
    if (bytes === undefined) {
      finish(
        { failure: { kind: 'closed-in-body', says: 'the client closed the connection in the middle of its request' } },
        now(),
      );
      return;
    }
    if (bytes.length > 0) request = { ...request, body: bodyOf(bytes, around) };
    const gone = closed(response);
    if (script.held !== undefined) await Promise.race([script.held, gone.promise]);
    if (answer.afterMs !== undefined) await unlessGone(clock, answer.afterMs, gone.promise);
    if (gone.is()) {
      finish(
        { failure: { kind: 'closed-before-head', says: 'the client closed the connection before it was answered' } },
        now(),
      );
      return;
    }
    // Before the first byte goes out: whatever keeps us from writing it makes a wait longer, never shorter.
    const end = now();
    const what = give(response, message, answer, {
      keep: script.keepsConnections,
      acceptsCoding: String(message.headers['accept-encoding'] ?? ''),
    });
    finish(what, end);
  };

  const server: Server =
    script.tls === undefined ? createServer({ keepAlive: true }) : createTlsServer({ ...script.tls });
  server.maxHeadersCount = 0;
  server.keepAliveTimeout = 0;
  server.requestTimeout = 0;
  server.headersTimeout = 0;
  server.on('request', (message, response) => {
    serve(message, response).catch(() => response.destroy());
  });
  server.on('connection', (socket: Socket) => {
    socket.on('error', () => {});
    touch();
    lineOf(socket);
    const next = script.answers[Math.min(given, script.answers.length - 1)];
    if (next?.breaks !== 'before-request' || given >= script.answers.length - 1) return;
    given += 1;
    broken += 1;
    socket.resetAndDestroy();
  });
  server.on('clientError', (error: Error & { rawPacket?: Buffer }, socket: Socket) => {
    const raw = error.rawPacket?.toString('latin1') ?? '';
    // A client that refuses our certificate, or goes away, has sent no request.
    if (raw === '' || !/^[A-Za-z]+ /.test(raw)) return void socket.destroy();
    touch();
    const line = lineOf(socket);
    const bad = badRequestOf(clean(raw, around));
    const at = now();
    const body = '{"error":"bad_request","detail":"this is not HTTP"}';
    const head = `HTTP/1.1 400 Bad Request\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n`;
    if (isRun({ request: bad } as Exchange)) runs += 1;
    write({
      id: around.newId(),
      purpose: 'ask',
      instance: 'main',
      request: bad,
      response: {
        status: 400,
        head,
        headers: [['Content-Type', 'application/json']],
        body: { text: body, bytes: body.length },
      },
      at: { sent: at, end: at },
      connection: { number: line.number, use: line.uses + 1 },
    });
    socket.end(head + body);
  });
  server.on('tlsClientError', () => {});
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port: 0, host }, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    exchanges,
    broken: () => broken,
    lastAt: () => last,
    runs: () => runs,
    open: () => open,
    connected: () => [...connections.keys()].filter((socket) => !socket.destroyed && !socket.readableEnded).length,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
        for (const socket of connections.keys()) socket.destroy();
      }),
  };
}

/** What is no secret, as the text that its bytes are. */
const clean = (latin1: string, { redact }: Pick<Around, 'redact'>): string =>
  Buffer.from(redact(latin1), 'latin1').toString('utf8');

function bodyOf(bytes: Buffer, around: Around): Body {
  const kept = bytes.subarray(0, mostKept);
  const text = clean(kept.toString('latin1'), around);
  return { text, bytes: bytes.length, ...(kept.length < bytes.length ? { truncated: true as const } : {}) };
}

/** Undefined: the client went away in the middle. */
function readAll(message: IncomingMessage): Promise<Buffer | undefined> {
  return new Promise((resolve) => {
    const parts: Buffer[] = [];
    let length = 0;
    message.on('data', (part: Buffer) => {
      length += part.length;
      if (length <= mostRead) parts.push(part);
    });
    message.on('end', () => resolve(Buffer.concat(parts)));
    message.on('error', () => resolve(undefined));
    message.on('close', () => resolve(message.complete ? Buffer.concat(parts) : undefined));
  });
}
