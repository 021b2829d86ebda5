/** The beginning of a body that passes, for the record: the rest is counted, and never held. */

export class Copy {
  readonly #most: number;
  #parts: Buffer[] = [];
  #kept = 0;
  bytes = 0;

  constructor(most: number) {
    this.#most = most;
  }

  take(part: Buffer): void {
    this.bytes += part.length;
    const room = this.#most - this.#kept;
    if (room <= 0) return;
    const piece = part.length <= room ? part : part.subarray(0, room);
    this.#parts.push(piece);
    this.#kept += piece.length;
  }

  get isCut(): boolean {
    return this.bytes > this.#kept;
  }

  whole(): Buffer {
    const all = this.#parts.length === 1 ? this.#parts[0]! : Buffer.concat(this.#parts);
    this.#parts = [all];
    return all;
  }
}
