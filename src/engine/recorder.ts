/** The one way out: what is sent is written down here, secrets as names, and nothing else is seen by rules, reports and files. */
import type { Clock } from '../clock.ts';
import { Appetite } from '../http/appetite.ts';
import { codingOf, decodeBody } from '../http/decode.ts';
import type { Transport, WireOutcome } from '../http/transport.ts';
import type { Exchange, Failure, Header } from '../model/exchange.ts';
import { Secret } from '../model/secret.ts';
import { reveal } from '../secrets/issued-keys.ts';
import type { Keyring } from '../secrets/keyring.ts';
import { withoutPacked } from '../secrets/packed.ts';
import { Breaths } from './breaths.ts';
import type { Gates, Pass } from './gates.ts';
import { lostOnKept, pauseAskedFor, recordRequest, recordResponse, sinceBegin } from './record.ts';
import type { Sending, Sent } from './sending.ts';
import { dressed, orderOf } from './stacks.ts';

export type { Sending, Sent };

export interface Instance {
  readonly origin: string;
  readonly basePath: string;
}

export interface RecorderOptions {
  readonly transport: Transport;
  readonly clock: Clock;
  readonly keyring: Keyring;
  readonly gates: Gates;
  readonly instances: { readonly main: Instance; readonly disabled?: Instance };
  readonly addedHeaders: readonly (readonly [string, Secret | string])[];
  readonly timeoutMs: number;
  readonly patienceMs: number;
  readonly maxBodyBytes: number;
  readonly signal?: AbortSignal;
  readonly written: (exchange: Exchange) => void;
}

const maxRepeats = 50;

/** How many exchanges in a row without any answer are worth asking whether the target is still there. */
const suspicious = 6;

export class Recorder {
  readonly #options: RecorderOptions;
  readonly #began: number;
  #last = 0;
  #silent = 0;
  readonly #breaths = new Breaths();
  readonly #appetite: Appetite;

  constructor(options: RecorderOptions) {
    this.#options = options;
    this.#began = options.clock.now();
    this.#appetite = new Appetite(options.maxBodyBytes);
  }

  /** Many exchanges in a row got no answer. Only another request can show whether the target is gone. */
  get silent(): boolean {
    return this.#silent >= suspicious;
  }

  /** How long the service has made the run wait so far. */
  get waitingMs(): number {
    return this.#options.gates.waitedMs;
  }

  /** Milliseconds of the run, as exchanges have them. */
  get elapsed(): number {
    return this.#options.clock.now() - this.#began;
  }

  /** Never rejects, except with the reason of the run's signal. Waits out 429s, within the patience. */
  async send(sending: Sending): Promise<Sent> {
    const { gates, patienceMs, clock } = this.#options;
    const signal = sending.lasting ? undefined : this.#options.signal;
    const earlier: number[] = [];
    let patience = patienceMs;
    let pass: Pass | undefined;
    let waited = 0;
    /** What the last answer asked for, which is taken off the patience already. */
    let owed = 0;
    let line = sending.line;
    let lost = false;
    let breaths = 0;
    try {
      for (;;) {
        // A request that may have created a key is finished: "not sent" must be reliable.
        if (!lost || sending.reveals === undefined) signal?.throwIfAborted();
        if (pass === undefined) {
          const entered = gates.enter(sending.who, patience + owed, signal);
          pass = entered instanceof Promise ? await (sending.waiting?.during(entered) ?? entered) : entered;
          if (pass === undefined) return this.#unsent(sending, earlier);
          waited += pass.waitedMs;
          owed = 0;
        }
        const sent = await this.#once(sending, line, earlier, waited);
        const { exchange } = sent;
        const isLimited = exchange.response?.status === 429;
        const ms = isLimited ? pauseAskedFor(exchange) : this.#breaths.after(exchange, sending, breaths, patience);
        if (ms !== undefined && !sending.once && earlier.length < maxRepeats) {
          if (!isLimited) breaths += 1;
          gates.shut(sending.who, ms, patience);
          if (ms > patience) return sent;
          patience -= ms;
          earlier.push(exchange.id);
          if (pass.alone) {
            await clock.sleep(ms, signal);
            waited += ms;
          } else {
            pass.leave();
            pass = undefined;
            owed = ms;
          }
          continue;
        }
        // A kept connection that the service closed just then says nothing about the service: once more, on a new one.
        if (lostOnKept(exchange) && !sending.watched && line !== undefined && line === sending.line) {
          earlier.push(exchange.id);
          lost = true;
          line = undefined;
          continue;
        }
        return sent;
      }
    } finally {
      pass?.leave();
    }
  }

  /**
   * One attempt, whatever is answered: for rules that look for the limits that `send` waits for. It never waits. What is lost with a
   * kept connection is asked once more on a new one: a server may close those that it has too many of.
   */
  async probe(sending: Sending): Promise<Exchange> {
    this.#options.signal?.throwIfAborted();
    const { exchange } = await this.#once(sending, sending.line, [], 0);
    if (!lostOnKept(exchange)) return exchange;
    this.#options.signal?.throwIfAborted();
    return (await this.#once(sending, undefined, [exchange.id], 0)).exchange;
  }

  async #once(sending: Sending, line: string | undefined, earlier: readonly number[], waited: number): Promise<Sent> {
    const { transport, instances, addedHeaders, timeoutMs } = this.#options;
    // A create that is cut off leaves a key behind of which nobody knows the identifier.
    const signal = sending.lasting || sending.reveals !== undefined ? undefined : this.#options.signal;
    const instance = instances[sending.instance] ?? instances.main;
    const passing: Secret[] = [];
    const shown = (value: Secret | string): string => {
      if (typeof value !== 'string' && !this.#options.keyring.holds(value)) passing.push(value);
      return Secret.reveal(value);
    };
    const isHost = ([name]: readonly [string, unknown]): boolean => name.toLowerCase() === 'host';
    const host = sending.headers.find(isHost)?.[1];
    const own = sending.headers.filter((each) => !isHost(each));
    const all = dressed(sending.stack, [...own, ...addedHeaders]);
    const headers = all.map(([name, value]): Header => [name, shown(value)]);
    const outcome = await transport.send(
      {
        method: sending.method,
        target: `${sending.absolute ? instance.origin : ''}${instance.basePath}${sending.target}`,
        headers,
        ...(sending.stack === undefined
          ? {}
          : { order: orderOf(sending.stack, sending.method, sending.body !== undefined) }),
        ...(sending.body === undefined ? {} : { body: sending.body }),
        ...(sending.chunkBytes === undefined ? {} : { chunkBytes: sending.chunkBytes }),
        ...(sending.version === undefined ? {} : { version: sending.version }),
        ...(host === undefined ? {} : { host: shown(host) }),
      },
      {
        origin: instance.origin,
        ...(line === undefined ? {} : { line }),
        ...(sending.from === undefined ? {} : { localAddress: sending.from }),
      },
      {
        timeoutMs: sending.timeoutMs ?? timeoutMs,
        maxBodyBytes: this.#appetite.room,
        ...(signal === undefined ? {} : { signal }),
      },
    );
    signal?.throwIfAborted();
    if (outcome.response !== undefined) this.#silent = 0;
    else if (outcome.failure?.kind !== 'not-sent') this.#silent += 1;
    return this.#write(sending, outcome, passing, earlier, waited);
  }

  #write(
    sending: Sending,
    outcome: WireOutcome,
    passing: readonly Secret[],
    earlier: readonly number[],
    waited: number,
  ): Sent {
    const { keyring } = this.#options;
    const wire = outcome.response;
    const coding = wire === undefined ? undefined : codingOf(wire.headers);
    const decoded =
      wire === undefined || coding === undefined
        ? { bytes: wire?.body ?? new Uint8Array(), truncated: false }
        : decodeBody(wire.body, coding, this.#appetite.room, wire.truncated);
    this.#appetite.took(Math.max(wire?.body.byteLength ?? 0, decoded.bytes.byteLength));
    const revealed = sending.reveals === undefined ? {} : reveal(sending.reveals, decoded.bytes, keyring);
    const redact = (text: string): string => keyring.redact(text, passing);
    const failure: Failure | undefined =
      outcome.failure ??
      (decoded.failed === undefined
        ? undefined
        : decoded.unread
          ? { kind: 'unread-coding', says: `The body uses the coding ${coding}, which Touchstone cannot read.` }
          : { kind: 'bad-coding', says: `The body is not ${coding}.` });
    this.#last += 1;
    const exchange: Exchange = {
      id: this.#last,
      purpose: sending.purpose,
      instance: sending.instance,
      request: recordRequest(sending.method, outcome.requestHead, sending.body, redact),
      ...(wire === undefined
        ? {}
        : { response: recordResponse(wire, withoutPacked(decoded, redact, this.#appetite.room), redact) }),
      ...(failure === undefined ? {} : { failure: { kind: failure.kind, says: redact(failure.says) } }),
      at: sinceBegin(outcome.at, this.#began),
      connection: outcome.connection,
      ...(sending.planted === undefined ? {} : { planted: sending.planted }),
      ...(earlier.length === 0 ? {} : { earlier: [...earlier] }),
      ...(waited === 0 ? {} : { waitedMs: Math.round(waited) }),
    };
    this.#options.written(exchange);
    return { exchange, ...revealed };
  }

  #unsent(sending: Sending, earlier: readonly number[]): Sent {
    const { clock } = this.#options;
    const now = clock.now();
    return this.#write(
      { ...sending, headers: [] },
      {
        requestHead: `${sending.method} (not sent) HTTP/1.1\r\n\r\n`,
        failure: {
          kind: 'not-sent',
          says: `${sending.who} would have to wait for longer than the profile's patience.`,
        },
        at: { sent: now, end: now },
        connection: { number: 0, use: 0 },
      },
      [],
      earlier,
      0,
    );
  }
}
