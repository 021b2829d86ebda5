/** Carries requests to services in this process, as a socket would: same heads, same connections, same ways to break. */
import { Buffer } from 'node:buffer';
import { validateHeaderValue } from 'node:http';
import type { ServiceRequest, ServiceResponse } from '../../fixtures/service/exchange.ts';
import type { Service } from '../../fixtures/service/index.ts';
import { connectionSaid, mannered } from '../../src/http/ordered-head.ts';
import type { Limits, Route, Transport, WireOutcome, WireRequest } from '../../src/http/transport.ts';
import { headersOf, trimBlanks } from '../../src/model/headers.ts';
import type { VirtualClock } from './virtual-clock.ts';

interface Connection {
  readonly id: number;
  uses: number;
  busy: boolean;
}

export class MemoryTransport implements Transport {
  readonly #services: ReadonlyMap<string, Service>;
  readonly #clock: VirtualClock;
  readonly #lines = new Map<string, Connection[]>();
  /** The way there, and the way back. If omitted: none. */
  readonly #latencyMs: (() => number) | undefined;
  #last = 0;

  constructor(
    services: ReadonlyMap<string, Service>,
    clock: VirtualClock,
    latencyMs: (() => number) | undefined = undefined,
  ) {
    this.#services = services;
    this.#clock = clock;
    this.#latencyMs = latencyMs;
  }

  async send(request: WireRequest, route: Route, limits: Limits): Promise<WireOutcome> {
    const sent = this.#clock.now();
    const connection = this.#connect(route);
    connection.uses += 1;
    connection.busy = true;
    const host = route.origin.slice(route.origin.indexOf('//') + 2);
    const said = connectionSaid(request.headers);
    const headers: [string, string][] = [
      // As the other transport does: what a request names stands instead.
      ...(request.headers.some(([name]) => name.toLowerCase() === 'host') ? [] : [['host', host] as [string, string]]),
      ...(said === undefined ? [['connection', 'keep-alive'] as [string, string]] : []),
      ...request.headers.map(([name, value]): [string, string] => [name, trimBlanks(value)]),
    ];
    if (request.body !== undefined)
      headers.push(
        request.chunkBytes === undefined
          ? ['content-length', String(request.body.length)]
          : ['transfer-encoding', 'chunked'],
      );
    const written = `${request.method} ${request.target} HTTP/1.1\r\n${headers.map(([n, v]) => `${n}: ${v}\r\n`).join('')}\r\n`;
    const requestHead = mannered(written, {
      ...request,
      headers: said === undefined ? [] : [['connection', said]],
    });
    const isAsWritten = request.order === undefined && request.host === undefined;
    const came = isAsWritten ? headers : headersOf(requestHead.slice(0, -4));
    const remoteAddress = route.localAddress ?? '127.0.0.1';
    const about = { number: connection.id, use: connection.uses, localAddress: remoteAddress };
    const service = this.#services.get(route.origin);
    const finish = (more: Partial<WireOutcome>): WireOutcome => {
      connection.busy = false;
      return { requestHead, at: { sent, end: this.#clock.now() }, connection: about, ...more };
    };
    if (service === undefined) return finish({ failure: { kind: 'refused', says: 'nobody listens there' } });
    if (this.#latencyMs !== undefined) await this.#clock.sleep(this.#latencyMs());
    const caller: NonNullable<ServiceRequest['caller']> = {};
    const answer = await this.#within(limits.timeoutMs, () =>
      attempt(() =>
        service.handle({
          method: request.method,
          target: request.target,
          ...(request.version === undefined ? {} : { version: request.version }),
          headers: came.map(([name, value]): [string, string] => [name, value]),
          body: request.body ?? new Uint8Array(),
          remoteAddress,
          connection: { id: connection.id, nth: connection.uses },
          caller,
        }),
      ),
    );
    if (this.#latencyMs !== undefined) await this.#clock.sleep(this.#latencyMs());
    if (answer === undefined) {
      caller.left = true;
      this.#drop(route, connection);
      return finish({ failure: { kind: 'too-slow', says: 'no answer came in time' } });
    }
    if (answer.abort === 'before-head') {
      this.#drop(route, connection);
      return finish({ failure: { kind: 'closed-before-head', says: 'the connection was closed before an answer' } });
    }
    if (answer.close || said === 'close') this.#drop(route, connection);
    const body = request.method === 'HEAD' ? new Uint8Array() : bytesOf(answer);
    return finish({
      response: {
        status: answer.status,
        head: headOf(answer, body.length),
        headers: answer.headers,
        body: answer.abort === undefined ? body : body.subarray(0, body.length >> 1),
        truncated: false,
        ...(answer.early === undefined
          ? {}
          : { early: `HTTP/1.1 103 \r\n${answer.early.map(([name, value]) => `${name}: ${value}\r\n`).join('')}` }),
        ...(answer.surplus === undefined ? {} : { surplus: answer.surplus.length }),
      },
      ...(answer.abort === undefined
        ? {}
        : { failure: { kind: 'closed-in-body' as const, says: 'the connection was closed in the body' } }),
    });
  }

  release(line: string): void {
    for (const name of this.#lines.keys()) if (name.startsWith(`${line} `)) this.#lines.delete(name);
  }

  async close(): Promise<void> {
    this.#lines.clear();
  }

  #connect(route: Route): Connection {
    const fresh = (): Connection => {
      this.#last += 1;
      return { id: this.#last, uses: 0, busy: false };
    };
    if (route.line === undefined) return fresh();
    const name = nameOf(route);
    let all = this.#lines.get(name);
    if (all === undefined) {
      all = [];
      this.#lines.set(name, all);
    }
    let connection = all.find((each) => !each.busy);
    if (connection === undefined) {
      connection = fresh();
      all.push(connection);
    }
    return connection;
  }

  #drop(route: Route, connection: Connection): void {
    const all = this.#lines.get(nameOf(route));
    const at = all?.indexOf(connection) ?? -1;
    if (at >= 0) all!.splice(at, 1);
  }

  /** Most answers are there at once; a timer is set only for those that are not. */
  async #within(
    ms: number,
    work: () => ServiceResponse | Promise<ServiceResponse>,
  ): Promise<ServiceResponse | undefined> {
    const answer = work();
    if (!(answer instanceof Promise)) return answer;
    let cancel = (): void => {};
    const late = new Promise<undefined>((resolve) => {
      cancel = this.#clock.later(ms, () => resolve(undefined));
    });
    try {
      return await Promise.race([answer, late]);
    } finally {
      cancel();
    }
  }
}

const nameOf = ({ line, origin, localAddress }: Route): string => `${line} ${origin} ${localAddress ?? ''}`;

/** What a service throws past its own handler ends the connection, as it does in a real server. */
function attempt(work: () => ServiceResponse | Promise<ServiceResponse>): ServiceResponse | Promise<ServiceResponse> {
  const broken: ServiceResponse = { status: 500, headers: [], body: '', abort: 'before-head' };
  try {
    const answer = work();
    return answer instanceof Promise ? answer.catch(() => broken) : answer;
  } catch {
    return broken;
  }
}

const bytesOf = (answer: ServiceResponse): Uint8Array =>
  typeof answer.body === 'string' ? Buffer.from(answer.body) : answer.body;

/** A character is a byte, as on the wire. What no socket could send is a mistake of whoever wrote the variant: it is loud here too. */
function headOf(answer: ServiceResponse, length: number): string {
  const framing = answer.chunked ? 'transfer-encoding: chunked' : `content-length: ${length}`;
  for (const [name, value] of answer.headers) validateHeaderValue(name, value);
  const lines = [...answer.headers.map(([name, value]) => `${name}: ${value}`), framing];
  return `HTTP/1.1 ${answer.status} \r\n${lines.join('\r\n')}\r\n\r\n`;
}
