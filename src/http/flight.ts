/** One exchange while it is under way: hears what undici has to say, holds the deadline, and ends in exactly one outcome. */
import type { Clock } from '../clock.ts';
import type { Failure } from '../model/exchange.ts';
import { headersOf } from '../model/headers.ts';
import { BodyMeter } from './body-meter.ts';
import { failureOf, headTooLarge, interrupted, notHttp, type Phase, tooSlow } from './failures.ts';
import { intendedHead, withoutEmptyLine } from './head.ts';
import type { HeadListener } from './head-reader.ts';
import type { Limits, Route, WireOutcome, WireRequest, WireResponse } from './transport.ts';
import type { Wiretap } from './wiretap.ts';

/** A connection as an exchange sees it: opened by the first exchange on it, never opened twice. */
export interface Seat {
  /** Counted over the transport; 0 while nothing was tried. */
  readonly number: number;
  /** Undefined until the connection stands. */
  readonly tap: Wiretap | undefined;
  readonly localAddress: string | undefined;
  /** When the connection stood. */
  readonly connectedAt: number | undefined;
  /** While connecting: what is below TLS stands. */
  readonly reached: boolean;
}

/** What becomes of the connection: it can carry another exchange, or must not. */
export type Ended = 'clean' | 'spent';

export interface Home {
  /** The exchange is over. Called before its promise is resolved. */
  onEnd(flight: Flight, ended: Ended): void;
  /** The kept connection was gone before anything was sent on it: another seat is wanted. */
  onStale(flight: Flight): void;
}

/** Of informational answers so much is kept. */
const mostEarly = 16 * 1024;

const nothing = { tap: undefined, localAddress: undefined, connectedAt: undefined } as const;

const nowhere: Seat = { number: 0, ...nothing, reached: false };

export class Flight implements HeadListener {
  readonly outcome: Promise<WireOutcome>;
  readonly request: WireRequest;
  readonly route: Route;
  readonly #limits: Limits;
  readonly #clock: Clock;
  readonly #home: Home;
  readonly #start: number;
  readonly #chunks: Uint8Array[] = [];
  readonly #cancelDeadline: () => void;
  #resolve!: (outcome: WireOutcome) => void;
  #settled = false;
  #seat: Seat = nowhere;
  /** The seat had carried exchanges before it was given to this one. */
  #again = false;
  /** undici has begun to write. */
  #begun = false;
  #use = 0;
  #sent: number;
  #headAt: number | undefined;
  #head: string | undefined;
  #status: number | undefined;
  #bytes = 0;
  #early = '';
  #meter: BodyMeter | undefined;

  constructor(request: WireRequest, route: Route, limits: Limits, clock: Clock, home: Home) {
    this.request = request;
    this.route = route;
    this.#limits = limits;
    this.#clock = clock;
    this.#home = home;
    this.#start = clock.now();
    this.#sent = this.#start;
    this.outcome = new Promise((resolve) => {
      this.#resolve = resolve;
    });
    // One timer for everything: undici's own are coarse, and none of them covers the whole.
    this.#cancelDeadline = clock.later(limits.timeoutMs, () => this.fail(tooSlow(limits.timeoutMs, this.#phase)));
    if (limits.signal?.aborted) this.#onAbort();
    else limits.signal?.addEventListener('abort', this.#onAbort);
  }

  get settled(): boolean {
    return this.#settled;
  }

  get seat(): Seat {
    return this.#seat;
  }

  sitDown(seat: Seat): void {
    this.#seat = seat;
    this.#again = seat.tap !== undefined;
  }

  fail(failure: Failure): void {
    this.#settle(failure, false, 'spent');
  }

  // What undici calls, in this order.

  onRequestStart(): void {
    if (this.#settled) return;
    const { tap } = this.#seat;
    this.#begun = true;
    this.#sent = this.#clock.now();
    tap?.begin(this, this.request);
    this.#use = tap?.uses ?? 0;
  }

  onResponseStart(_controller: unknown, status: number): void {
    if (!this.#settled) this.#status = status;
  }

  onResponseData(_controller: unknown, chunk: Uint8Array): void {
    if (this.#settled) return;
    const room = this.#limits.maxBodyBytes - this.#bytes;
    if (chunk.byteLength <= room) {
      this.#chunks.push(chunk);
      this.#bytes += chunk.byteLength;
      return;
    }
    if (room > 0) this.#chunks.push(chunk.subarray(0, room));
    this.#bytes += Math.max(room, 0);
    this.#settle(undefined, true, 'spent');
  }

  onResponseEnd(): void {
    const error = this.#seat.tap?.error;
    // Who refuses a body in chunks may take what is left of it for the next request, which somebody else would pay for.
    const isHalfRead = this.request.chunkBytes !== undefined && (this.#status ?? 0) >= 400;
    // undici takes a reset for the end of a body that has neither length nor chunks. The socket knows better.
    if (error === undefined) this.#settle(undefined, false, isHalfRead ? 'spent' : 'clean');
    else this.fail(failureOf(error, this.#facts()));
  }

  onResponseError(_controller: unknown, error: unknown): void {
    if (this.#settled) return;
    const failure = failureOf(error, this.#facts());
    // Refused by undici before anything was sent: the connection knows nothing of it.
    if (failure.kind === 'not-sent') this.#settle(failure, false, 'clean');
    else if (this.#again && !this.#begun) this.#home.onStale(this);
    else this.fail(failure);
  }

  // What the tap calls.

  onStatusLine(): void {
    this.#headAt = this.#clock.now();
  }

  onHead(head: string): void {
    this.#head = withoutEmptyLine(head);
    this.#meter = new BodyMeter(head, this.request.method);
    // undici's parser takes `RTSP/1.0 200 OK` and `ICE/1.0 200 OK` as well.
    if (!head.startsWith('HTTP/'))
      this.fail(notHttp('the answer is not HTTP/1.x: its first line names another protocol'));
    else if (/^HTTP\/\d\.\d 101\b/.test(head))
      this.fail(notHttp('it switched to another protocol (101) without being asked'));
  }

  onInformational(head: string): void {
    if (this.#early.length < mostEarly) this.#early += head;
  }

  onBody(bytes: Uint8Array): void {
    if (!this.#settled) this.#meter?.take(bytes);
  }

  onTooLarge(says: string): void {
    this.fail(headTooLarge(says));
  }

  readonly #onAbort = (): void => this.fail(interrupted('Touchstone gave up: the run was interrupted'));

  get #phase(): Phase {
    if (this.#status !== undefined) return 'body';
    return this.#seat.tap === undefined ? 'connecting' : 'waiting';
  }

  #facts(): Parameters<typeof failureOf>[1] {
    const { tap } = this.#seat;
    return {
      phase: this.#phase,
      ended: tap?.ended ?? false,
      reached: this.#seat.reached,
      secure: this.route.origin.startsWith('https:'),
      unfinished: tap?.reader.unfinished ?? 0,
      socketError: tap?.error,
    };
  }

  #settle(failure: Failure | undefined, truncated: boolean, ended: Ended): void {
    if (this.#settled) return;
    this.#settled = true;
    this.#cancelDeadline();
    this.#limits.signal?.removeEventListener('abort', this.#onAbort);
    const outcome = this.#outcome(failure, truncated);
    this.#home.onEnd(this, ended);
    this.#resolve(outcome);
  }

  #outcome(failure: Failure | undefined, truncated: boolean): WireOutcome {
    const { number, tap, localAddress, connectedAt } = this.#seat;
    const response = this.#response(truncated);
    // An exchange that undici would not send has touched no connection, though a seat was held ready for it.
    const untouched = failure?.kind === 'not-sent' && !this.#begun && this.#again;
    const opened = connectedAt !== undefined && !this.#again;
    const written = this.#begun ? tap?.sent : undefined;
    return {
      requestHead:
        written === undefined
          ? intendedHead(this.request, this.route.origin, this.route.line !== undefined)
          : withoutEmptyLine(written),
      ...(response === undefined ? {} : { response }),
      ...(failure === undefined ? {} : { failure }),
      at: {
        sent: this.#sent,
        ...(opened ? { connected: connectedAt } : {}),
        ...(response === undefined || this.#headAt === undefined ? {} : { head: this.#headAt }),
        end: this.#clock.now(),
      },
      connection: untouched
        ? { number: 0, use: 0 }
        : {
            number,
            use: this.#begun ? this.#use : number === 0 ? 0 : (tap?.uses ?? 0) + 1,
            ...(localAddress === undefined ? {} : { localAddress }),
          },
    };
  }

  #response(truncated: boolean): WireResponse | undefined {
    if (this.#status === undefined || this.#head === undefined) return undefined;
    const [only, ...others] = this.#chunks;
    const body = only === undefined ? new Uint8Array(0) : others.length === 0 ? only : Buffer.concat(this.#chunks);
    const surplus = this.#meter?.surplus ?? 0;
    return {
      status: this.#status,
      head: this.#head,
      headers: headersOf(this.#head),
      body,
      truncated,
      ...(this.#early === '' ? {} : { early: withoutEmptyLine(this.#early.slice(0, mostEarly)) }),
      ...(surplus === 0 ? {} : { surplus }),
    };
  }
}
