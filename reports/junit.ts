/**
 * JUnit XML, as GitLab, Jenkins and others read it. `untested`, `inconclusive` and waived rules are skips with their reason; a
 * fault in Touchstone and a run that ended early are errors.
 */
import type { Run } from '../src/vocabulary.ts';
import { type OutcomeKind, type OutcomeRow, outcomeRows } from './outcome-rows.ts';
import { type Summary, summaryOf } from './summary.ts';
import { inline } from './text.ts';
import { element, seconds, text } from './xml.ts';

export function junitReport(run: Run): string {
  const summary = summaryOf(run);
  const rows = outcomeRows(run);
  const suites = [...Map.groupBy(rows, ({ area }) => area)].map(([area, own]) => suite(run, summary, area, own));
  const attributes = {
    name: `touchstone ${run.header.target}`,
    ...countAttributes(rows),
    // The wall clock: rules are asked side by side, so that their own times add up to more.
    time: seconds(run.footer?.tookMs ?? rows.reduce((sum, each) => sum + each.ms, 0)),
  };
  return `<?xml version="1.0" encoding="UTF-8"?>\n${element('testsuites', attributes, `\n${suites.join('\n')}\n`)}\n`;
}

const elements: Readonly<Record<OutcomeKind, 'failure' | 'error' | 'skipped' | undefined>> = {
  passed: undefined,
  noted: undefined,
  failed: 'failure',
  error: 'error',
  skipped: 'skipped',
  open: 'skipped',
  waived: 'skipped',
};

const count = (rows: readonly OutcomeRow[], name: 'failure' | 'error' | 'skipped'): string =>
  String(rows.filter(({ kind }) => elements[kind] === name).length);

const countAttributes = (rows: readonly OutcomeRow[]): Record<string, string> => ({
  tests: String(rows.length),
  failures: count(rows, 'failure'),
  errors: count(rows, 'error'),
});

function suite(run: Run, summary: Summary, area: string, rows: readonly OutcomeRow[]): string {
  const rulesOf = (wanted: OutcomeKind): string =>
    rows
      .filter(({ kind, level }) => kind === wanted && level !== undefined)
      .map(({ id }) => id)
      .join(' ');
  const properties: Record<string, string> = {
    'touchstone.version': run.header.touchstone,
    'touchstone.outcome': summary.outcome,
    'touchstone.complete': String(summary.complete),
    'touchstone.seed': String(run.header.seed),
    'touchstone.depth': run.header.depth,
    'touchstone.strict': String(run.header.strict),
    'touchstone.inconclusive': rulesOf('open'),
    'touchstone.untested': rulesOf('skipped'),
  };
  const attributes = {
    name: classOf(area),
    ...countAttributes(rows),
    skipped: count(rows, 'skipped'),
    time: seconds(rows.reduce((sum, each) => sum + each.ms, 0)),
    // Without a zone, as the schema has it.
    timestamp: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/.exec(run.header.started)?.[0] ?? '1970-01-01T00:00:00',
  };
  const inner = Object.entries(properties).map(([key, value]) => element('property', { name: key, value }));
  const content = [element('properties', {}, `\n${inner.join('\n')}\n`), ...rows.map((row) => testcase(run, row))];
  return element('testsuite', attributes, `\n${content.join('\n')}\n`);
}

const classOf = (area: string): string => (area === '' ? 'touchstone' : `touchstone.${area}`);

const testcase = (run: Run, row: OutcomeRow): string =>
  element('testcase', { classname: classOf(row.area), name: row.name, time: seconds(row.ms) }, content(run, row));

function content(run: Run, row: OutcomeRow): string {
  const name = elements[row.kind];
  if (name === undefined) {
    if (row.detail === '') return '';
    return element('system-out', {}, text(row.verdict === 'warn' ? `WARNING\n${row.detail}` : row.detail));
  }
  const { type, message, told } = wording(run, row);
  return element(name, { message: inline(message, 500), type }, text(told));
}

function wording(run: Run, { kind, verdict, says, detail, waiver, level }: OutcomeRow) {
  if (kind === 'waived') return { type: 'waived', message: `${verdict}, ${waiver}`, told: detail };
  if (kind === 'failed' && level !== undefined)
    return {
      type: verdict === 'warn' && run.header.strict ? 'warning under --strict' : 'violation',
      message: says,
      told: detail,
    };
  if ((kind === 'skipped' || kind === 'open') && level !== undefined) {
    const type = verdict === 'missing' ? 'inconclusive' : verdict;
    // The reason is in both: some readers show the one, some the other.
    const message = `${type}: ${says}${waiver === undefined ? '' : `; ${waiver}`}`;
    return { type, message, told: message };
  }
  return { type: verdict === 'error' ? 'harness' : verdict, message: says, told: says };
}
