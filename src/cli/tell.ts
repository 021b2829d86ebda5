/** Delivers the reports of a finished run. */
import type { Run } from '../model/run.ts';
import type { RunFileWriteError, RunWriter } from '../runfile/write.ts';
import { calmed, inActions, tellActions } from './actions.ts';
import { type Destination, deliver } from './formats.ts';
import { say } from './output.ts';

export interface Told {
  readonly quiet?: true;
  readonly verbose?: true;
  readonly explain?: true;
}

/** What was written before the harness itself failed is reported as what it is: an incomplete run. */
export async function salvage(writer: RunWriter, destinations: readonly Destination[], flags: Told): Promise<void> {
  try {
    writer.close();
    const { readRunFile } = await import('../runfile/read.ts');
    const run = readRunFile(writer.path, { partial: true });
    await tell(run, destinations, flags, writer.path);
  } catch {
    // The error that led here is reported, and is the one that matters.
  }
}

/** The answer is seen in any case: where nothing for people goes to standard output, its last lines go to standard error. */
export async function tell(
  run: Run,
  destinations: readonly Destination[],
  flags: Told,
  runFile: string,
  unwritten?: RunFileWriteError,
): Promise<void> {
  const options = {
    ...(unwritten === undefined ? { runFile } : {}),
    ...(flags.quiet === undefined ? {} : { quiet: true }),
    ...(flags.verbose === undefined ? {} : { verbose: true }),
    ...(flags.explain === undefined ? {} : { explain: true }),
  };
  await deliver(run, destinations, options, unwritten);
  if (!destinations.some(({ format }) => format === 'github')) await tellActions(run, options);
  if (destinations.some(({ format, path }) => format === 'console' && path === undefined)) return;
  const { consoleReport } = await import('../../reports/console.ts');
  const text = consoleReport(run, { quiet: true }).trimEnd();
  say(inActions() ? calmed(text) : text);
}
