/** The measurement second by second. A second is closed a while after it, so that hours of them cost little. */
import type { MeasuredSecond, StatusClass } from '../model/measurement.ts';

/** Seconds that answers may still come in for. */
const openFor = 90;

interface Open {
  readonly counts: Record<StatusClass, number>;
  readonly okUs: number[];
  readonly lagUs: number[];
}

export class Seconds {
  readonly #open = new Map<number, Open>();
  readonly #closed = new Map<number, MeasuredSecond>();
  #newest = Number.NEGATIVE_INFINITY;

  add(at: number, status: StatusClass, latencyUs: number, lagUs: number): void {
    const closed = this.#closed.get(at);
    if (closed !== undefined) {
      const maxUs = status === 'ok' ? Math.max(closed.maxUs ?? 0, latencyUs) : closed.maxUs;
      const counts = { ...closed.counts, [status]: closed.counts[status] + 1 };
      this.#closed.set(at, { ...closed, counts, ...(maxUs === undefined ? {} : { maxUs }) });
      return;
    }
    let second = this.#open.get(at);
    if (second === undefined) {
      second = { counts: { ok: 0, limited: 0, other: 0 }, okUs: [], lagUs: [] };
      this.#open.set(at, second);
    }
    second.counts[status] += 1;
    if (status === 'ok') second.okUs.push(latencyUs);
    second.lagUs.push(lagUs);
    if (at > this.#newest) {
      this.#newest = at;
      for (const old of this.#open.keys()) if (old < at - openFor) this.#close(old);
    }
  }

  /** The last whole seconds, for the progress line. */
  latest(count: number): readonly MeasuredSecond[] {
    return [...this.#open.keys()]
      .filter((at) => at < this.#newest && at >= this.#newest - count)
      .sort((a, b) => a - b)
      .map((at) => figuresOf(at, this.#open.get(at)!));
  }

  all(): MeasuredSecond[] {
    const open = [...this.#open].map(([at, second]) => figuresOf(at, second));
    return [...this.#closed.values(), ...open].sort((a, b) => a.at - b.at);
  }

  #close(at: number): void {
    this.#closed.set(at, figuresOf(at, this.#open.get(at)!));
    this.#open.delete(at);
  }
}

function figuresOf(at: number, { counts, okUs, lagUs }: Open): MeasuredSecond {
  const latencies = Float64Array.from(okUs).sort();
  const lags = Float64Array.from(lagUs).sort();
  const some =
    latencies.length === 0
      ? {}
      : { p50Us: rankedUs(latencies, 0.5), p99Us: rankedUs(latencies, 0.99), maxUs: latencies[latencies.length - 1]! };
  return { at, counts: { ...counts }, ...some, lagP99Us: rankedUs(lags, 0.99) };
}

const rankedUs = (sorted: Float64Array, share: number): number =>
  Math.round(sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)] ?? 0);
