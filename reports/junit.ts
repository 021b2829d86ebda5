/**
 * JUnit XML, as GitLab, Jenkins and others read it. Only what passed is green: `untested`, `inconclusive` and what is waived
 * are skips with their reason, a fault of the harness is an error, and a run that did not come to its end has one test case more, which says so.
 */
import type { Finding, PlannedRule, Run } from '../src/vocabulary.ts';
import { checksOf } from './measured.ts';
import type { AreaRows, Row, Summary } from './summary.ts';
import { summaryOf } from './summary.ts';
import { detailOf, messageOf, timesOf } from './tell.ts';
import { cut, inline } from './text.ts';
import { waiverOf } from './waiver.ts';
import { element, seconds, text } from './xml.ts';

interface Case {
  readonly kind: 'passed' | 'failure' | 'error' | 'skipped';
  readonly xml: string;
  readonly ms: number;
}

/** GitLab takes 30 MB a file; thousands of characters a case are plenty. */
const longest = 8000;

export function junitReport(run: Run): string {
  const summary = summaryOf(run);
  const times = timesOf(run);
  const suites = [
    ...summary.areas.map((area) => suite(run, summary, area, times)),
    ...((run.measurements ?? []).length > 0 ? [loadSuite(run, summary)] : []),
  ];
  if (needsRunCase(summary, suites)) suites.push(runSuite(run, summary));
  const all = suites.flatMap(({ cases }) => cases);
  const attributes = {
    name: `touchstone ${run.header.target}`,
    ...countAttributes(all),
    // The wall clock: rules are asked side by side, so that their own times add up to more.
    time: seconds(run.footer?.tookMs ?? all.reduce((sum, each) => sum + each.ms, 0)),
  };
  const body = suites.map(({ xml }) => xml).join('\n');
  return `<?xml version="1.0" encoding="UTF-8"?>\n${element('testsuites', attributes, `\n${body}\n`)}\n`;
}

const countAttributes = (cases: readonly Case[]): Record<string, string> => ({
  tests: String(cases.length),
  failures: String(cases.filter(({ kind }) => kind === 'failure').length),
  errors: String(cases.filter(({ kind }) => kind === 'error').length),
});

interface Suite {
  readonly xml: string;
  readonly cases: readonly Case[];
}

function suite(run: Run, summary: Summary, { area, rows }: AreaRows, times: ReadonlyMap<string, number>): Suite {
  const cases = rows.map((row) => caseOf(run, row, times.get(row.planned.rule) ?? 0));
  return wrapped(run, summary, `touchstone.${area}`, cases, rows);
}

/** A whole run that says nothing must not look like one that passed; nor one that is no success for what is only skipped here. */
const needsRunCase = ({ complete, judged, outcome }: Summary, suites: readonly Suite[]): boolean =>
  !complete || !judged || (outcome !== 'conforms' && !suites.some(({ cases }) => cases.some(isRed)));

const isRed = ({ kind }: Case): boolean => kind === 'failure' || kind === 'error';

function loadSuite(run: Run, summary: Summary): Suite {
  const cases = checksOf(run.measurements ?? []).map(({ name, outcome, says }): Case => {
    const kind = outcome === 'passed' ? 'passed' : outcome === 'failed' ? 'failure' : 'skipped';
    const inner = kind === 'passed' ? '' : element(kind, { message: inline(says, 500), type: outcome }, text(says));
    return { kind, ms: 0, xml: element('testcase', { classname: 'touchstone.load', name, time: seconds(0) }, inner) };
  });
  return wrapped(run, summary, 'touchstone.load', cases, []);
}

function runSuite(run: Run, summary: Summary): Suite {
  const says = `${summary.headline}. ${summary.because}`;
  const inner = element('error', { message: inline(says, 500), type: summary.outcome }, text(says));
  const xml = element('testcase', { classname: 'touchstone', name: 'run.complete', time: seconds(0) }, inner);
  return wrapped(run, summary, 'touchstone', [{ kind: 'error', xml, ms: 0 }], []);
}

function wrapped(run: Run, summary: Summary, name: string, cases: readonly Case[], rows: readonly Row[]): Suite {
  const open = rows.filter(({ finding }) => finding === undefined || finding.verdict === 'inconclusive');
  const untested = rows.filter(({ finding }) => finding?.verdict === 'untested');
  const properties: Record<string, string> = {
    'touchstone.version': run.header.touchstone,
    'touchstone.outcome': summary.outcome,
    'touchstone.complete': String(summary.complete),
    'touchstone.seed': String(run.header.seed),
    'touchstone.depth': run.header.depth,
    'touchstone.strict': String(run.header.strict),
    'touchstone.inconclusive': open.map(({ planned }) => planned.rule).join(' '),
    'touchstone.untested': untested.map(({ planned }) => planned.rule).join(' '),
  };
  const attributes = {
    name,
    ...countAttributes(cases),
    skipped: String(cases.filter(({ kind }) => kind === 'skipped').length),
    time: seconds(cases.reduce((sum, each) => sum + each.ms, 0)),
    // Without a zone, as the schema has it.
    timestamp: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/.exec(run.header.started)?.[0] ?? '1970-01-01T00:00:00',
  };
  const inner = Object.entries(properties).map(([key, value]) => element('property', { name: key, value }));
  const content = [element('properties', {}, `\n${inner.join('\n')}\n`), ...cases.map(({ xml }) => xml)];
  return { cases, xml: element('testsuite', attributes, `\n${content.join('\n')}\n`) };
}

function caseOf(run: Run, { planned, finding }: Row, ms: number): Case {
  const { kind, inner } = resultOf(run, planned, finding);
  const name = `${planned.rule}: ${inline(planned.clause.says, 200)}`;
  const classname = `touchstone.${planned.rule.split('.')[0]}`;
  return { kind, ms, xml: element('testcase', { classname, name, time: seconds(ms) }, inner) };
}

function resultOf(run: Run, planned: PlannedRule, finding: Finding | undefined): { kind: Case['kind']; inner: string } {
  const skipped = (why: string, type: string) => ({
    kind: 'skipped' as const,
    // The reason stands in both: some show the one, some the other.
    inner: element('skipped', { message: inline(`${type}: ${why}`, 500), type }, text(`${type}: ${why}`)),
  });
  if (finding === undefined) return skipped('the run ended before this rule had a verdict', 'inconclusive');
  const { verdict, because = '', facts } = finding;
  const waiver = finding.waived === undefined ? '' : waiverOf(finding.waived);
  if (verdict === 'untested' || verdict === 'inconclusive')
    return skipped(waiver === '' ? because : `${because}; ${waiver}`, verdict);
  if (verdict === 'error') {
    const says = `a fault of the harness, not of the service: ${because}`;
    return { kind: 'error', inner: element('error', { message: inline(says, 500), type: 'harness' }, text(says)) };
  }
  const told = cut(detailOf(run, planned, finding), longest);
  if (waiver !== '') {
    // Neither red nor green: what is put up with is a skip that says by whom, and what it is.
    const says = `${verdict}, ${waiver}`;
    return { kind: 'skipped', inner: element('skipped', { message: inline(says, 500), type: 'waived' }, text(told)) };
  }
  if (verdict === 'fail' || (verdict === 'warn' && run.header.strict)) {
    const type = verdict === 'fail' ? 'violation' : 'warning under --strict';
    return {
      kind: 'failure',
      inner: element('failure', { message: inline(messageOf(finding), 500), type }, text(told)),
    };
  }
  if (verdict === 'warn') return { kind: 'passed', inner: element('system-out', {}, text(`WARNING\n${told}`)) };
  const seen = cut((facts ?? []).map((fact) => `observed: ${inline(fact, 400)}`).join('\n'), longest);
  return { kind: 'passed', inner: seen === '' ? '' : element('system-out', {}, text(seen)) };
}
