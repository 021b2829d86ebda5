/** What a run amounts to, in words that every format shares. */
import {
  type Area,
  areaOf,
  areas,
  exitCodes,
  type Finding,
  isDeafClient,
  isViolation,
  type Outcome,
  outcomeOf,
  type PlannedRule,
  type Run,
  type Verdict,
  verdicts,
} from '../src/vocabulary.ts';
import { isLoad, loadInWords } from './measured.ts';
import { inline, list, plural } from './text.ts';

/** A planned rule and its finding, if the run came to one. */
export interface Row {
  readonly planned: PlannedRule;
  readonly finding?: Finding;
}

export interface AreaRows {
  readonly area: Area | string;
  readonly rows: readonly Row[];
}

export type Counts = Readonly<Record<Verdict, number>>;

export interface Summary {
  readonly outcome: Outcome;
  readonly exitCode: number;
  /** `CONFORMS, as far as tested`. */
  readonly headline: string;
  /** Why the outcome is what it is: one sentence. */
  readonly because: string;
  readonly counts: Counts;
  /** Planned, but without a verdict. */
  readonly missing: readonly string[];
  /** Whether the run came to its end. */
  readonly complete: boolean;
  /** Whether it came to any verdict that could have been another, on a rule or on load. */
  readonly judged: boolean;
  readonly areas: readonly AreaRows[];
  /** Rules that are not a pass but are accepted: never shown as green. */
  readonly waived: readonly Row[];
}

export const countsOf = (findings: readonly Finding[]): Counts =>
  Object.fromEntries(
    verdicts.map((verdict) => [verdict, findings.filter((each) => each.verdict === verdict).length]),
  ) as Record<Verdict, number>;

/** In the order of the areas, then of the plan. */
export function rowsByArea(run: Run): AreaRows[] {
  const findings = new Map(run.findings.map((each) => [each.rule, each]));
  const byArea = new Map<string, Row[]>();
  for (const planned of run.header.planned) {
    const area = areaOf(planned.rule);
    const finding = findings.get(planned.rule);
    const rows = byArea.get(area) ?? [];
    rows.push({ planned, ...(finding === undefined ? {} : { finding }) });
    byArea.set(area, rows);
  }
  const order = (area: string): number => (areas as readonly string[]).indexOf(area);
  return [...byArea]
    .map(([area, rows]) => ({ area, rows }))
    .sort((a, b) => (order(a.area) + 1 || 99) - (order(b.area) + 1 || 99));
}

export function summaryOf(run: Run): Summary {
  const summary = inWords(run);
  return isOnlyRotten(run) ? { ...summary, headline: 'WAIVERS NEED ATTENTION' } : summary;
}

function inWords(run: Run): Summary {
  const outcome = outcomeOf(run);
  const counts = countsOf(run.findings);
  const found = new Set(run.findings.map((each) => each.rule));
  const missing = run.header.planned.map((each) => each.rule).filter((rule) => !found.has(rule));
  const complete =
    run.footer !== undefined && !run.footer.interrupted && run.footer.unreachable === undefined && missing.length === 0;
  const byArea = rowsByArea(run);
  const waived = byArea.flatMap(({ rows }) => rows.filter(({ finding }) => finding?.waived !== undefined));
  const words = {
    headline: headlines[outcome](counts, run.header.strict),
    because: becauseOf(run, outcome, counts, missing),
  };
  return {
    outcome,
    exitCode: exitCodes[outcome],
    ...(isLoad(run) ? loadInWords(run, outcome) : words),
    counts,
    missing,
    complete,
    judged: counts.pass + counts.warn + counts.fail > 0 || isLoad(run),
    areas: byArea,
    waived,
  };
}

const headlines: Record<Outcome, (counts: Counts, strict: boolean) => string> = {
  // A run with a failure comes here only where that is waived, and is no pass for it.
  conforms: ({ untested, inconclusive, fail }) =>
    fail > 0
      ? 'NO VIOLATION EXCEPT WAIVED ONES'
      : untested + inconclusive > 0
        ? 'CONFORMS, as far as tested'
        : 'CONFORMS',
  violation: ({ fail }) => (fail > 0 ? 'DOES NOT CONFORM' : 'DOES NOT CONFORM under --strict'),
  incomplete: () => 'INCOMPLETE: conformance is unknown',
  unreachable: () => 'NOT REACHABLE: nothing was tested',
  interrupted: ({ fail }) => `INTERRUPTED${fail > 0 ? ', and it does not conform' : ': conformance is unknown'}`,
};

function becauseOf(run: Run, outcome: Outcome, counts: Counts, missing: readonly string[]): string {
  if (outcome === 'unreachable') return inline(`${run.header.target}: ${run.footer?.unreachable ?? 'no answer'}`, 400);
  if (outcome === 'interrupted') return `The run was interrupted. ${broken(run, counts)}`.trim();
  if (outcome === 'violation') return violations(run) + (run.footer === undefined ? ' The run ended early.' : '');
  if (outcome === 'incomplete') return whyIncomplete(run, counts, missing);
  const rest = [
    counts.warn > 0 ? `${plural(counts.warn, 'warning')}` : '',
    notTested(counts),
    isLimitUnseen(run) ? 'no limit was seen' : '',
  ].filter((each) => each !== '');
  const none =
    counts.fail > 0
      ? `${plural(counts.fail, 'broken rule')} ${counts.fail === 1 ? 'is' : 'are'} waived`
      : 'No rule was broken';
  return `${none}${rest.length === 0 ? '.' : `; ${rest.join('; ')}.`}`;
}

/** The rules about limits were to be asked, and nothing was ever refused for one: a reader must not think that there is one. */
const isLimitUnseen = ({ header, exchanges }: Run): boolean =>
  header.planned.some(({ rule }) => rule === 'limit.exists') &&
  ![...exchanges.values()].some(({ response }) => response?.status === 429);

/** Waivers that hold no longer, in words. What has rotted must be red in every format, also where no rule is broken. */
export const rottenWaivers = ({ footer }: Run): readonly string[] =>
  (footer?.waivers ?? []).map(({ says }) => inline(says, 300));

/** Nothing is broken but what is waived, and among the waivers are some that hold no longer. */
const isOnlyRotten = (run: Run): boolean =>
  outcomeOf(run) === 'violation' &&
  rottenWaivers(run).length > 0 &&
  !run.findings.some((each) => isViolation(each, run.header.strict));

function violations(run: Run): string {
  const counts = countsOf(run.findings.filter((each) => isViolation(each, run.header.strict)));
  const says = rottenWaivers(run);
  const more = says.length > 10 ? [`${says.length - 10} more waivers need attention.`] : [];
  return [broken(run, counts), ...says.slice(0, 10), ...more].filter((each) => each !== '').join(' ');
}

function broken(run: Run, { fail, warn }: Counts): string {
  const parts = [
    ...(fail > 0 ? [`${plural(fail, 'required rule')} ${fail === 1 ? 'is' : 'are'} broken`] : []),
    ...(run.header.strict && warn > 0
      ? [`${plural(warn, 'warning')} ${warn === 1 ? 'counts' : 'count'} under --strict`]
      : []),
  ];
  return parts.length === 0 ? '' : `${list(parts)}.`;
}

function notTested({ untested, inconclusive }: Counts): string {
  const parts = [
    ...(untested > 0 ? [`${untested} untested`] : []),
    ...(inconclusive > 0 ? [`${inconclusive} inconclusive`] : []),
  ];
  return parts.length === 0 ? '' : `${list(parts)} (not counted as passed)`;
}

function whyIncomplete(run: Run, counts: Counts, missing: readonly string[]): string {
  const levels = new Map(run.header.planned.map((each) => [each.rule, each.level]));
  const unsure = run.findings.filter((each) => each.verdict === 'inconclusive' && levels.get(each.rule) === 'required');
  const parts = [
    ...(isDeafClient(run)
      ? [
          'a plain run never ended, though it was answered: the client did not notice the end of the answer (`Content-Length`)',
        ]
      : []),
    ...(run.footer === undefined ? ['the run has no footer: it ended early or is still running'] : []),
    ...(missing.length > 0 ? [`${plural(missing.length, 'rule')} got no verdict`] : []),
    ...(counts.pass + counts.warn === 0 ? ['no rule was judged'] : []),
    ...(counts.error > 0 ? [`${plural(counts.error, 'rule')} hit a fault in Touchstone`] : []),
    ...(unsure.length > 0 ? [`${plural(unsure.length, 'required rule')} could not be judged`] : []),
  ];
  const text = parts.join('; ');
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

/** What an exit code says, as CI logs show it. */
export const exitReasons: Record<Outcome, string> = {
  conforms: 'exit code 0: conforms, as far as tested',
  violation: 'exit code 1: at least one violation',
  incomplete: 'exit code 3: incomplete, which is not a success',
  unreachable: 'exit code 4: the target was not reachable',
  interrupted: 'exit code 130: interrupted',
};

/** `81 pass · 2 fail · …`: all verdicts that there are; what is no pass and no failure is named too. */
export const countsInWords = (counts: Counts): string =>
  verdicts
    .filter((verdict) => counts[verdict] > 0)
    .map((verdict) => `${counts[verdict]} ${verdict}`)
    .join(' · ') || 'no verdicts';
