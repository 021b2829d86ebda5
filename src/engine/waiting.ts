/** How long a question had to wait for others of its key, which go one at a time: not the service's time to answer it. */
import type { Clock } from '../clock.ts';

export class Waiting {
  readonly #clock: Clock;
  #since = 0;
  #many = 0;
  #ms = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** What waits side by side counts once. */
  async during<T>(work: Promise<T>): Promise<T> {
    if (this.#many === 0) this.#since = this.#clock.now();
    this.#many += 1;
    try {
      return await work;
    } finally {
      this.#many -= 1;
      if (this.#many === 0) this.#ms += this.#clock.now() - this.#since;
    }
  }

  get ms(): number {
    return this.#ms + (this.#many > 0 ? this.#clock.now() - this.#since : 0);
  }
}
