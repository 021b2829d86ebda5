/** A run file that is refused: which, where, and why. */
import { UserError } from '../mistakes.ts';

export class RunFileError extends UserError {
  override readonly name = 'RunFileError';
  readonly source: string;
  readonly line: number | undefined;
  /** What is wrong, by a name that programs can rely on. */
  readonly reason: RunFileReason;

  constructor(reason: RunFileReason, says: string, source: string, line?: number) {
    super(`${source}${line === undefined ? '' : `:${line}`}: ${says}`, `run-file-${reason}`);
    this.reason = reason;
    this.source = source;
    this.line = line;
  }
}

export type RunFileReason =
  | 'unreadable'
  | 'empty'
  | 'cut-off'
  | 'not-json'
  | 'not-utf-8'
  | 'line-too-long'
  | 'unknown-version'
  | 'not-a-run'
  | 'malformed'
  | 'header-missing'
  | 'duplicate'
  | 'dangling'
  | 'contradiction';
