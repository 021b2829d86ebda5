/**
 * The transport that runs use: one undici Client for each connection, and a small pool, because here a connection is
 * part of what is asked. The only file that knows undici.
 */
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { setImmediate as immediate } from 'node:timers/promises';
import { createSecureContext, getCACertificates, type SecureContext } from 'node:tls';
import { buildConnector, Client } from 'undici';
import type { Clock } from '../clock.ts';
import { interrupted } from './failures.ts';
import { type Ended, Flight, type Home, type Seat } from './flight.ts';
import { headLimit } from './head.ts';
import { connectionSaid, isOursToWrite } from './ordered-head.ts';
import type { Limits, Route, Transport, WireOutcome, WireRequest } from './transport.ts';
import { Wiretap } from './wiretap.ts';

export interface TransportOptions {
  readonly clock: Clock;
  /** `ca` is a PEM text, and is trusted in addition to what Node trusts. */
  readonly tls?: { readonly ca?: string; readonly insecure: boolean; readonly servername?: string };
  /** One connection at any time, and one exchange: some servers answer nobody else while a connection is open. */
  readonly single?: boolean;
}

const milliseconds = { idle: 300_000, longestHint: 600_000, beforeHint: 200 };

export function createTransport(options: TransportOptions): Transport {
  const { clock, single = false } = options;
  const connector = connectorFor(options.tls);
  const flights = new Set<Flight>();
  const seats = new Set<UndiciSeat>();
  const idle = new Map<string, UndiciSeat[]>();
  let opened = 0;
  let closed = false;
  let turn: Promise<unknown> = Promise.resolve();

  const discard = (seat: UndiciSeat): Promise<void> => {
    seats.delete(seat);
    return seat.kill();
  };

  /** The last one used first, so that surplus connections age and are closed. Those that the server closed are passed over. */
  const idleSeat = (key: string): UndiciSeat | undefined => {
    const waiting = idle.get(key);
    for (let seat = waiting?.pop(); seat !== undefined; seat = waiting?.pop()) {
      if (seat.alive) return seat;
      void discard(seat);
    }
    return undefined;
  };

  const board = (flight: Flight): void => {
    const { route } = flight;
    try {
      let seat = route.line === undefined ? undefined : idleSeat(keyOf(route.line, route));
      if (seat === undefined) {
        // Each of them is idle.
        if (single) for (const each of [...seats]) void discard(each);
        seat = new UndiciSeat(route, connector, clock, () => ++opened);
        seats.add(seat);
      }
      flight.sitDown(seat);
      seat.carry(flight);
    } catch (error) {
      // An origin or a local address that undici takes for none.
      flight.onResponseError(null, error);
    }
  };

  const home: Home = {
    onEnd(flight, ended: Ended) {
      flights.delete(flight);
      const { seat } = flight;
      if (!(seat instanceof UndiciSeat)) return;
      const { line } = seat.route;
      if (line === undefined || ended === 'spent' || seat.released || closed || !seat.alive) {
        void discard(seat);
        return;
      }
      const key = keyOf(line, seat.route);
      const waiting = idle.get(key);
      if (waiting === undefined) idle.set(key, [seat]);
      else waiting.push(seat);
    },
    onStale(flight) {
      const { seat } = flight;
      if (seat instanceof UndiciSeat) void discard(seat);
      board(flight);
    },
  };

  const fly = (request: WireRequest, route: Route, limits: Limits): Promise<WireOutcome> => {
    const flight = new Flight(request, route, limits, clock, home);
    if (closed) flight.fail(interrupted('Touchstone had closed its connections'));
    if (flight.settled) return flight.outcome;
    flights.add(flight);
    board(flight);
    return flight.outcome;
  };

  return {
    send(request: WireRequest, route: Route, limits: Limits): Promise<WireOutcome> {
      if (!single) return fly(request, route, limits);
      const flown = turn.then(() => fly(request, route, limits));
      turn = flown;
      return flown;
    },
    release(line) {
      for (const seat of seats) {
        if (seat.route.line !== line) continue;
        seat.released = true;
        const waiting = idle.get(keyOf(line, seat.route));
        const at = waiting?.indexOf(seat) ?? -1;
        if (at < 0) continue;
        waiting?.splice(at, 1);
        if (waiting?.length === 0) idle.delete(keyOf(line, seat.route));
        void discard(seat);
      }
    },
    async close() {
      closed = true;
      for (const flight of flights) flight.fail(interrupted('Touchstone closed its connections'));
      idle.clear();
      await Promise.all([...seats].map(discard));
    },
  };
}

const keyOf = (line: string, route: Route): string => `${line}\n${route.origin}\n${route.localAddress ?? ''}`;

/** Made once: some 150 certificates read again for each connection cost more than all that is said on it. */
const trusting = (ca: string): SecureContext => createSecureContext({ ca: [...getCACertificates('default'), ca] });

function connectorFor(tls: TransportOptions['tls']): buildConnector.connector {
  return buildConnector({
    allowH2: false,
    timeout: 0,
    ...(tls?.ca === undefined ? {} : { secureContext: trusting(tls.ca) }),
    ...(tls?.servername === undefined ? {} : { servername: tls.servername }),
    rejectUnauthorized: !(tls?.insecure ?? false),
  });
}

/** A body without a length for undici is sent in chunks. */
function bodyOf({ body, chunkBytes }: WireRequest): Uint8Array | Readable | null {
  if (body === undefined) return null;
  if (chunkBytes === undefined) return body;
  return Readable.from(inChunks(body, chunkBytes), { objectMode: false });
}

/** Each leaves by itself, not packed together with the next. */
async function* inChunks(body: Uint8Array, bytes: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < body.length; at += bytes) {
    yield body.subarray(at, at + bytes);
    await immediate();
  }
}

/** One connection. undici would open another in its place without a word; its connector says no to that. */
class UndiciSeat implements Seat {
  number = 0;
  tap: Wiretap | undefined;
  localAddress: string | undefined;
  connectedAt: number | undefined;
  reached = false;
  released = false;
  readonly route: Route;
  readonly #client: Client;
  #socket: Socket | undefined;

  constructor(route: Route, connector: buildConnector.connector, clock: Clock, count: () => number) {
    this.route = route;
    this.#client = new Client(route.origin, {
      pipelining: 1,
      allowH2: false,
      headersTimeout: 0,
      bodyTimeout: 0,
      keepAliveTimeout: milliseconds.idle,
      keepAliveMaxTimeout: milliseconds.longestHint,
      keepAliveTimeoutThreshold: milliseconds.beforeHint,
      // The tap holds the limit; undici counts names and values only.
      maxHeaderSize: headLimit,
      ...(route.localAddress === undefined ? {} : { localAddress: route.localAddress }),
      connect: (target, callback) => {
        if (this.number > 0) return callback(new Error('this connection is gone'), null);
        this.number = count();
        // undici types it as returning nothing, but it returns the socket, which is needed to give up while connecting.
        const socket = connector(target, (error, connected) => {
          if (error !== null) return callback(error, null);
          this.tap = new Wiretap(connected);
          this.connectedAt = clock.now();
          this.localAddress = connected.localAddress;
          callback(null, connected);
        }) as unknown as Socket;
        this.#socket = socket;
        socket.once('connect', () => {
          this.reached = true;
        });
      },
    });
  }

  get alive(): boolean {
    return this.tap !== undefined && !this.tap.socket.destroyed && !this.tap.ended;
  }

  carry(flight: Flight): void {
    const { request, route } = flight;
    const headers: string[] = [];
    for (const [name, value] of request.headers) if (!isOursToWrite(name)) headers.push(name, value);
    this.#client.dispatch(
      {
        method: request.method,
        path: request.target,
        headers,
        body: bodyOf(request),
        // Told outright, because undici closes after HEAD and after unusual bodies when it is left to itself.
        reset: route.line === undefined || connectionSaid(request.headers) === 'close',
      },
      flight,
    );
  }

  /** At once, whatever is under way. The socket goes first: undici can't give up an attempt to connect. */
  async kill(): Promise<void> {
    this.#socket?.destroy();
    await this.#client.destroy();
  }
}
