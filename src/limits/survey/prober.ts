/** Speaks to the service for the experiments: every call through the recorder, counted, and given up where it hurts. */
import { Inconclusive } from '../../model/ask.ts';
import { type Exchange, statusOf } from '../../model/exchange.ts';
import { decisionOf } from '../model/decision.ts';
import type { Decision, Probe } from '../model/trace.ts';
import { many } from './at-once.ts';
import type { Call, Place, RouteName, Who } from './call.ts';

/** The engine's side of it: one exchange, whatever is answered. */
export interface Wire {
  /** Milliseconds of the run, as exchanges have them. */
  now(): number;
  sleep(ms: number): Promise<void>;
  send(call: Call): Promise<Exchange>;
}

export interface Spending {
  readonly maxRequests: number;
  readonly maxSeconds: number;
}

/** If half of this many recent answers are failures of the service, probing stops. */
const lately = 24;

/** What all who speak to one service have in common. */
interface Shared {
  readonly wire: Wire;
  readonly budget: Spending;
  readonly began: number;
  readonly exchanges: Map<number, Exchange>;
  readonly calls: { readonly call: Call; readonly exchange: Exchange }[];
  /** When calls left, by where they came from. */
  readonly sentAt: Map<string, number[]>;
  sent: number;
  /** Kept for those who are asked last, who have no more than that meanwhile. Undefined: nothing is kept from anybody. */
  reserved: number | undefined;
  isOver: boolean;
}

export class Prober {
  readonly #all: Shared;
  #turn = 0;
  #recent: boolean[] = [];
  #distress: string | undefined;
  /** Whether what is kept from the others is for this one. */
  readonly #isLast: boolean;

  constructor(wire: Wire, budget: Spending, all?: Shared, isLast = false) {
    this.#isLast = isLast;
    this.#all = all ?? {
      wire,
      budget,
      began: wire.now(),
      exchanges: new Map(),
      calls: [],
      sentAt: new Map(),
      sent: 0,
      reserved: undefined,
      isOver: false,
    };
  }

  /** Another one with the same budget and record: its keys take turns by themselves, and its distress is its own. */
  beside(isLast = false): Prober {
    return new Prober(this.#all.wire, this.#all.budget, this.#all, isLast);
  }

  /** Keeps so many of the calls for those who come last, until it is told otherwise. */
  reserve(calls: number | undefined): void {
    this.#all.reserved = calls === undefined ? undefined : Math.floor(calls);
  }

  /** Who called, in the order in which they were answered. */
  get calls(): readonly { readonly call: Call; readonly exchange: Exchange }[] {
    return this.#all.calls;
  }

  get leftRequests(): number {
    const { budget, sent, reserved } = this.#all;
    const left = Math.max(0, budget.maxRequests - sent);
    return this.#isLast && reserved !== undefined ? Math.min(left, reserved) : left;
  }

  get leftMs(): number {
    const { wire, budget, began } = this.#all;
    return Math.max(0, budget.maxSeconds * 1000 - (wire.now() - began));
  }

  now(): number {
    return this.#all.wire.now();
  }

  get isDistressed(): boolean {
    return this.#distress !== undefined || this.#all.isOver;
  }

  /** What looked like distress may have been a limit that says 503: after a silence it is asked again, a few times. */
  forgive(): void {
    this.#recent = [];
    this.#distress = undefined;
  }

  /** Nobody waits for answers any more: what goes on beside ends before its next call. */
  end(): void {
    this.#all.isOver = true;
  }

  async sleep(ms: number): Promise<void> {
    if (this.#all.isOver) throw new Inconclusive('the run was over');
    if (ms > this.leftMs) throw new Inconclusive(this.#usedUp('time'));
    if (ms > 0) await this.#all.wire.sleep(ms);
  }

  probe(who: Who, route: RouteName): Probe {
    const { keys, spread, ...rest } = who;
    const one = async (): Promise<Decision> => {
      const key = keys[this.#turn % keys.length] ?? null;
      const place = spread?.[this.#turn % spread.length];
      this.#turn += 1;
      return decisionOf(await this.#send({ ...rest, ...place, key, route }));
    };
    return {
      now: () => this.now(),
      sleep: (ms) => this.sleep(ms),
      ask: async () => {
        this.#mayAsk();
        return one();
      },
      askMany: async (count, gapMs = 0) => {
        this.#mayAsk();
        return gapMs > 0 ? this.#paced(count, gapMs, one) : many(count, who.single, one);
      },
    };
  }

  /** Each call of an experiment counts, those that the engine makes for it too. */
  readonly spend = (): void => {
    const { reserved = 0 } = this.#all;
    if (this.leftRequests <= (this.#isLast ? 0 : reserved)) throw new Inconclusive(this.#usedUp('calls'));
    if (this.leftMs === 0) throw new Inconclusive(this.#usedUp('time'));
    this.#all.sent += 1;
    if (this.#isLast && this.#all.reserved !== undefined) this.#all.reserved = Math.max(0, reserved - 1);
  };

  of(decisions: readonly Decision[]): Exchange[] {
    return decisions.map(({ exchange }) => this.#all.exchanges.get(exchange!)!);
  }

  /** When each call left that came from there since then. */
  sentFrom(place: Place, since: number): readonly number[] {
    const times = this.#all.sentAt.get(nameOf(place)) ?? [];
    return times.slice(times.findLastIndex((time) => time < since) + 1);
  }

  async #send(call: Call): Promise<Exchange> {
    this.spend();
    const { wire, sentAt, exchanges, calls } = this.#all;
    const place = nameOf(call);
    const times = sentAt.get(place) ?? [];
    sentAt.set(place, times);
    times.push(this.now());
    const exchange = await wire.send(call);
    exchanges.set(exchange.id, exchange);
    calls.push({ call, exchange });
    this.#watch(exchange);
    return exchange;
  }

  /** Between waves, so that none is lost half-way. */
  #mayAsk(): void {
    if (this.#all.isOver) throw new Inconclusive('the run was over');
    if (this.#distress !== undefined) throw new Inconclusive(this.#distress);
  }

  /** Calls at a constant pace, whether or not the earlier ones are answered. */
  async #paced(count: number, gapMs: number, one: () => Promise<Decision>): Promise<Decision[]> {
    const began = this.now();
    const asked: Promise<Decision>[] = [];
    for (let call = 0; call < count; call += 1) {
      const wait = began + call * gapMs - this.now();
      if (wait >= 1) await this.#all.wire.sleep(wait);
      const answer = one();
      answer.catch(() => {});
      asked.push(answer);
    }
    return Promise.all(asked);
  }

  #watch(exchange: Exchange): void {
    const status = statusOf(exchange);
    this.#recent.push(status === undefined || status >= 500);
    if (this.#recent.length > lately) this.#recent.shift();
    if (this.#recent.length === lately && this.#recent.filter(Boolean).length * 2 >= lately) {
      this.#distress = `stopped at a sign of distress: of the last ${lately} calls half or more got a 5xx or no answer`;
    }
  }

  #usedUp(what: 'calls' | 'time'): string {
    const { maxRequests, maxSeconds } = this.#all.budget;
    const most = what === 'calls' ? `${maxRequests} calls` : `${maxSeconds} s`;
    return `the budget of ${most} for limits was too small for this (limits: { max_requests, max_seconds })`;
  }
}

const nameOf = ({ from, headers }: Place): string => JSON.stringify([from, headers]);
