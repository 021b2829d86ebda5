/**
 * Which callers have to wait because of Retry-After. Each credential has a gate; while one is shut, others continue. After its
 * first 429 a gate lets exchanges through one at a time, so that a limiter which counts refused calls is left in peace.
 * Two gates shut at once look like a limit of the address: then everybody goes one at a time.
 */
import type { Clock } from '../clock.ts';

interface Gate {
  readonly who: string;
  opensAt: number;
  tight: boolean;
  busy: Promise<void>;
  times: number;
  ms: number;
}

export interface Pass {
  /** Whether nobody else of this gate speaks until `leave`: the holder may then wait and repeat without queueing again. */
  readonly alone: boolean;
  readonly waitedMs: number;
  leave(): void;
}

export class Gates {
  readonly #clock: Clock;
  readonly #gates = new Map<string, Gate>();
  readonly #onWait: (who: string, ms: number) => void;
  readonly #address: Gate = newGate('the address');

  constructor(clock: Clock, onWait: (who: string, ms: number) => void = () => {}) {
    this.#clock = clock;
    this.#onWait = onWait;
  }

  /**
   * Waits until the credential may speak. Undefined: it would have to wait for longer than the patience. Rejects with the
   * signal's reason.
   */
  enter(who: string, patienceMs: number, signal?: AbortSignal): Pass | Promise<Pass | undefined> {
    const own = this.#gateOf(who);
    return own.tight || this.#address.tight ? this.#wait(own, patienceMs, signal) : free;
  }

  async #wait(own: Gate, patienceMs: number, signal?: AbortSignal): Promise<Pass | undefined> {
    const from = this.#clock.now();
    const held: (() => void)[] = [];
    const leave = (): void => {
      for (const each of held) each();
    };
    for (const gate of [this.#address, own]) {
      if (!gate.tight) continue;
      held.push(await this.#turn(gate));
      const ms = gate.opensAt - this.#clock.now();
      if (ms > patienceMs) {
        leave();
        return undefined;
      }
      try {
        if (ms > 0) await this.#clock.sleep(ms, signal);
      } catch (error) {
        leave();
        throw error;
      }
    }
    return { alone: true, waitedMs: this.#clock.now() - from, leave };
  }

  /** The service asked for a pause. A pause longer than the patience is skipped and not counted. */
  shut(who: string, ms: number, patienceMs = Number.POSITIVE_INFINITY): void {
    const now = this.#clock.now();
    const gate = this.#gateOf(who);
    const others = [...this.#gates.values()].some((other) => other !== gate && other.opensAt > now);
    if (others && !this.#address.tight) this.#address.tight = true;
    gate.tight = true;
    const until = now + ms;
    const counted = ms <= patienceMs;
    shutUntil(gate, until, now, counted);
    if (counted) gate.times += 1;
    if (this.#address.tight) shutUntil(this.#address, until, now, counted);
    this.#onWait(who, ms);
  }

  /** How long the run was stretched so far: gates are shut side by side, so the longest counts. */
  get waitedMs(): number {
    return Math.max(this.#address.ms, ...[...this.#gates.values()].map((gate) => gate.ms));
  }

  get waits(): readonly { who: string; times: number; ms: number }[] {
    return [...this.#gates.values()]
      .filter((gate) => gate.times > 0)
      .map(({ who, times, ms }) => ({ who, times, ms: Math.round(ms) }));
  }

  #gateOf(who: string): Gate {
    let gate = this.#gates.get(who);
    if (gate === undefined) {
      gate = newGate(who);
      this.#gates.set(who, gate);
    }
    return gate;
  }

  async #turn(gate: Gate): Promise<() => void> {
    const before = gate.busy;
    let leave = (): void => {};
    gate.busy = new Promise((resolve) => {
      leave = resolve;
    });
    await before;
    return leave;
  }
}

const newGate = (who: string): Gate => ({ who, opensAt: 0, tight: false, busy: Promise.resolve(), times: 0, ms: 0 });

/** Nobody has to wait yet. */
const free: Pass = { alone: false, waitedMs: 0, leave: () => {} };

function shutUntil(gate: Gate, until: number, now: number, counted: boolean): void {
  if (until <= gate.opensAt) return;
  if (counted) gate.ms += until - Math.max(gate.opensAt, now);
  gate.opensAt = until;
}
