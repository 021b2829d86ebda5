/** `touchstone clauses`: what of the specification is tested, was asked in a run, and is proven to be able to fail. */

import { plural, wrap } from '../../../reports/text.ts';
import { clauses as table } from '../../../suites/clauses.ts';
import { type Clause, levels } from '../../model/clause.ts';
import type { Rule } from '../../model/rule.ts';
import type { Run } from '../../model/run.ts';
import { readRunFile } from '../../runfile/read.ts';
import { catalogue } from '../catalogue.ts';
import { out } from '../output.ts';
import { type Proofs, readProofs } from '../proofs.ts';

interface RuleRow {
  readonly rule: string;
  /** Absent where no run was given. */
  readonly exercised?: boolean;
  readonly provenBy: readonly string[];
}

export interface ClauseRow {
  readonly clause: Clause;
  readonly rules: readonly RuleRow[];
}

interface LevelCounts {
  readonly clauses: number;
  readonly testable: number;
  readonly exercised?: number;
  readonly proven?: number;
}

export function clauses(path: string | undefined, flags: { readonly json?: true }): void {
  const run = path === undefined ? undefined : readRunFile(path, { partial: true });
  const rows = rowsOf(Object.values(table), catalogue.rules, readProofs(), run);
  const counts = Object.fromEntries(
    levels.map((level) => [
      level,
      countsOf(
        rows.filter(({ clause }) => clause.level === level),
        level !== 'observed',
      ),
    ]),
  );
  if (flags.json) {
    const listed = rows.map(({ clause: { id, section, level, says, untestable }, rules }) => ({
      clause: id,
      section,
      level,
      says,
      ...(untestable === undefined ? {} : { untestable }),
      rules,
    }));
    out(JSON.stringify({ clauses: listed, counts }, undefined, 2));
    return;
  }
  out([...rows.flatMap(linesOf), ...tableOf(counts)].join('\n'));
}

const judged = new Set(['pass', 'fail', 'warn', 'observed']);

export function rowsOf(
  all: readonly Clause[],
  rules: readonly Rule[],
  proofs: Proofs | undefined,
  run: Run | undefined,
): ClauseRow[] {
  const exercised = new Set(run?.findings.filter(({ verdict }) => judged.has(verdict)).map(({ rule }) => rule));
  return all.map((clause) => ({
    clause,
    rules: rules
      .filter((rule) => rule.clause.id === clause.id)
      .map(({ id }) => ({
        rule: id,
        ...(run === undefined ? {} : { exercised: exercised.has(id) }),
        provenBy: proofs?.get(id) ?? [],
      })),
  }));
}

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

function linesOf({ clause, rules }: ClauseRow): string[] {
  const { section, level, says, untestable, id } = clause;
  const lines = [`${section} · ${level} · ${id}`, ...wrap(says, 100).map((line) => `  ${line}`)];
  if (untestable !== undefined) lines.push(`  not testable from outside: ${untestable}`);
  else if (rules.length === 0) lines.push('  no rule yet');
  for (const { rule, exercised, provenBy } of rules) {
    const asked = exercised === undefined ? '' : exercised ? ' · exercised' : ' · not exercised';
    const proven =
      level === 'observed'
        ? ''
        : provenBy.length === 0
          ? ' · not proven'
          : ` · proven by ${plural(provenBy.length, 'fault')}: ${provenBy.slice(0, 2).join(', ')}${provenBy.length > 2 ? ', …' : ''}`;
    lines.push(`    ${rule}${asked}${proven}`);
  }
  return [...lines, ''];
}

function tableOf(counts: Readonly<Record<string, LevelCounts>>): string[] {
  const row = (...cells: readonly (string | number | undefined)[]): string =>
    cells.map((cell, at) => (at === 0 ? String(cell).padEnd(10) : String(cell ?? '–').padStart(10))).join('');
  return [
    row('', 'clauses', 'testable', 'exercised', 'proven'),
    ...Object.entries(counts).map(([level, each]) =>
      row(level, each.clauses, each.testable, each.exercised, each.proven),
    ),
  ];
}
