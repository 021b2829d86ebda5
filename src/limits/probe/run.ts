/** A probe with a budget: writes down what is asked, and stops when it is used up or the service is in distress. */

import { secondsTold } from '../model/retry-header.ts';
import type { Budget, Decision, Probe } from '../model/trace.ts';
import { Distress } from './distress.ts';

export class Stopped extends Error {
  override readonly name = 'Stopped';
}

/** Why it stopped where more calls would have told more. */
export const callsUsedUp = 'the calls are used up';

export class Run {
  readonly trace: Decision[] = [];
  readonly #probe: Probe;
  readonly #budget: Budget;
  readonly #began: number;
  readonly #distress = new Distress();

  constructor(probe: Probe, budget: Budget) {
    this.#probe = probe;
    this.#budget = budget;
    this.#began = probe.now();
  }

  now(): number {
    return this.#probe.now();
  }

  get leftRequests(): number {
    return this.#budget.maxRequests - this.trace.length;
  }

  get leftMs(): number {
    return this.#budget.maxSeconds * 1000 - (this.now() - this.#began);
  }

  /** What a call usually takes; not a number before the first answer. */
  get usualMs(): number {
    return this.#distress.usualMs;
  }

  /** The longest of the last stated waits, if a client would wait that long. */
  get toldMs(): number {
    const told = this.trace
      .slice(-32)
      .map(({ admitted, retryAfter }) => (admitted ? 0 : (secondsTold(retryAfter) ?? 0)));
    const most = 1000 * Math.max(0, ...told);
    return most <= 120_000 ? most : 0;
  }

  async sleep(ms: number): Promise<void> {
    if (ms <= 0) return;
    if (ms > this.leftMs) throw new Stopped('the time is used up');
    await this.#probe.sleep(ms);
  }

  async until(time: number): Promise<void> {
    await this.sleep(time - this.now());
  }

  async ask(): Promise<Decision> {
    return (await this.many(1))[0]!;
  }

  async many(count: number, gapMs = 0): Promise<readonly Decision[]> {
    const allowed = Math.min(count, this.leftRequests);
    if (allowed < 1) throw new Stopped(callsUsedUp);
    if (this.leftMs <= 0) throw new Stopped('the time is used up');
    const answers = allowed === 1 ? [await this.#probe.ask()] : await this.#probe.askMany(allowed, gapMs);
    this.trace.push(...answers);
    const why = this.#distress.watch(answers, this.trace);
    if (why !== undefined) throw new Stopped(why);
    return answers;
  }

  /** The last refusal's wait from its answer on, if it stated one. */
  toldUntil(): number | undefined {
    for (let at = this.trace.length - 1; at >= 0 && at >= this.trace.length - 64; at -= 1) {
      const { admitted, retryAfter, headAt } = this.trace[at]!;
      const seconds = admitted ? undefined : secondsTold(retryAfter);
      if (seconds !== undefined) return headAt + seconds * 1000;
    }
    return undefined;
  }
}
