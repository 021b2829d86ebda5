/**
 * SARIF 2.1.0, for code scanning. Results are what needs a decision: violations, warnings, waived failures. A run that is incomplete
 * is no successful execution, and its reasons are notifications; so an empty list of results never looks like a pass.
 */
import { type Level, type PlannedRule, type Run, ruleAddress } from '../src/vocabulary.ts';
import type { ReportOptions } from './options.ts';
import { type OutcomeRow, outcomeRows } from './outcome-rows.ts';
import { summaryOf } from './summary.ts';
import { calmJson, inline, visible } from './text.ts';

const schema = 'https://json.schemastore.org/sarif-2.1.0.json';

/** Code scanning shows no result without a file. */
const usualProfile = 'touchstone.yaml';

export function sarifReport(run: Run, { docs }: ReportOptions = {}): string {
  const { header, footer } = run;
  const summary = summaryOf(run);
  const rows = outcomeRows(run);
  const rules = header.planned.map((planned) => ruleOf(planned, docs));
  const at = new Map(header.planned.map(({ rule }, index) => [rule, index]));
  const invocation = {
    executionSuccessful: summary.complete && summary.judged && !rows.some(({ kind }) => kind === 'error'),
    exitCode: summary.exitCode,
    exitCodeDescription: inline(`${summary.headline}. ${summary.because}`, 600),
    ...timeOf('startTimeUtc', header.started),
    ...timeOf('endTimeUtc', footer?.ended),
    toolExecutionNotifications: rows.filter(isNotification).map(notificationOf),
  };
  const report = {
    $schema: schema,
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'Touchstone',
            version: visible(header.touchstone),
            ...(docs === undefined || docs === '' ? {} : { informationUri: docs }),
            rules,
          },
        },
        invocations: [invocation],
        results: rows.filter(isResult).map((row) => resultOf(row, at.get(row.id), fileOf(header.profile.name))),
        properties: {
          target: inline(header.target, 400),
          depth: header.depth,
          seed: header.seed,
          counts: summary.counts,
        },
      },
    ],
  };
  return `${calmJson(JSON.stringify(report, undefined, 2))}\n`;
}

const levels: Readonly<Record<Level, 'error' | 'warning' | 'note'>> = {
  required: 'error',
  expected: 'warning',
  observed: 'note',
};

function ruleOf({ rule, level, clause, fix }: PlannedRule, docs?: string) {
  const page = ruleAddress(inline(rule), docs);
  const says = inline(clause.says, 600);
  return {
    id: inline(rule),
    shortDescription: { text: says },
    fullDescription: { text: `${inline(clause.section, 100)}: ${says}` },
    help: { text: fix === '' ? says : inline(fix, 1000) },
    ...(page === undefined ? {} : { helpUri: page }),
    defaultConfiguration: { level: levels[level] },
    properties: { tags: [level, inline(rule.split('.')[0] ?? '')] },
  };
}

const isResult = ({ kind, verdict }: OutcomeRow): boolean =>
  kind === 'failed' || kind === 'waived' || verdict === 'warn';

const isNotification = ({ kind }: OutcomeRow): boolean => kind === 'error' || kind === 'open';

const resultOf = ({ id, kind, verdict, says, detail, waiver }: OutcomeRow, at: number | undefined, uri: string) => ({
  ruleId: inline(id),
  ...(at === undefined ? {} : { ruleIndex: at }),
  level: verdict === 'warn' && kind !== 'failed' ? 'warning' : 'error',
  message: { text: inline(detail === '' ? says : `${says}\n${detail}`, 8000) },
  locations: [{ physicalLocation: { artifactLocation: { uri }, region: { startLine: 1 } } }],
  partialFingerprints: { 'rule/v1': inline(id) },
  ...(waiver === undefined
    ? {}
    : { suppressions: [{ kind: 'external', status: 'accepted', justification: inline(waiver, 1000) }] }),
});

const notificationOf = ({ id, kind, verdict, says }: OutcomeRow) => ({
  level: kind === 'error' ? 'error' : 'warning',
  message: { text: inline(`${id}: ${verdict}: ${says}`, 1000) },
});

const fileOf = (profile: string): string =>
  /^[\w./-]+\.(ya?ml|json|[cm]?[jt]s)$/.test(profile) ? profile : usualProfile;

const timeOf = (name: string, text = ''): Record<string, string> =>
  Number.isNaN(Date.parse(text)) ? {} : { [name]: new Date(text).toISOString() };
