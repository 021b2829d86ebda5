/** The stream of samples that k6 writes: one line a request, and whatever k6 itself has to say. */

export interface Sample {
  readonly phase: number;
  readonly operation: number;
  readonly slot: number;
  /** By the generator's clock, from anywhere. */
  readonly beganMs: number;
  /** From the beginning to the last byte of the answer. */
  readonly tookMs: number;
  /** 0: no answer. */
  readonly status: number;
  /** k6's number for why there was no answer. */
  readonly failure?: string;
  readonly checked: boolean;
  readonly wrong?: string;
}

const form = /^~(\d+) (\d+) (\d+) (-?[\d.]+) (-?[\d.]+) (\d{1,3})(?: (.*))?$/;

const longestNote = 400;
const mostNotes = 40;

export class SampleReader {
  /** What k6 said beside, bounded; the last ones are kept, because errors come last. */
  readonly notes: string[] = [];
  readonly #onSample: (sample: Sample) => void;
  readonly #decoder = new TextDecoder();
  #rest = '';

  constructor(onSample: (sample: Sample) => void) {
    this.#onSample = onSample;
  }

  take(bytes: Uint8Array): void {
    const lines = (this.#rest + this.#decoder.decode(bytes, { stream: true })).split('\n');
    this.#rest = lines.pop()!.slice(-65_536);
    for (const line of lines) this.#line(line);
  }

  end(): void {
    if (this.#rest !== '') this.#line(this.#rest);
    this.#rest = '';
  }

  #line(line: string): void {
    const found = form.exec(line);
    if (found === null) this.#note(line);
    else this.#onSample(sampleOf(found));
  }

  #note(line: string): void {
    const text = line.trim().slice(0, longestNote);
    // Said for each request that met nobody; those are counted already.
    if (text === '' || text === 'Request Failed') return;
    if (this.notes.at(-1) !== text) this.notes.push(text);
    if (this.notes.length > mostNotes) this.notes.shift();
  }
}

function sampleOf(found: RegExpExecArray): Sample {
  const [, phase, operation, slot, began, took, status, flag = ''] = found;
  return {
    phase: Number(phase),
    operation: Number(operation),
    slot: Number(slot),
    beganMs: Number(began),
    tookMs: Number(took),
    status: Number(status),
    checked: flag === '+' || flag.startsWith('!'),
    ...(flag.startsWith('e') ? { failure: flag.slice(1) } : {}),
    ...(flag.startsWith('!') ? { wrong: flag.slice(1, 200) } : {}),
  };
}
