/** `touchstone judge`: every verdict of a written run derived again from what was recorded. */
import { isDeepStrictEqual } from 'node:util';
import type { Report } from '../../../reports/index.ts';
import { inline, plural } from '../../../reports/text.ts';
import { exitCodes, outcomeOf, type Run } from '../../model/run.ts';
import type { Finding } from '../../model/verdict.ts';
import { readRunFile } from '../../runfile/read.ts';
import { deriveAgain, differencesOf } from '../../verdict/derive-again.ts';
import { catalogue, clientCatalogue } from '../catalogue.ts';
import { UsageError } from '../errors.ts';
import { exitWith, out, say, terminal } from '../output.ts';

export function judge(path: string, flags: { readonly verbose?: true }, show: Report): void {
  const run = readRunFile(path);
  if (run.footer === undefined) {
    throw new UsageError(
      `${path}: the run is cut off: it has no footer, so nobody knows what it would have come to`,
      'run-file-cut-off',
    );
  }
  noteVersions(run);
  const derived: Run = { ...run, findings: deriveAgain(run, catalogue.rules, clientCatalogue.rules) };
  const differences = differencesOf(run.findings, derived.findings);
  for (const difference of differences) {
    const { written, derived: now } = inWords(difference.written, difference.derived);
    out(`${inline(difference.derived.rule)} differs\n  written: ${written}\n  derived: ${now}`);
  }
  const count = plural(derived.findings.length, 'verdict');
  out(
    differences.length === 0
      ? `${count} derived again: all as written.\n`
      : `${count} derived again: ${differences.length} differ from what is written.\n`,
  );
  out(show(derived, { ...(flags.verbose ? { verbose: true } : { quiet: true }), colour: terminal.colour }));
  if (differences.length > 0) say(`exit code ${exitCodes.incomplete}: what is written is not what was recorded`);
  exitWith(differences.length > 0 ? exitCodes.incomplete : exitCodes[outcomeOf(derived)]);
}

/** The verdict where that differs, and otherwise all of it. */
function inWords(then: Finding | undefined, now: Finding): { readonly written: string; readonly derived: string } {
  if (then === undefined) return { written: 'no verdict', derived: now.verdict };
  if (then.verdict !== now.verdict) return { written: saying(then), derived: saying(now) };
  const names = [...new Set([...Object.keys(then), ...Object.keys(now)])] as (keyof Finding)[];
  const other = names.filter((name) => !isDeepStrictEqual(then[name], now[name]));
  const part = (finding: Finding): string =>
    inline(other.map((name) => `${name} ${JSON.stringify(finding[name]) ?? 'nothing'}`).join(', '), 300);
  return { written: part(then), derived: part(now) };
}

function saying({ verdict, reasons: [first], because }: Finding): string {
  const why = first === undefined ? because : `expected ${first.expected}, came ${first.came}`;
  return inline(why === undefined ? verdict : `${verdict} (${why})`, 300);
}

function noteVersions({ header: { rules, client } }: Run): void {
  const { version, specification } = client === undefined ? catalogue : clientCatalogue;
  if (rules.version !== version)
    say(
      `The run was judged by rules of version ${inline(rules.version, 40)}; these are of version ${version}, so verdicts may differ by right.`,
    );
  if (rules.specification !== specification) say('The run was judged by another text of the specification.');
}
