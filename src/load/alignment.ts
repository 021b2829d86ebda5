/**
 * Where the schedule lies on the generator's clock. Nobody begins before the intended moment, so the earliest beginning,
 * against its slot, is the schedule's own beginning. Samples wait until a second's worth of them has been seen.
 */
import { type Phase, slotAtMs } from '../../load/shared/phases.ts';
import type { Sample } from './samples.ts';

const settlingMs = 1000;
const mostWaiting = 20_000;

export type Aligned = (sample: Sample, lagMs: number) => void;

export class Alignment {
  readonly #phase: Phase;
  readonly #then: Aligned;
  #waiting: Sample[] | undefined = [];
  #base = Number.POSITIVE_INFINITY;

  constructor(phase: Phase, then: Aligned) {
    this.#phase = phase;
    this.#then = then;
  }

  take(sample: Sample): void {
    // Of few samples the first may all have been late; whoever comes earlier, however late, knows better.
    this.#base = Math.min(this.#base, sample.beganMs - slotAtMs(this.#phase, sample.slot));
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
    this.#then(sample, Math.max(0, sample.beganMs - slotAtMs(this.#phase, sample.slot) - this.#base));
  }
}
