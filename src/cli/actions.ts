/** GitHub Actions: annotations and the job summary come by themselves where a run ends there. */
import { appendFileSync, statSync } from 'node:fs';
import { formats, type Report, type ReportOptions } from '../../reports/index.ts';
import type { Run } from '../model/run.ts';
import { documentationBase } from './documentation.ts';
import { say } from './output.ts';

export const inActions = (): boolean => process.env.GITHUB_ACTIONS === 'true';

/** What the summary of one step takes; more, and the whole of it is dropped. */
const mostBytes = 2 ** 20;

export async function tellActions(run: Run, options: ReportOptions): Promise<void> {
  if (!inActions()) return;
  const github: Report = await formats.github.load();
  const annotations = github(run, { ...options, docs: documentationBase() }).trimEnd();
  // On standard error, where the runner reads them too, so that a report on standard output stays what it is.
  if (annotations !== '') say(annotations);
  const path = process.env.GITHUB_STEP_SUMMARY ?? '';
  if (path === '') return;
  try {
    const maxBytes = mostBytes - sizeOf(path);
    const { coverageOf } = await import('./commands/clauses.ts');
    const markdown = await formats.markdown.load();
    const text = markdown(run, { ...options, docs: documentationBase(), maxBytes, coverage: coverageOf(run) });
    if (Buffer.byteLength(text) > maxBytes) say('the job summary has no room left for the report');
    else appendFileSync(path, text);
  } catch (error) {
    // The verdict stands all the same.
    say(`the job summary could not be written: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function sizeOf(path: string): number {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats?.size ?? 0;
}

/** A line that a service made must not be a command to the runner: it takes `::…` at the start of a line and `##[…]` anywhere. */
export const calmed = (text: string): string =>
  text.replaceAll(/##(?=\[)/g, '# #').replaceAll(/^(\s*):(?=:)/gm, '$1: ');
