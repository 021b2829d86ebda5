/**
 * TAP 14, the Test Anything Protocol. What is not a pass is `not ok`, a skip with its reason, or, where it is temporarily
 * accepted, a `TODO`; diagnostics are YAML blocks.
 */
import type { Run } from '../src/vocabulary.ts';
import { type OutcomeKind, type OutcomeRow, outcomeRows } from './outcome-rows.ts';
import { countsInWords, summaryOf } from './summary.ts';
import { inline, visibleLines } from './text.ts';

export function tapReport(run: Run): string {
  const rows = outcomeRows(run);
  const { headline, because, counts } = summaryOf(run);
  const comments = [`${run.header.target}, seed ${run.header.seed}, depth ${run.header.depth}`];
  const end = [`${headline}. ${because}`, ...(run.header.planned.length === 0 ? [] : [countsInWords(counts)])];
  return [
    'TAP version 14',
    `1..${rows.length}`,
    ...comments.map(comment),
    ...rows.flatMap(lines),
    ...end.map(comment),
    '',
  ].join('\n');
}

const comment = (text: string): string => `# ${inline(text, 600)}`;

/** A `#` begins a directive, and a backslash escapes it. */
const description = (text: string): string => inline(text, 250).replaceAll(/[\\#]/g, (sign) => `\\${sign}`);

const isOk: Readonly<Record<OutcomeKind, boolean>> = {
  passed: true,
  noted: true,
  failed: false,
  error: false,
  skipped: true,
  open: true,
  waived: false,
};

function lines(row: OutcomeRow, at: number): string[] {
  const { kind, name } = row;
  const first = `${isOk[kind] ? 'ok' : 'not ok'} ${at + 1} - ${description(name)}${directive(row)}`;
  return [first, ...diagnostics(row)];
}

function directive({ kind, verdict, says, waiver }: OutcomeRow): string {
  const reason = (text: string): string => inline(text, 400).replaceAll('#', String.raw`\#`);
  if (kind === 'waived') return ` # TODO ${reason(waiver ?? '')}`;
  if (kind === 'skipped' || kind === 'open')
    return ` # SKIP ${reason(`${verdict}: ${says}${waiver === undefined ? '' : `; ${waiver}`}`)}`;
  return '';
}

/** JSON strings are YAML strings, whatever they hold. */
function diagnostics({ kind, verdict, says, detail, ms }: OutcomeRow): string[] {
  if (kind === 'passed' || kind === 'skipped' || kind === 'open') return [];
  const members = [
    `message: ${JSON.stringify(inline(says, 1000))}`,
    `severity: ${JSON.stringify(verdict)}`,
    `duration_ms: ${Math.round(ms)}`,
    ...(detail === '' ? [] : ['details:', ...visibleLines(detail).map((line) => `  - ${JSON.stringify(line)}`)]),
  ];
  return ['---', ...members, '...'].map((line) => `  ${line}`);
}
