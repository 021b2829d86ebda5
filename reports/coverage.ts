/** How much of the specification a run touched: every clause, its rules, whether they were asked, whether they are proven to be able to fail. */
import { type Clause, type Level, levels } from '../src/vocabulary.ts';

export interface CoveredRule {
  readonly rule: string;
  /** Absent if no run was given. */
  readonly exercised?: boolean;
  /** The faulty services that it was seen to catch. */
  readonly provenBy: readonly string[];
}

export interface ClauseRow {
  readonly clause: Clause;
  readonly rules: readonly CoveredRule[];
}

export interface LevelCounts {
  readonly clauses: number;
  readonly testable: number;
  readonly exercised?: number;
  /** Absent if nothing can fail. */
  readonly proven?: number;
}

export const coverageByLevel = (rows: readonly ClauseRow[]): Record<Level, LevelCounts> =>
  Object.fromEntries(
    levels.map((level) => [
      level,
      countsOf(
        rows.filter(({ clause }) => clause.level === level),
        level !== 'observed',
      ),
    ]),
  ) as Record<Level, LevelCounts>;

function countsOf(rows: readonly ClauseRow[], canFail: boolean): LevelCounts {
  const withRules = rows.filter(({ rules }) => rules.length > 0);
  const known = withRules.some(({ rules }) => rules.some((rule) => rule.exercised !== undefined));
  return {
    clauses: rows.length,
    testable: rows.filter(({ clause }) => clause.untestable === undefined).length,
    ...(known ? { exercised: withRules.filter(({ rules }) => rules.some((rule) => rule.exercised)).length } : {}),
    ...(canFail
      ? { proven: withRules.filter(({ rules }) => rules.some((rule) => rule.provenBy.length > 0)).length }
      : {}),
  };
}

/** Head and rows of the table that every format shows. */
export function coverageTable(rows: readonly ClauseRow[]): [head: string[], rows: string[][]] {
  const cell = (value: number | undefined): string => (value === undefined ? '–' : String(value));
  return [
    ['level', 'clauses', 'testable', 'exercised', 'proven'],
    Object.entries(coverageByLevel(rows)).map(([level, { clauses, testable, exercised, proven }]) => [
      level,
      cell(clauses),
      cell(testable),
      cell(exercised),
      cell(proven),
    ]),
  ];
}
