/**
 * Steps that must be alone, and steps that mostly wait: these wait next to the others, but ask nothing while a step is alone. It
 * may restart the service, or count what a list shows.
 */
export class Turns {
  #asking = 0;
  #alone: Promise<void> | undefined;
  readonly #sleepers: (() => void)[] = [];

  /** From now on something is asked; not before whoever is alone is done. */
  async enter(): Promise<void> {
    while (this.#alone !== undefined) await this.#alone;
    this.#asking += 1;
  }

  leave(): void {
    this.#asking -= 1;
    if (this.#asking === 0) for (const wake of this.#sleepers.splice(0)) wake();
  }

  async asking(work: () => Promise<void>): Promise<void> {
    await this.enter();
    await work().finally(() => this.leave());
  }

  /** One after the other, and only while nobody asks. */
  async alone(work: () => Promise<void>): Promise<void> {
    while (this.#alone !== undefined) await this.#alone;
    let end = (): void => {};
    this.#alone = new Promise((resolve) => {
      end = resolve;
    });
    try {
      while (this.#asking > 0) await new Promise<void>((wake) => this.#sleepers.push(wake));
      await work();
    } finally {
      this.#alone = undefined;
      end();
    }
  }
}
