/**
 * A run as the rows that a test runner knows: JUnit, CTRF, TAP and the vitest door are made from these. Only `passed` is green,
 * and a run that ended early or proved nothing has one row more, which says so.
 */
import type { Finding, Level, PlannedRule, Run, Verdict } from '../src/vocabulary.ts';
import { checksOf } from './measured.ts';
import { type Row, type Summary, summaryOf } from './summary.ts';
import { detailOf, messageOf, timesOf } from './tell.ts';
import { cut, inline } from './text.ts';
import { waiverOf } from './waiver.ts';

/**
 * `noted`: no violation, but something to read. `skipped`: untested. `open`: undetermined. `waived`: broken, and temporarily
 * accepted. `error`: a fault in Touchstone, or a run that ended early.
 */
export type OutcomeKind = 'passed' | 'noted' | 'failed' | 'error' | 'skipped' | 'open' | 'waived';

export interface OutcomeRow {
  /** The rule, or what else was judged: `load.latency: valid`, `run.complete`. */
  readonly id: string;
  readonly name: string;
  /** The area of a rule, or `load`; empty for the run itself. */
  readonly area: string;
  readonly kind: OutcomeKind;
  /** The verdict itself, `missing`, or what load and the run call theirs. */
  readonly verdict: string;
  /** Of rules. */
  readonly level?: Level;
  /** One sentence; empty if there is nothing to say. */
  readonly says: string;
  /** All that there is to say, in lines; empty if the sentence is all. */
  readonly detail: string;
  readonly waiver?: string;
  readonly expected?: string;
  readonly got?: string;
  readonly ms: number;
}

/** GitLab takes 30 MB a file; thousands of characters a row are plenty. */
const longest = 8000;

export function outcomeRows(run: Run): OutcomeRow[] {
  const summary = summaryOf(run);
  const times = timesOf(run);
  const rows = [
    ...summary.areas.flatMap(({ area, rows }) =>
      rows.map((row) => rowOf(run, area, row, times.get(row.planned.rule) ?? 0)),
    ),
    ...loadRows(run),
  ];
  return needsRunRow(summary, rows) ? [...rows, runRow(summary)] : rows;
}

/** A run that says nothing must not look like one that passed; nor one that is no success because of what is only skipped here. */
const needsRunRow = ({ complete, judged, outcome }: Summary, rows: readonly OutcomeRow[]): boolean =>
  !complete || !judged || (outcome !== 'conforms' && !rows.some(isRed));

export const isRed = ({ kind }: OutcomeRow): boolean => kind === 'failed' || kind === 'error';

function rowOf(run: Run, area: string, { planned, finding }: Row, ms: number): OutcomeRow {
  const { rule: id, level, clause } = planned;
  const common = { id, name: `${id}: ${inline(clause.says, 200)}`, area, level, ms };
  if (finding === undefined) {
    const says = 'the run ended before this rule had a verdict';
    return { ...common, kind: 'open', verdict: 'missing', says, detail: '' };
  }
  const { verdict, waived } = finding;
  return {
    ...common,
    kind: kindOf(verdict, run.header.strict, waived !== undefined),
    verdict,
    ...told(run, planned, finding),
    ...(waived === undefined ? {} : { waiver: waiverOf(waived) }),
  };
}

function kindOf(verdict: Verdict, strict: boolean, waived: boolean): OutcomeKind {
  if (waived && (verdict === 'fail' || verdict === 'warn')) return 'waived';
  if (verdict === 'warn') return strict ? 'failed' : 'noted';
  return kinds[verdict];
}

const kinds: Readonly<Record<Exclude<Verdict, 'warn'>, OutcomeKind>> = {
  pass: 'passed',
  fail: 'failed',
  observed: 'noted',
  untested: 'skipped',
  inconclusive: 'open',
  error: 'error',
};

function told(
  run: Run,
  planned: PlannedRule,
  finding: Finding,
): Pick<OutcomeRow, 'says' | 'detail' | 'expected' | 'got'> {
  const { verdict, facts = [], because = '', reasons } = finding;
  if (verdict === 'pass') return { says: '', detail: '' };
  if (verdict === 'observed') {
    const lines = facts.map((fact) => `observed: ${inline(fact, 400)}`).join('\n');
    return { says: facts.slice(0, 20).join('; '), detail: cut(lines, longest) };
  }
  if (verdict === 'error') return { says: `a fault in Touchstone, not in the service: ${because}`, detail: '' };
  if (verdict !== 'fail' && verdict !== 'warn') return { says: because, detail: '' };
  const first = reasons.find(({ weight }) => weight !== 'note');
  return {
    says: messageOf(finding),
    detail: cut(detailOf(run, planned, finding), longest),
    ...(first === undefined ? {} : { expected: inline(first.expected, 300), got: inline(first.came, 300) }),
  };
}

const loadRows = (run: Run): OutcomeRow[] =>
  checksOf(run.measurements ?? []).map(({ name, outcome, says }) => ({
    id: name,
    name,
    area: 'load',
    kind: outcome,
    verdict: outcome,
    says,
    detail: '',
    ms: 0,
  }));

const runRow = ({ headline, because, outcome }: Summary): OutcomeRow => ({
  id: 'run.complete',
  name: 'run.complete',
  area: '',
  kind: 'error',
  verdict: outcome,
  says: `${headline}. ${because}`,
  detail: '',
  ms: 0,
});
