/** Pure: everything that stands between some runs and a certificate. An empty list is the only yes. */

import type { ClientRule } from '../model/client.ts';
import type { Rule } from '../model/rule.ts';
import { type Depth, isViolation, type Run } from '../model/run.ts';
import type { Finding } from '../model/verdict.ts';
import { type Difference, deriveAgain, differencesOf } from '../verdict/derive-again.ts';
import { type Combined, combined, isJudged } from './combine.ts';
import { clientLevelsByRules, type Demands, type LevelName, levelsByRules } from './levels.ts';
import { whyImplausible, whyRespelled } from './plausible.ts';
import { type Knowledge, rulesOf } from './predicate.ts';
import { whyOtherwisePlanned } from './replan.ts';
import { whyOtherTrials } from './replan-client.ts';

export interface NamedRun {
  /** What messages call it. */
  readonly name: string;
  readonly run: Run;
  /** As its file holds it. */
  readonly bytes?: Uint8Array;
}

type Named = Pick<Rule | ClientRule, 'id'>;

const depths: readonly Depth[] = ['quick', 'standard', 'thorough'];

/** `now`, a date and time: waivers that have expired since the run excuse nothing any more. */
export function whyNotCertified(
  given: readonly NamedRun[],
  level: LevelName,
  now: string,
  knowledge: Knowledge,
): string[] {
  const today = now.slice(0, 10);
  const { clients } = knowledge;
  const rules = rulesOf(knowledge);
  const runs = given.map((each) => ({ ...each, run: ofSet(each.run, rules) }));
  const strange = runs.flatMap((each) => whyStrange(each, knowledge));
  // Verdicts of another rule set can neither be combined with these nor compared with their levels.
  if (strange.length > 0) return strange;
  const demands = (clients === undefined ? levelsByRules : clientLevelsByRules)[knowledge.version]?.[level];
  if (demands === undefined)
    return [`no certificate of the level ${level} is defined for rules of version ${knowledge.version}`];
  return [
    ...whyOthers(runs),
    ...runs.flatMap(whyIncomplete),
    ...runs.flatMap((each) => whyPartly(each, level, rules)),
    ...runs.flatMap(({ name, bytes }) => (bytes === undefined ? [] : whyRespelled(name, bytes))),
    ...runs.flatMap(({ name, run }) => whyImplausible(name, run, knowledge.since, now)),
    ...runs.flatMap(({ name, run }) =>
      clients === undefined ? whyOtherwisePlanned(name, run, knowledge.rules) : whyOtherTrials(name, run, clients),
    ),
    ...runs.flatMap((each) => whyEdited(each, knowledge)),
    ...whyBroken(runs, today),
    ...whyTooLittle(runs, level, demands, today, rules),
  ];
}

/** Without provisional rules, which are of no set: what they found is in no certificate. */
function ofSet(run: Run, rules: readonly Named[]): Run {
  const own = new Set<string>(rules.map(({ id }) => id));
  const planned = run.header.planned.filter(({ rule, provisional }) => provisional === undefined || own.has(rule));
  const kept = new Set(planned.map(({ rule }) => rule));
  return {
    ...run,
    header: { ...run.header, planned },
    findings: run.findings.filter(({ rule }) => kept.has(rule)),
  };
}

/** Runs of several services say nothing about any one of them. */
function whyOthers(runs: readonly NamedRun[]): string[] {
  const [first] = runs;
  return runs
    .filter(({ run }) => run.header.target !== first?.run.header.target)
    .map(({ name, run }) => `${name} is of ${run.header.target}, but ${first?.name} of ${first?.run.header.target}`);
}

/** A rule that nobody asked could be one that fails: each is named, with its verdict or why it has none. */
function whyPartly({ name, run }: NamedRun, level: LevelName, rules: readonly Named[]): string[] {
  const planned = new Set(run.header.planned.map(({ rule }) => rule));
  const left = rules.filter(({ id }) => !planned.has(id)).map(({ id }) => id);
  if (left.length === 0) return [];
  const shown = `${left.slice(0, 5).join(', ')}${left.length > 5 ? ` and ${left.length - 5} more` : ''}`;
  return [`${name} omitted rules (--only, --skip): ${shown}; ${level} is given to runs of the whole set only`];
}

function whyStrange({ name, run: { header } }: NamedRun, { version, specification, clients }: Knowledge): string[] {
  if ((header.client === undefined) !== (clients === undefined))
    return [`${name} is a run of a ${clients === undefined ? 'client' : 'service'}, but the others are not`];
  if (header.rules.version !== version)
    return [
      `${name} was judged by rules of version ${header.rules.version.slice(0, 40)}, and this Touchstone has version ${version}: check again with one of them`,
    ];
  if (header.rules.specification !== specification) return [`${name} was judged by another text of the specification`];
  return [];
}

function whyIncomplete({ name, run: { header, footer, findings } }: NamedRun): string[] {
  if (footer === undefined) return [`${name} ended early: it has no footer`];
  if (footer.interrupted) return [`${name} was interrupted`];
  if (footer.unreachable !== undefined) return [`${name} did not reach its target`];
  if (findings.length < header.planned.length)
    return [`${name} has no verdict on ${header.planned.length - findings.length} of its rules`];
  return (footer.waivers ?? []).map(({ says }) => `${name}: ${says}`);
}

function whyEdited({ name, run }: NamedRun, knowledge: Knowledge): string[] {
  const { rules, clients } = knowledge;
  const differences = differencesOf(run.findings, deriveAgain(run, rules, clients?.rules)).map(
    ({ derived, written }: Difference) =>
      `${name}: the verdict on ${derived.rule} is stored as ${written?.verdict ?? 'none'}, but its exchanges show ${derived.verdict === written?.verdict ? 'something else' : derived.verdict}`,
  );
  const known = new Map(rulesOf(knowledge).map((rule): [string, Rule['clause']] => [rule.id, rule.clause]));
  const planned = run.header.planned.filter(({ rule, level, clause }) => {
    const own = known.get(rule);
    return own !== undefined && (own.level !== level || own.id !== clause.id || own.says !== clause.says);
  });
  const asked = new Set(run.steps.map(({ rule }) => rule));
  const hidden = run.header.planned.filter(({ rule, untested }) => untested !== undefined && asked.has(rule));
  return [
    ...differences,
    ...planned.map(({ rule }) => `${name}: the run describes ${rule} differently than the rule does`),
    ...hidden.map(({ rule }) => `${name}: ${rule} is marked untested, but was asked`),
  ];
}

function whyBroken(runs: readonly NamedRun[], today: string): string[] {
  return runs.flatMap(({ name, run: { header, findings } }) => {
    const levels = new Map(header.planned.map(({ rule, level }) => [rule, level]));
    return findings.flatMap((finding) => {
      const { rule, verdict, waived, because = '' } = finding;
      if (isViolation(finding, header.strict))
        return [`${name}: ${rule} is broken${verdict === 'warn' ? ' under --strict' : ''}, and not waived`];
      if (waived !== undefined && waived.expires === undefined)
        return [`${name}: the waiver of ${rule} has no last day`];
      if (waived?.expires !== undefined && waived.expires < today)
        return [`${name}: the waiver of ${rule} expired on ${waived.expires}`];
      if (verdict === 'error') return [`${name}: ${rule} hit a fault in Touchstone: ${because}`];
      if (verdict === 'inconclusive' && levels.get(rule) === 'required' && !isKnown(rule, runs))
        return [`${name}: ${rule} is inconclusive: ${because}`];
      return [];
    });
  });
}

/** In another of the runs. */
const isKnown = (rule: string, runs: readonly NamedRun[]): boolean =>
  runs.some(({ run }) => run.findings.some((each) => each.rule === rule && isJudged(each)));

function whyTooLittle(
  runs: readonly NamedRun[],
  level: LevelName,
  demands: Demands,
  today: string,
  rules: readonly Named[],
): string[] {
  const found = new Map(
    combined(
      runs.map(({ run }) => run),
      rules,
    ).map((each: Combined) => [each.finding.rule, each.finding]),
  );
  const shallow = runs.filter(({ run: { header } }) => depths.indexOf(header.depth) < depths.indexOf(demands.depth));
  const open = demands.rules.flatMap((rule) => {
    const finding = found.get(rule);
    if (finding !== undefined && (isJudged(finding) || isExcused(finding, demands, today))) return [];
    if (finding?.verdict === 'inconclusive' || finding?.verdict === 'error') return [];
    return [
      `${level} demands ${rule}, which ${finding === undefined ? 'no run asked' : `is untested: ${finding.because}`}`,
    ];
  });
  return [
    ...shallow.map(({ name, run }) => `${level} demands --depth ${demands.depth}, but ${name} is ${run.header.depth}`),
    ...open,
  ];
}

const isExcused = ({ verdict, waived }: Finding, { untestedMayBeWaived }: Demands, today: string): boolean =>
  untestedMayBeWaived && verdict === 'untested' && waived !== undefined && (waived.expires ?? today) >= today;
