/** From a written run to a run in memory; whatever is not what the engine wrote is refused, by its line. */
import { closeSync, openSync, readSync } from 'node:fs';
import type { Run } from '../model/run.ts';
import { Assembly } from './assembly.ts';
import { RunFileError } from './problem.ts';

export { RunFileError } from './problem.ts';

export interface ReadRunOptions {
  /** What messages call it. */
  readonly source?: string;
  /** Drops a last line that is only half there, instead of refusing the file. The run then has no footer. */
  readonly partial?: boolean;
}

/** Bytes. A body of the largest bound that a profile may set does not fit a line; nobody reads such a run either. */
export const longestLine = 64 * 2 ** 20;
const chunk = 2 ** 20;

/** From the text itself. Throws a RunFileError. */
export const readRun = (text: string, options: ReadRunOptions = {}): Run =>
  readRunBytes(Buffer.from(text, 'utf8'), options);

/** The same for what a file holds. */
export function readRunBytes(bytes: Buffer, options: ReadRunOptions = {}): Run {
  const lines = new Lines(options);
  lines.take(bytes);
  return lines.end();
}

/** From a file, a piece at a time. Throws a RunFileError, also where the file can't be read. */
export function readRunFile(path: string, options: ReadRunOptions = {}): Run {
  const source = options.source ?? path;
  const lines = new Lines({ ...options, source });
  let file: number | undefined;
  try {
    file = openSync(path, 'r');
    for (;;) {
      const buffer = Buffer.allocUnsafe(chunk);
      const length = readSync(file, buffer, 0, chunk, null);
      if (length === 0) break;
      lines.take(buffer.subarray(0, length));
    }
  } catch (error) {
    if (error instanceof RunFileError) throw error;
    throw new RunFileError('unreadable', `the run file cannot be read: ${whyNot(error)}`, source);
  } finally {
    if (file !== undefined) closeSync(file);
  }
  return lines.end();
}

const whyNot = (error: unknown): string => {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const known: Record<string, string> = {
    ENOENT: 'there is no such file',
    EACCES: 'permission denied',
    EISDIR: 'it is a folder',
    ENOTDIR: 'a part of its path is not a folder',
  };
  return known[code] ?? (error instanceof Error ? error.message : String(error));
};

/** Splits into lines, whatever the pieces. */
class Lines {
  readonly #source: string;
  readonly #partial: boolean;
  readonly #assembly: Assembly;
  readonly #decoder = new TextDecoder('utf-8', { fatal: true });
  #rest: Buffer[] = [];
  #restBytes = 0;
  #line = 0;

  constructor({ source = 'the run', partial = false }: ReadRunOptions) {
    this.#source = source;
    this.#partial = partial;
    this.#assembly = new Assembly(source);
  }

  take(bytes: Buffer): void {
    let from = 0;
    for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, from)) {
      this.#keep(bytes.subarray(from, at));
      this.#full();
      from = at + 1;
    }
    this.#keep(bytes.subarray(from));
  }

  end(): Run {
    if (this.#restBytes > 0) {
      if (this.#partial && !this.#isWhole()) this.#rest = [];
      else this.#full(true);
    }
    return this.#assembly.end();
  }

  #keep(bytes: Buffer): void {
    if (bytes.length === 0) return;
    this.#restBytes += bytes.length;
    if (this.#restBytes > longestLine)
      throw new RunFileError(
        'line-too-long',
        `the line is longer than ${longestLine} bytes`,
        this.#source,
        this.#line + 1,
      );
    this.#rest.push(bytes);
  }

  #full(last = false): void {
    const bytes = this.#rest.length === 1 ? this.#rest[0]! : Buffer.concat(this.#rest);
    this.#rest = [];
    this.#restBytes = 0;
    this.#line += 1;
    let text: string;
    try {
      text = this.#decoder.decode(bytes);
    } catch {
      throw new RunFileError('not-utf-8', 'the line is not UTF-8 text', this.#source, this.#line);
    }
    if (text.trim() !== '') this.#assembly.line(text, this.#line, last);
  }

  #isWhole(): boolean {
    try {
      JSON.parse(Buffer.concat(this.#rest).toString('utf8'));
      return true;
    } catch {
      return false;
    }
  }
}
