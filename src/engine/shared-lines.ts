/** Connections that several steps share. Each serves a few calls and makes room for the next, as those of ordinary callers do. */
import type { Random } from '../random.ts';

/** Several calls at a time open several connections, each with a part of the uses. */
const uses = { least: 10, most: 14 };

const between = (random: Random): number => uses.least + Math.floor(random() * (uses.most - uses.least + 1));

export class SharedLines {
  readonly #open = new Map<string, { readonly line: string; left: number }>();
  readonly #random: Random;
  readonly #newName: () => string;
  readonly #release: (line: string) => void;

  constructor(random: Random, newName: () => string, release: (line: string) => void) {
    this.#random = random;
    this.#newName = newName;
    this.#release = release;
  }

  /** For one use more. */
  next(purpose: string): string {
    const current = this.#open.get(purpose);
    if (current !== undefined && current.left > 0) {
      current.left -= 1;
      return current.line;
    }
    if (current !== undefined) this.#release(current.line);
    const line = this.#newName();
    this.#open.set(purpose, { line, left: between(this.#random) - 1 });
    return line;
  }
}
