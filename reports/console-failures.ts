/** Each failure with all that it takes to believe it, reproduce it and fix it; warnings shorter. */
import { type Finding, type PlannedRule, type Reason, ruleAddress } from '../src/vocabulary.ts';
import { again } from './again.ts';
import { restsOn } from './asked.ts';
import { timelineOf } from './client-timeline.ts';
import type { View } from './console.ts';
import { rowsWith } from './console-parts.ts';

import { exchangeLines } from './exchange-text.ts';
import { verdictStyle } from './paint.ts';
import { inline, plural, wrap } from './text.ts';
import { waiverOf } from './waiver.ts';

const reasonsShown = 5;
const indent = '  ';

export function failureLines(view: View): string[][] {
  return rowsWith(view, 'fail').map(({ planned, finding }) => {
    const mark = finding?.waived === undefined ? 'FAIL' : 'FAIL, waived';
    const title = `${view.paint(verdictStyle.fail, mark)} ${view.paint('bold', inline(planned.rule))}`;
    return [title, ...indented(detailLines(view, planned, finding!))];
  });
}

const indented = (lines: readonly string[]): string[] => lines.map((line) => (line === '' ? '' : indent + line));

function detailLines(view: View, planned: PlannedRule, finding: Finding): string[] {
  const { paint, width } = view;
  const { shown, left } = chosen(finding);
  return [
    ...waiverLines(view, finding),
    ...clauseLines(view, planned),
    ...placeLines(finding).map((line) => paint('yellow', line)),
    ...shown.flatMap((reason) => reasonLines(view, reason, shown.length > 1)),
    ...(left > 0 ? [`and ${plural(left, 'more reason')} of this kind (in report.json and the run file)`] : []),
    ...proofLines(view, finding, shown),
    ...(planned.fix === '' ? [] : wrap(`Fix: ${inline(planned.fix, 400)}`, width - 2)),
    ...pageLines(view, planned),
  ];
}

const pageLines = ({ options }: View, { rule }: PlannedRule): string[] => {
  const page = ruleAddress(inline(rule), options.docs);
  return page === undefined ? [] : [`More: ${page}`];
};

const waiverLines = ({ paint, width }: View, { waived }: Finding): string[] =>
  waived === undefined
    ? []
    : wrap(inline(waiverOf(waived), 600), width - 2).map((line) => paint(verdictStyle.inconclusive, line));

const clauseLines = ({ paint, width }: View, { clause, level }: PlannedRule): string[] =>
  wrap(
    `${inline(clause.section, 60)} says: ${inline(clause.says, 400)}${level === 'required' ? '' : ` (${level})`}`,
    width - 2,
  ).map((line) => paint('dim', line));

/** Where it fails, and how surely. */
export function placeLines(finding: Finding): string[] {
  const { where, seen, asked } = finding;
  const parts: string[] = [];
  if (where !== undefined) parts.push(`only ${inline(where, 300)}`);
  if (seen !== undefined) parts.push(`seen ${seen.times} of ${seen.of} times`);
  if (parts.length === 0)
    return asked.contexts > 1 ? [`In each of the ${asked.contexts} contexts it was asked in.`] : [];
  const text = parts.join(', ');
  return [
    `${text.charAt(0).toUpperCase()}${text.slice(1)} (${asked.contexts === 0 ? 'of' : 'asked in'} ${restsOn(finding)}).`,
  ];
}

function chosen({ reasons }: Finding): { shown: readonly Reason[]; left: number } {
  const telling = reasons.filter((reason) => reason.weight !== 'note');
  const shown = telling.slice(0, reasonsShown);
  return { shown, left: telling.length - shown.length };
}

/** Among several, each says which request it is about: one alone is shown in full. */
function reasonLines({ paint, run }: View, { expected, came, exchange }: Reason, isOneOfSeveral: boolean): string[] {
  const request = exchange === undefined ? undefined : run.exchanges.get(exchange)?.request;
  const what =
    isOneOfSeveral && request !== undefined ? `: ${inline(request.method)} ${inline(request.target, 120)}` : '';
  return [
    `expected ${paint('green', inline(expected, 300))}`,
    `got ${paint('red', inline(came, 300))}${exchange === undefined ? '' : paint('dim', `   (exchange ${exchange}${what})`)}`,
  ];
}

/** One exchange in full; the others are named. */
function proofLines(view: View, finding: Finding, shown: readonly Reason[]): string[] {
  const ids = [...shown.flatMap(({ exchange }) => exchange ?? []), ...finding.exchanges];
  const exchange = ids.map((id) => view.run.exchanges.get(id)).find((each) => each !== undefined);
  if (exchange === undefined) return [];
  const { command, notes } = again(view.run.header, exchange, finding.rule);
  return [
    ...timelineOf(view.run, finding).map((line) => view.paint('dim', line)),
    ...exchangeLines(exchange).map((line) => `${indent}${view.paint('dim', line)}`),
    `Reproduce: ${command}`,
    ...notes.map((note) => view.paint('dim', `${indent}# ${inline(note, 300)}`)),
  ];
}

export function warningLines(view: View): string[] {
  const rows = rowsWith(view, 'warn');
  if (rows.length === 0) return [];
  const { paint, run } = view;
  const weight = run.header.strict
    ? 'violations, because of --strict'
    : `no violations: the specification ${run.header.client === undefined ? 'is silent there' : 'says "should" there, or is silent'}`;
  const lines = [paint('bold', `Warnings (${rows.length}; ${weight})`)];
  for (const { planned, finding } of rows) {
    const { shown, left } = chosen(finding!);
    const [first] = shown;
    lines.push(`  ${paint(verdictStyle.warn, 'warn')} ${inline(planned.rule)}`);
    lines.push(...waiverLines({ ...view, width: view.width - 2 }, finding!).map((line) => `    ${line}`));
    lines.push(
      ...wrap(`${inline(planned.clause.section, 60)}: ${inline(planned.clause.says, 300)}`, view.width - 4).map(
        (line) => `    ${paint('dim', line)}`,
      ),
    );
    if (finding?.where !== undefined || finding?.seen !== undefined)
      lines.push(...placeLines(finding).map((line) => `    ${line}`));
    if (first !== undefined) {
      const at = first.exchange === undefined ? '' : ` (exchange ${first.exchange})`;
      lines.push(`    expected ${inline(first.expected)}, got ${inline(first.came)}${at}`);
    }
    lines.push(...timelineOf(run, finding!).map((line) => `    ${paint('dim', line)}`));
    if (left + shown.length > 1) lines.push(`    and ${plural(left + shown.length - 1, 'more reason')}`);
    if (planned.fix !== '')
      lines.push(...wrap(`Fix: ${inline(planned.fix, 300)}`, view.width - 4).map((line) => `    ${line}`));
  }
  return lines;
}
