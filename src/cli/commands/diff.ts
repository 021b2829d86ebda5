/** `touchstone diff`: what is new, fixed and still failing between two runs, and why. */
import { differenceOf, type JudgedAlike } from '../../../reports/diff.ts';
import { diffConsole, diffJson, diffMarkdown, of } from '../../../reports/diff-text.ts';
import { exitCodes, type Run } from '../../model/run.ts';
import { readRunFile } from '../../runfile/read.ts';
import { deriveAgain } from '../../verdict/derive-again.ts';
import { catalogue } from '../catalogue.ts';
import { exitWith, out, terminal } from '../output.ts';

export interface DiffFlags {
  readonly format: 'console' | 'markdown' | 'json';
}

export function diff(pathBefore: string, pathAfter: string, { format }: DiffFlags): void {
  const [before, after] = [readRunFile(pathBefore, { partial: true }), readRunFile(pathAfter, { partial: true })];
  const difference = differenceOf(before, after, judgedAlike(before, after));
  if (format === 'json') out(diffJson(difference));
  else if (format === 'markdown') out(diffMarkdown(difference));
  else out(diffConsole(difference, { colour: terminal.colour }));
  const lost = of(difference, 'lost').some(({ level }) => level === 'required');
  if (of(difference, 'new').length > 0) exitWith(exitCodes.violation);
  else exitWith(difference.incomplete || lost ? exitCodes.incomplete : exitCodes.conforms);
}

const isOfToday = ({ header: { rules } }: Run): boolean =>
  rules.version === catalogue.version && rules.specification === catalogue.specification;

/** The rules that are here are those of at least one of the runs, or nothing can be judged alike. */
function judgedAlike(before: Run, after: Run): JudgedAlike {
  if (isOfToday(before) === isOfToday(after)) return {};
  return isOfToday(after)
    ? { before: deriveAgain(before, catalogue.rules) }
    : { after: deriveAgain(after, catalogue.rules) };
}
