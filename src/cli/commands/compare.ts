/** `touchstone compare`: runs of load against others, side by side. Green only where something was shown. */
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { inline, list } from '../../../reports/text.ts';
import { againstComparing, remarksOn, type Side } from '../../load/compare/comparable.ts';
import { type Comparison, compareSides } from '../../load/compare/compare.ts';
import { linesOf } from '../../load/compare/words.ts';
import type { Measurement } from '../../model/measurement.ts';
import { exitCodes, type Run } from '../../model/run.ts';
import { readRunFile } from '../../runfile/read.ts';
import { UsageError } from '../errors.ts';
import { exitWith, out, say } from '../output.ts';

export interface CompareFlags {
  /** In percent. */
  readonly within?: number;
  readonly acceptCannotTell?: true;
  readonly json?: true;
}

/** More than anybody repeats; a folder that holds more is another folder. */
const mostFiles = 500;

export function compare(paths: readonly string[], flags: CompareFlags): void {
  if (paths.length < 2) throw new UsageError('compare needs two sides: the base, and what to compare with it');
  exitWith(compareMeasured(paths.map(sideOf), flags));
}

/** Reports the result; the exit code. */
export function compareMeasured(sides: readonly Side[], flags: CompareFlags): number {
  const against = againstComparing(sides);
  if (against.length > 0)
    throw new UsageError(
      `these runs cannot be compared:\n${against
        .slice(0, 20)
        .map((each) => `  ${inline(each)}`)
        .join('\n')}`,
    );
  const [base, ...others] = sides;
  const options = flags.within === undefined ? {} : { within: flags.within / 100 };
  const comparisons = others.map((side) => compareSides(base!, side, options));
  const remarks = remarksOn(sides);
  if (flags.json) out(JSON.stringify({ comparisons, remarks }, null, 2));
  else {
    out(
      comparisons
        .map((each) =>
          linesOf(each)
            .map((line) => inline(line))
            .join('\n'),
        )
        .join('\n\n'),
    );
    for (const remark of remarks) out(`Note: ${inline(remark)}`);
  }
  const code = exitCodeOf(comparisons, flags);
  if (code === exitCodes.violation) say(`exit code ${code}: slower`);
  if (code === exitCodes.incomplete)
    say(`exit code ${code}: cannot tell, which is not a success (unless you pass --accept-cannot-tell)`);
  return code;
}

function exitCodeOf(comparisons: readonly Comparison[], { acceptCannotTell }: CompareFlags): number {
  const has = (verdict: Comparison['verdict']): boolean => comparisons.some((each) => each.verdict === verdict);
  if (has('slower')) return exitCodes.violation;
  return has('cannot tell') && !acceptCannotTell ? exitCodes.incomplete : exitCodes.conforms;
}

/** A run file, or a folder of them: each repeat may have a file of its own. */
function sideOf(path: string): Side {
  const measurements = runFilesOf(path).flatMap((file) => comparableOf(file, readRunFile(file)));
  return { name: path, measurements };
}

function runFilesOf(path: string): string[] {
  if (!(statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false)) return [path];
  const found = readdirSync(path, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.jsonl'))
    .sort();
  if (found.length === 0) throw new UsageError(`${path}: there is no run file (*.jsonl) in this folder`);
  if (found.length > mostFiles)
    throw new UsageError(`${path}: there are more than ${mostFiles} run files in this folder`);
  return found.map((name) => join(path, name));
}

/** Of a search, its end; its steps were measured at other rates. */
function comparableOf(file: string, { measurements = [], footer }: Run): readonly Measurement[] {
  if (footer === undefined)
    throw new UsageError(`${file}: the run ended early: it has no footer, so it is not a measurement`);
  if (footer.interrupted) throw new UsageError(`${file}: the run was interrupted, so it is not a measurement`);
  const searched = measurements.filter(({ capacity }) => capacity !== undefined);
  const scenarios = new Set(measurements.map(({ scenario }) => scenario));
  if (scenarios.size > 1) throw new UsageError(`${file}: it holds several scenarios: ${list([...scenarios])}`);
  return searched.length > 0 ? searched : measurements;
}
