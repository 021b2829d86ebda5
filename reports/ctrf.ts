/**
 * CTRF, the common test report format. Its statuses are fewer than our verdicts, which stand in `rawStatus`: `passed` is a pass
 * and nothing else, and a run that did not come to its end has one failed test more, which says so.
 */
import type { Run, Verdict } from '../src/vocabulary.ts';
import { type Check, checksOf } from './measured.ts';
import { type Row, type Summary, summaryOf } from './summary.ts';
import { detailOf, messageOf, timesOf } from './tell.ts';
import { calmJson, cut, inline, visible } from './text.ts';
import { waiverOf } from './waiver.ts';

/** Of the schema that this is written by; `ctrf.test.ts` holds it against the published one. */
const specVersion = '0.0.0';

const longestTrace = 8000;

type Status = 'passed' | 'failed' | 'skipped' | 'pending' | 'other';

const statuses: Readonly<Record<Verdict, Status>> = {
  pass: 'passed',
  fail: 'failed',
  error: 'failed',
  untested: 'skipped',
  warn: 'other',
  observed: 'other',
  inconclusive: 'other',
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
  const times = timesOf(run);
  const tests: Test[] = [
    ...summary.areas.flatMap(({ area, rows }) => rows.map((row) => testOf(run, area, row, times))),
    ...checksOf(run.measurements ?? []).map(loadTest),
  ];
  // No run that is no success looks like one, whatever it is that is wrong with it.
  const isRed = tests.some(({ status }) => status === 'failed');
  if (!summary.complete || !summary.judged || (summary.outcome !== 'conforms' && !isRed)) tests.push(runTest(summary));
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

function testOf(run: Run, area: string, { planned, finding }: Row, times: ReadonlyMap<string, number>): Test {
  const { rule, level, clause } = planned;
  const common = {
    testId: rule,
    name: `${rule}: ${inline(clause.says, 200)}`,
    suite: ['touchstone', area],
    duration: Math.round(times.get(rule) ?? 0),
    tags: [level],
  };
  if (finding === undefined)
    return {
      ...common,
      status: 'other',
      rawStatus: 'missing',
      message: 'the run ended before this rule had a verdict',
    };
  const { verdict, waived, facts } = finding;
  const status = statusOf(run, verdict, waived !== undefined);
  const told = verdict === 'fail' || verdict === 'warn';
  const message =
    verdict === 'observed'
      ? (facts ?? []).slice(0, 20).join('; ')
      : `${verdict === 'error' ? 'a fault of the harness, not of the service: ' : ''}${messageOf(finding)}`;
  return {
    ...common,
    status,
    rawStatus: waived === undefined ? verdict : `${verdict} (waived)`,
    ...(verdict === 'pass' || message === '' ? {} : { message: inline(message, 1000) }),
    ...(told ? { trace: cut(detailOf(run, planned, finding), longestTrace) } : {}),
    ...(waived === undefined ? {} : { extra: { waived: inline(waiverOf(waived), 1000) } }),
  };
}

const statusOf = ({ header }: Run, verdict: Verdict, waived: boolean): Status => {
  const status = header.strict && verdict === 'warn' ? 'failed' : statuses[verdict];
  return waived && status === 'failed' && verdict !== 'error' ? 'other' : status;
};

const loadTest = ({ name, outcome, says }: Check): Test => ({
  testId: name,
  name,
  suite: ['touchstone', 'load'],
  status: outcome === 'open' ? 'other' : outcome,
  rawStatus: outcome,
  duration: 0,
  message: inline(says, 1000),
});

const runTest = (summary: Summary): Test => ({
  testId: 'run.complete',
  name: 'run.complete: the run came to its end, and judged something',
  suite: ['touchstone'],
  status: 'failed',
  rawStatus: summary.outcome,
  duration: 0,
  message: inline(`${summary.headline}. ${summary.because}`, 1000),
});
