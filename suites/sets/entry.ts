/** Pure: what of a rule and a clause a version of the rule set holds fast. A rule that changes in any of it is another rule. */
import { createHash } from 'node:crypto';
import { type Clause, isObservation, isSweep, type Rule } from '../../src/vocabulary.ts';

const digestOf = (value: unknown): string => createHash('sha256').update(JSON.stringify(value)).digest('hex');

/** Whether it can fail, and by what. */
const kindOf = (rule: Rule): string => (isObservation(rule) ? 'observation' : isSweep(rule) ? 'sweep' : 'rule');

/** Level, clause, and a digest of the options that decide what is asked and what an answer means. */
export function entryOf(rule: Rule): string {
  const { id, clause, needs, actor, key, without, twin, question, version1, given } = rule;
  const options = {
    id,
    kind: kindOf(rule),
    clause: [clause.id, clause.section, clause.level, clause.says],
    needs: [...needs].sort(),
    actor: actor ?? null,
    key: key ?? 'entitled',
    without: [...(without ?? [])].sort(),
    twin: twin === undefined ? null : [twin.name, twin.answered ?? false],
    question: question ?? null,
    cases: rule.cases !== undefined,
    gated: given !== undefined,
    answering: 'answering' in rule && rule.answering === true,
    ofActors: 'ofActors' in rule && rule.ofActors === true,
    upgraded: version1 !== undefined,
  };
  return `${clause.level} ${clause.id} ${digestOf(options).slice(0, 16)}`;
}

export const clauseEntryOf = ({ level, untestable }: Clause): string =>
  untestable === undefined ? level : `${level} untestable`;

/** As a file of this folder holds it. */
export interface RuleSet {
  readonly version: string;
  /** The SHA-256 of the specification that its rules read. */
  readonly specification: string;
  /** The day on which it was frozen: no run by it is older. */
  readonly since: string;
  /** The version of Touchstone that it was published with; from then on it never changes. Null: not yet. */
  readonly published: string | null;
  readonly digest: string;
  readonly rules: Readonly<Record<string, string>>;
  readonly clauses: Readonly<Record<string, string>>;
}

export const setDigest = ({ version, specification, rules, clauses }: Omit<RuleSet, 'digest'>): string =>
  digestOf([version, specification, Object.entries(rules).sort(), Object.entries(clauses).sort()]);

/** What the rules and clauses of today are, once they are frozen. Provisional rules belong to no set. */
export function setOf(
  head: Pick<RuleSet, 'version' | 'specification' | 'since' | 'published'>,
  rules: readonly Rule[],
  clauses: readonly Clause[],
): RuleSet {
  const { version, specification, since, published } = head;
  const set = {
    version,
    specification,
    since,
    published,
    rules: Object.fromEntries(rules.filter(({ provisional }) => !provisional).map((rule) => [rule.id, entryOf(rule)])),
    clauses: Object.fromEntries(clauses.map((clause) => [clause.id, clauseEntryOf(clause)])),
  };
  return { version, specification, since, published, digest: setDigest(set), rules: set.rules, clauses: set.clauses };
}
