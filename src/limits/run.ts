/** A probe with a budget: writes down what is asked, and stops when it is used up or the service is in distress. */
import type { Budget, Decision, Probe } from './probe.ts';
import { secondsTold } from './retry-header.ts';

export class Stopped extends Error {
  override readonly name = 'Stopped';
}

export class Run {
  readonly trace: Decision[] = [];
  readonly #probe: Probe;
  readonly #budget: Budget;
  readonly #began: number;
  #usualMs = Number.NaN;

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

  /** What a call usually takes: the quickest of the first few, for those were sent alone. */
  get usualMs(): number {
    return this.#usualMs;
  }

  /** The longest of the last waits that were told, if it is one that anybody would wait. */
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
    if (allowed < 1) throw new Stopped('the calls are used up');
    if (this.leftMs <= 0) throw new Stopped('the time is used up');
    const answers = allowed === 1 ? [await this.#probe.ask()] : await this.#probe.askMany(allowed, gapMs);
    this.trace.push(...answers);
    this.#watchOver(answers);
    return answers;
  }

  /** The last refusal's wait from its answer on, where it told one. */
  toldUntil(): number | undefined {
    for (let at = this.trace.length - 1; at >= 0 && at >= this.trace.length - 64; at -= 1) {
      const { admitted, retryAfter, headAt } = this.trace[at]!;
      const seconds = admitted ? undefined : secondsTold(retryAfter);
      if (seconds !== undefined) return headAt + seconds * 1000;
    }
    return undefined;
  }

  #watchOver(answers: readonly Decision[]): void {
    if (answers.length === 1 && this.trace.length <= 8) {
      const [{ sentAt, headAt }] = answers as readonly [Decision];
      this.#usualMs = Number.isNaN(this.#usualMs) ? headAt - sentAt : Math.min(this.#usualMs, headAt - sentAt);
    }
    const last = this.trace.slice(-20);
    const broken = last.filter(({ status }) => status === 0 || status >= 500).length;
    if (last.length >= 5 && broken * 5 > last.length * 2) throw new Stopped('the service is in distress: it fails');
  }
}
