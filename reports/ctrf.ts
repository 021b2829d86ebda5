/**
 * CTRF, the common test report format. Its statuses are fewer than our verdicts, which are in `rawStatus`: `passed` is a pass
 * and nothing else.
 */
import type { Run } from '../src/vocabulary.ts';
import { type OutcomeKind, type OutcomeRow, outcomeRows } from './outcome-rows.ts';
import { summaryOf } from './summary.ts';
import { calmJson, inline, visible } from './text.ts';

/** Of the schema that this is written by; `ctrf.test.ts` compares it with the published one. */
const specVersion = '0.0.0';

type Status = 'passed' | 'failed' | 'skipped' | 'pending' | 'other';

const statuses: Readonly<Record<OutcomeKind, Status>> = {
  passed: 'passed',
  noted: 'other',
  failed: 'failed',
  error: 'failed',
  skipped: 'skipped',
  open: 'other',
  waived: 'other',
};

interface Test {
  readonly name: string;
  readonly status: Status;
  readonly duration: number;
  readonly [more: string]: unknown;
}

export function ctrfReport(run: Run): string {
  const { header, footer } = run;
  const summary = summaryOf(run);
  const tests = outcomeRows(run).map(testOf);
  const ended = Date.parse(footer?.ended ?? '');
  const start = Date.parse(header.started) || 0;
  const count = (status: Status): number => tests.filter((each) => each.status === status).length;
  const report = {
    reportFormat: 'CTRF',
    specVersion,
    ...(Number.isNaN(ended) ? {} : { timestamp: new Date(ended).toISOString() }),
    generatedBy: `touchstone ${visible(header.touchstone)}`,
    results: {
      tool: { name: 'touchstone', version: visible(header.touchstone), extra: { ruleSet: header.rules } },
      summary: {
        tests: tests.length,
        passed: count('passed'),
        failed: count('failed'),
        skipped: count('skipped'),
        pending: count('pending'),
        other: count('other'),
        suites: summary.areas.length,
        start,
        stop: start + Math.round(footer?.tookMs ?? 0),
        duration: Math.round(footer?.tookMs ?? 0),
        extra: {
          outcome: summary.outcome,
          complete: summary.complete,
          exitCode: summary.exitCode,
          says: inline(`${summary.headline}. ${summary.because}`, 600),
          counts: summary.counts,
        },
      },
      tests,
      environment: {
        testEnvironment: inline(header.target, 400),
        extra: {
          profile: inline(header.profile.name, 200),
          seed: header.seed,
          depth: header.depth,
          strict: header.strict,
        },
      },
    },
  };
  return `${calmJson(JSON.stringify(report, undefined, 2))}\n`;
}

const testOf = ({ id, name, area, kind, verdict, level, says, detail, waiver, ms }: OutcomeRow): Test => ({
  testId: id,
  name,
  status: statuses[kind],
  rawStatus: waiver === undefined ? verdict : `${verdict} (waived)`,
  suite: area === '' ? ['touchstone'] : ['touchstone', area],
  duration: Math.round(ms),
  ...(level === undefined ? {} : { tags: [level] }),
  ...(says === '' ? {} : { message: inline(says, 1000) }),
  ...(detail === '' || verdict === 'observed' ? {} : { trace: detail }),
  ...(waiver === undefined ? {} : { extra: { waived: inline(waiver, 1000) } }),
});
