/** `touchstone report`: a run that was written, in any format. The exit code is the run's. */
import { exitCodes, outcomeOf } from '../../model/run.ts';
import { readRunFile } from '../../runfile/read.ts';
import { makeOutputFolder } from '../../runfile/write.ts';
import { deliver, destinationsOf } from '../formats.ts';
import { exitWith } from '../output.ts';

export interface ReportFlags {
  readonly format?: readonly string[];
  readonly output: string;
  readonly quiet?: true;
  readonly verbose?: true;
}

export async function report(path: string, flags: ReportFlags): Promise<void> {
  const destinations = destinationsOf(flags.format ?? ['console'], flags.output);
  const run = readRunFile(path, { partial: true });
  if (destinations.some((each) => each.path?.startsWith(flags.output))) makeOutputFolder(flags.output);
  await deliver(run, destinations, {
    runFile: path,
    ...(flags.quiet === undefined ? {} : { quiet: true }),
    ...(flags.verbose === undefined ? {} : { verbose: true }),
  });
  exitWith(exitCodes[outcomeOf(run)]);
}
