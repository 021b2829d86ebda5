/** Options of a format. All are optional, and a format ignores those that it has no use for. */
import type { Run } from '../src/vocabulary.ts';
import type { ClauseRow } from './coverage.ts';
import type { LimitPicture } from './html/limits.ts';
import type { CurveOf } from './html/load.ts';

export interface ReportOptions {
  /** Console: colours and weights. */
  readonly colour?: boolean;
  /** Console: the last lines only. */
  readonly quiet?: boolean;
  /** Console: passes and observed facts too. */
  readonly verbose?: boolean;
  /** Console: how each number of a limit was found. */
  readonly explain?: boolean;
  /** Where the run was written, for hints at what to do next. */
  readonly runFile?: string;
  /** Console: characters a line. */
  readonly width?: number;
  /** Console: another report that was asked for could not be written, and this is what the process ends with for it. */
  readonly unwritten?: number;
  /** Markdown: where the place for it takes less than usual. */
  readonly maxBytes?: number;
  /** Markdown, HTML: every clause of the specification, which a run alone does not know. */
  readonly coverage?: readonly ClauseRow[];
  /** The address of the documentation, which has a page for each rule. */
  readonly docs?: string;
  /** HTML: limits to be drawn. */
  readonly limits?: readonly LimitPicture[];
  /** HTML: reads the percentiles of a histogram, for the pictures of load. */
  readonly curveOf?: CurveOf;
}

export type Report = (run: Run, options?: ReportOptions) => string;
