/** `touchstone judge`: every verdict of a written run derived again from what was recorded. */
import { isDeepStrictEqual } from 'node:util';
import type { Report } from '../../../reports/index.ts';
import { inline, plural } from '../../../reports/text.ts';
import type { Catalogue } from '../../model/rule.ts';
import { exitCodes, outcomeOf, type Run } from '../../model/run.ts';
import type { Finding } from '../../model/verdict.ts';
import { readRunFile } from '../../runfile/read.ts';
import { deriveAgain, differencesOf, isRewording } from '../../verdict/derive-again.ts';
import { catalogue, catalogueOf, clientCatalogue, frozenSet } from '../catalogue.ts';
import { UsageError } from '../errors.ts';
import { exitWith, out, say, terminal } from '../output.ts';

export interface JudgeFlags {
  readonly verbose?: true;
  readonly rules?: string;
}

export function judge(path: string, flags: JudgeFlags, show: Report): void {
  const known = catalogueOf(flags.rules);
  const run = under(known, readRunFile(path), flags.rules !== undefined);
  if (run.footer === undefined) {
    throw new UsageError(
      `${path}: the run ended early: it has no footer, so its result is unknown`,
      'run-file-cut-off',
    );
  }
  noteVersions(run);
  const derived: Run = { ...run, findings: deriveAgain(run, known.rules, clientCatalogue.rules) };
  const all = differencesOf(run.findings, derived.findings);
  const differences = all.filter((each) => !isRewording(each));
  const reworded = all.length - differences.length;
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
  if (reworded > 0)
    out(
      `${plural(reworded, 'finding')} ${reworded === 1 ? 'is' : 'are'} worded differently in the file; what follows is worded as today.\n`,
    );
  out(show(derived, { ...(flags.verbose ? { verbose: true } : { quiet: true }), colour: terminal.colour }));
  if (differences.length > 0)
    say(`exit code ${exitCodes.incomplete}: the stored verdicts do not follow from the recorded exchanges`);
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
  const why = first === undefined ? because : `expected ${first.expected}, got ${first.came}`;
  return inline(why === undefined ? verdict : `${verdict} (${why})`, 300);
}

/** Only what a set holds is judged by it. Nothing of the run but its plan and its findings is of the set. */
function under({ rules, version, specification }: Catalogue, run: Run, isAsked: boolean): Run {
  if (!isAsked) return run;
  if (run.header.client !== undefined)
    throw new UsageError('--rules: the rules of clients have no frozen sets; omit it', 'unknown-rule-set');
  const own = new Set<string>(rules.map(({ id }) => id));
  const planned = run.header.planned.filter(({ rule }) => own.has(rule));
  const left = run.header.planned.length - planned.length;
  if (left > 0)
    say(`${plural(left, 'rule')} of the run ${left === 1 ? 'is' : 'are'} not in set ${version}, and not judged.`);
  return {
    ...run,
    header: { ...run.header, planned, rules: { version, specification } },
    findings: run.findings.filter(({ rule }) => own.has(rule)),
  };
}

/** A version that is kept is judged as it was; of another, nobody can say. */
function noteVersions({ header: { rules, client } }: Run): void {
  const { version, specification } = client === undefined ? catalogue : clientCatalogue;
  if (client === undefined ? frozenSet(rules.version) === undefined : rules.version !== version)
    say(
      `The run was judged by rules of version ${inline(rules.version, 40)}; these are of version ${version}, so verdicts may legitimately differ.`,
    );
  if (rules.specification !== specification) say('The run was judged by a different text of the specification.');
}
