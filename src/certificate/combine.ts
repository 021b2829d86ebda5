/** Pure: several runs of one implementation as one: each rule's verdict, and how far the specification was tested. */
import type { Clause, Level } from '../model/clause.ts';
import { levels } from '../model/clause.ts';
import type { ClientRule } from '../model/client.ts';
import type { Rule } from '../model/rule.ts';
import type { PlannedRule, Run } from '../model/run.ts';
import type { Finding, Verdict } from '../model/verdict.ts';

export interface Combined {
  readonly planned: PlannedRule;
  readonly finding: Finding;
}

/** What was seen counts more than what was not; of what was seen, the worst counts. */
const weight: readonly Verdict[] = ['fail', 'error', 'warn', 'pass', 'observed', 'inconclusive', 'untested'];

const heavier = (a: Finding, b: Finding): boolean => {
  const [one, other] = [weight.indexOf(a.verdict), weight.indexOf(b.verdict)];
  // Of two that weigh the same, the one that nobody has waived.
  return one < other || (one === other && a.waived === undefined && b.waived !== undefined);
};

/** In the order in which the runs plan them. A rule that every run left without a verdict is missing. */
export function combined(runs: readonly Run[], rules: readonly Pick<Rule | ClientRule, 'id'>[]): Combined[] {
  const result = new Map<string, Combined>();
  // Provisional rules are of no set.
  const own = new Set<string>(rules.map(({ id }) => id));
  for (const { header, findings } of runs) {
    const plans = new Map(header.planned.map((each) => [each.rule, each]));
    for (const finding of findings) {
      const before = result.get(finding.rule);
      const planned = plans.get(finding.rule);
      if (
        !own.has(finding.rule) ||
        planned === undefined ||
        (before !== undefined && !heavier(finding, before.finding))
      )
        continue;
      result.set(finding.rule, { planned, finding });
    }
  }
  return [...result.values()];
}

const judged: readonly Verdict[] = ['pass', 'fail', 'warn', 'observed'];

export const isJudged = ({ verdict }: Finding): boolean => judged.includes(verdict);

/** By the number of clauses. Each is a part of the one before. */
export interface LevelCoverage {
  readonly clauses: number;
  /** From outside. */
  readonly testable: number;
  /** By a rule that came to a verdict in these runs. */
  readonly exercised: number;
}

export function coverageOf(
  clauses: readonly Pick<Clause, 'id' | 'level' | 'untestable'>[],
  rules: readonly Pick<Rule | ClientRule, 'id' | 'clause'>[],
  findings: readonly Finding[],
): Record<Level, LevelCoverage> {
  const seen = new Set(findings.filter(isJudged).map(({ rule }) => rule));
  const count = (level: Level, test: (clause: Pick<Clause, 'untestable'>, own: readonly string[]) => boolean): number =>
    clauses.filter(
      (clause) =>
        clause.level === level &&
        test(
          clause,
          rules.filter((rule) => rule.clause.id === clause.id).map(({ id }) => id),
        ),
    ).length;
  return Object.fromEntries(
    levels.map((level): [Level, LevelCoverage] => [
      level,
      {
        clauses: count(level, () => true),
        testable: count(level, ({ untestable }) => untestable === undefined),
        exercised: count(level, (_, own) => own.some((id) => seen.has(id))),
      },
    ]),
  ) as Record<Level, LevelCoverage>;
}

/** Each by its run and its number: what a rule asked, or looked at. */
export function exchangesByRule(
  runs: readonly Run[],
  ofClients: readonly ClientRule[] = [],
): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>();
  runs.forEach((run, index) => {
    for (const { id, situations } of ofClients)
      found.set(id, new Set([...(found.get(id) ?? []), ...idsOf(run, situations).map((each) => `${index} ${each}`)]));
    for (const { rule, sent, exchanges } of run.steps) {
      const own = found.get(rule) ?? new Set();
      found.set(rule, own);
      for (const id of sent ?? exchanges) own.add(`${index} ${id}`);
    }
  });
  return found;
}

/** A rule of clients looks at all that was sent in its situations. */
const idsOf = ({ trials = [] }: Run, situations: readonly string[] | undefined): number[] =>
  trials
    .filter(({ situation }) => situations === undefined || situations.includes(situation))
    .flatMap(({ exchanges, elsewhere }) => [...exchanges, ...elsewhere]);
