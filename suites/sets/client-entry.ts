/** Pure: what a version of the rules of clients holds fast: the rules, their clauses, and what a client meets in each situation. */
import { createHash } from 'node:crypto';
import { type Clause, type ClientRule, isClientObservation, type Situation } from '../../src/vocabulary.ts';
import { clauseEntryOf, type RuleSet } from './entry.ts';

export interface ClientSet extends RuleSet {
  readonly situations: Readonly<Record<string, string>>;
}

const digestOf = (value: unknown): string => createHash('sha256').update(JSON.stringify(value)).digest('hex');

/** Level, clause, and a digest of what decides where it looks and what it can say. */
export function clientEntryOf(rule: ClientRule): string {
  const { id, clause, situations, given, passing } = rule;
  const options = {
    id,
    kind: isClientObservation(rule) ? 'observation' : 'rule',
    clause: [clause.id, clause.section, clause.level, clause.says],
    situations: situations === undefined ? null : [...situations].sort(),
    gated: given !== undefined,
    together: 'judgeAll' in rule && rule.judgeAll !== undefined,
    passing: typeof passing === 'string' ? 'untested' : 'judged',
  };
  return `${clause.level} ${clause.id} ${digestOf(options).slice(0, 16)}`;
}

/** The words that are planted are each run's own: these stand for them. */
const plant = (items: number) => ({
  items: Array.from({ length: items }, (_, at) => `item-${at}`),
  decoys: Array.from({ length: 6 }, (_, at) => `decoy-${at}`),
  elsewhere: 'http://elsewhere.invalid',
  inAnHour: 'Thu, 01 Jan 1970 01:00:00 GMT',
});

export function situationEntryOf(situation: Situation): string {
  const { answers, title: _, ...rest } = situation;
  return `${situation.depth} ${digestOf([rest, answers(plant(situation.items))]).slice(0, 16)}`;
}

export const clientSetDigest = ({ version, specification, rules, clauses, situations }: Omit<ClientSet, 'digest'>) =>
  digestOf([version, specification, ...[rules, clauses, situations].map((each) => Object.entries(each).sort())]);

export function clientSetOf(
  head: Pick<RuleSet, 'version' | 'specification' | 'since' | 'published'>,
  rules: readonly ClientRule[],
  clauses: readonly Clause[],
  situations: readonly Situation[],
): ClientSet {
  const { version, specification, since, published } = head;
  const parts = {
    rules: Object.fromEntries(rules.map((rule) => [rule.id, clientEntryOf(rule)])),
    clauses: Object.fromEntries(clauses.map((clause) => [clause.id, clauseEntryOf(clause)])),
    situations: Object.fromEntries(situations.map((each) => [each.name, situationEntryOf(each)])),
  };
  const own = { version, specification, since, published };
  return { ...own, digest: clientSetDigest({ ...own, ...parts }), ...parts };
}
