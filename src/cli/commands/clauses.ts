/** `touchstone clauses`: what of the specification is tested, was asked in a run, and is proven to be able to fail. */

import { type ClauseRow, coverageByLevel, coverageTable } from '../../../reports/coverage.ts';
import { plural, wrap } from '../../../reports/text.ts';
import { clientClauses } from '../../../suites/clauses/clients.ts';
import { clauses as table } from '../../../suites/clauses/index.ts';
import type { Clause } from '../../model/clause.ts';
import type { Rule } from '../../model/rule.ts';
import type { Run } from '../../model/run.ts';
import { readRunFile } from '../../runfile/read.ts';
import { catalogue, clientCatalogue } from '../catalogue.ts';
import { out } from '../output.ts';
import { type Proofs, readProofs } from '../proofs.ts';

export function clauses(path: string | undefined, flags: { readonly json?: true }): void {
  const run = path === undefined ? undefined : readRunFile(path, { partial: true });
  const rows = coverageOf(run);
  const counts = coverageByLevel(rows);
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
  out([...rows.flatMap(linesOf), ...tableOf(rows)].join('\n'));
}

/** Of this version's rules, with what the matrix has proven of them. */
export function coverageOf(run: Run | undefined): ClauseRow[] {
  const proofs = readProofs();
  const ofServices = () => rowsOf(Object.values(table), catalogue.rules, proofs, run);
  const ofClients = () => rowsOf(Object.values<Clause>(clientClauses), clientCatalogue.rules, proofs, run);
  if (run !== undefined) return run.header.client === undefined ? ofServices() : ofClients();
  return [...ofServices(), ...ofClients()];
}

const judged = new Set(['pass', 'fail', 'warn', 'observed']);

export function rowsOf(
  all: readonly Clause[],
  rules: readonly Pick<Rule, 'id' | 'clause'>[],
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

function tableOf(rows: readonly ClauseRow[]): string[] {
  const [[, ...head], body] = coverageTable(rows);
  const line = (...cells: readonly string[]): string =>
    cells.map((cell, at) => (at === 0 ? cell.padEnd(10) : cell.padStart(10))).join('');
  return [line('', ...head), ...body.map((cells) => line(...cells))];
}
