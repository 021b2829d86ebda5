/**
 * Where the schedule lies on the generator's clock. Nobody begins before the intended moment, so the earliest beginning,
 * against its slot, is the schedule's own beginning. Samples wait until a second's worth of them has been seen.
 */
import type { Phase } from '../../load/shared/phases.ts';
import type { Sample } from './samples.ts';

const settlingMs = 1000;
const mostWaiting = 20_000;
/** A slow schedule has few slots a second, all of which may be late: an earlier arrival later on corrects the estimate. */
const enough = 20;

export type Aligned = (sample: Sample, lagMs: number) => void;

export class Alignment {
  readonly #phase: Phase;
  readonly #then: Aligned;
  #waiting: Sample[] | undefined = [];
  #seen = 0;
  #base = Number.POSITIVE_INFINITY;

  constructor(phase: Phase, then: Aligned) {
    this.#phase = phase;
    this.#then = then;
  }

  take(sample: Sample): void {
    this.#seen += 1;
    const late = sample.beganMs - this.#phase.slotAt(sample.slot);
    if (this.#waiting !== undefined || this.#seen <= enough) this.#base = Math.min(this.#base, late);
    if (this.#waiting === undefined) {
      this.#pass(sample);
      return;
    }
    this.#waiting.push(sample);
    if (sample.beganMs - this.#base > settlingMs || this.#waiting.length >= mostWaiting) this.settle();
  }

  /** Also at the end, for a phase that was over before. */
  settle(): void {
    const waiting = this.#waiting ?? [];
    this.#waiting = undefined;
    for (const sample of waiting) this.#pass(sample);
  }

  #pass(sample: Sample): void {
    this.#then(sample, Math.max(0, sample.beganMs - this.#phase.slotAt(sample.slot) - this.#base));
  }
}
