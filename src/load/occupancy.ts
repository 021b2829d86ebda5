/** How many requests were under way at once, averaged over tenths of a second. */
const binMs = 100;

export class Occupancy {
  readonly #busyMs: number[] = [];
  #most = 0;

  add(fromMs: number, tookMs: number): void {
    const from = Math.max(0, fromMs);
    const to = from + tookMs;
    for (let bin = Math.floor(from / binMs); bin * binMs < to; bin += 1) {
      const within = Math.min(to, (bin + 1) * binMs) - Math.max(from, bin * binMs);
      const busy = (this.#busyMs[bin] ?? 0) + within;
      this.#busyMs[bin] = busy;
      this.#most = Math.max(this.#most, busy / binMs);
    }
  }

  get most(): number {
    return Math.round(this.#most);
  }
}
