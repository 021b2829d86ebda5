/** What must hold of every run, whatever the service was: it can be judged again from its file, nothing failed, every report can be written. */
import { formatNames, formats } from '../../reports/index.ts';
import type { Rule } from '../../src/model/rule.ts';
import { outcomeOf, type Run, type RunRecord } from '../../src/model/run.ts';
import { readRun } from '../../src/runfile/read.ts';
import { deriveAgain, differencesOf } from '../../src/verdict/derive-again.ts';

export interface Written {
  readonly run: Run;
  /** As the engine handed them out, in their order. */
  readonly records: readonly RunRecord[];
}

/** One sentence for each thing that does not hold. */
export async function problemsOfRun({ run, records }: Written, rules: readonly Rule[]): Promise<string[]> {
  const problems = run.findings.flatMap(({ rule, verdict, because }) =>
    verdict === 'error' ? [`${rule} is an error: ${because}`] : [],
  );
  if (run.footer === undefined) problems.push('the run has no footer');
  const read = attempt('reading the run file', problems, () =>
    readRun(`${records.map((record) => JSON.stringify(record)).join('\n')}\n`),
  );
  if (read === undefined) return problems;
  const derived = attempt('judging it again', problems, () => deriveAgain(read, rules));
  if (derived !== undefined) {
    const live = JSON.parse(JSON.stringify(run.findings)) as Run['findings'];
    for (const { written, derived: now } of differencesOf(live, derived))
      problems.push(`${now.rule} was ${written?.verdict} live and is ${now.verdict} from the file`);
    if (outcomeOf({ ...read, findings: derived }) !== outcomeOf(run))
      problems.push('the outcome is another from the file');
  }
  for (const name of formatNames) {
    const report = await formats[name].load();
    const text = attempt(`the report ${name}`, problems, () => report(read, { verbose: true }));
    if (text === '' && name !== 'github') problems.push(`the report ${name} is empty`);
  }
  return problems;
}

function attempt<T>(what: string, problems: string[], work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    problems.push(`${what} failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
    return undefined;
  }
}
