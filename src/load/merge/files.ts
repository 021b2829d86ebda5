/**
 * Files of samples, one from each generator, read side by side in the order of the schedule: as if all had been streamed at
 * once, and with no more in memory than a piece of each.
 */
import { createReadStream } from 'node:fs';
import type { Phase } from '../../../load/shared/phases.ts';
import { type Sample, SampleReader } from '../samples.ts';

export type OnSample = (worker: number, sample: Sample) => void;

/** Returns what k6 said beside, of each file. */
export async function readTogether(
  paths: readonly string[],
  phases: readonly Phase[],
  onSample: OnSample,
): Promise<string[][]> {
  const files = paths.map((path) => new SampleFile(path, phases));
  try {
    await Promise.all(files.map((file) => file.fill()));
    for (;;) {
      let [next, at] = [-1, Number.POSITIVE_INFINITY];
      files.forEach((file, worker) => {
        if (file.at < at) [next, at] = [worker, file.at];
      });
      if (next < 0) break;
      onSample(next, files[next]!.shift());
      if (files[next]!.isEmpty) await files[next]!.fill();
    }
    return files.map(({ notes }) => notes);
  } finally {
    for (const file of files) file.close();
  }
}

class SampleFile {
  readonly #phases: readonly Phase[];
  readonly #pieces: AsyncIterator<Buffer>;
  readonly #reader: SampleReader;
  readonly #close: () => void;
  #waiting: Sample[] = [];
  #next = 0;
  #ended = false;

  constructor(path: string, phases: readonly Phase[]) {
    const stream = createReadStream(path);
    this.#phases = phases;
    this.#pieces = stream[Symbol.asyncIterator]();
    this.#reader = new SampleReader((sample) => this.#waiting.push(sample));
    this.#close = () => stream.destroy();
  }

  get notes(): string[] {
    return this.#reader.notes;
  }

  get isEmpty(): boolean {
    return this.#next >= this.#waiting.length;
  }

  /** When the next sample was to begin, in milliseconds of the schedule; infinity if there is none. */
  get at(): number {
    const sample = this.#waiting[this.#next];
    if (sample === undefined) return Number.POSITIVE_INFINITY;
    const phase = this.#phases[sample.phase];
    return phase === undefined ? 0 : phase.from * 1000 + phase.slotAt(sample.slot);
  }

  shift(): Sample {
    const sample = this.#waiting[this.#next]!;
    this.#next += 1;
    return sample;
  }

  async fill(): Promise<void> {
    this.#waiting = [];
    this.#next = 0;
    while (this.isEmpty && !this.#ended) {
      const { value, done } = await this.#pieces.next();
      if (done) {
        this.#ended = true;
        this.#reader.end();
      } else this.#reader.take(value);
    }
  }

  close(): void {
    this.#close();
  }
}
