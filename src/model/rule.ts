/**
 * A rule: a clause, how to ask, how to judge. `ask` decides nothing; `judge` is pure and sees only what was written
 * down, so that judging a live run and judging a stored one are the same act.
 */
import type { Ask } from './ask.ts';
import type { Clause } from './clause.ts';
import type { DimensionName } from './context.ts';
import type { Exchange } from './exchange.ts';
import type { Actor, ActorRole, Key, KeyRole, Subject } from './subject.ts';
import type { Reason } from './verdict.ts';

/** What `ask` returns: any nesting of exchanges and plain values. */
export type Evidence = Exchange | null | undefined | boolean | number | string | readonly Evidence[] | EvidenceMap;

export interface EvidenceMap {
  readonly [name: string]: Evidence;
}

export type Area =
  | 'verify'
  | 'auth'
  | 'access'
  | 'actor'
  | 'run'
  | 'input'
  | 'partial'
  | 'upstream'
  | 'error'
  | 'route'
  | 'admin'
  | 'disabled'
  | 'limit'
  | 'address';

export const areas: readonly Area[] = [
  'verify',
  'auth',
  'access',
  'actor',
  'run',
  'input',
  'partial',
  'upstream',
  'error',
  'route',
  'admin',
  'disabled',
  'limit',
  'address',
];

/** What a rule needs of the profile beyond its key and its actor. `capabilities.ts` says how each is given. */
export type Capability =
  | 'key'
  | 'second-key'
  | 'declared-tier'
  | 'two-tiers'
  | 'clean'
  | 'echo'
  | 'sources'
  | 'two-sources'
  | 'restricted'
  | 'restricted-sources'
  | 'crashing'
  | 'other-actors'
  | 'upstream-bound'
  | 'admin.token'
  | 'admin.create'
  | 'admin.list'
  | 'admin.read'
  | 'admin.revoke'
  | 'admin.change'
  | 'admin.hash'
  | 'admin.restart'
  | 'admin.dump'
  | 'disabled'
  | 'limits'
  | 'limits.allowed'
  | 'limits.declared';

/**
 * The same request without the one thing that is wrong. It must succeed in the same run, or the refusal proves nothing.
 * Two rules with a twin of the same name share its answer in the same context.
 */
export interface Twin {
  readonly name: string;
  readonly ask: (ask: Ask<never>) => Promise<Exchange>;
}

export interface Case {
  /** Shown to people: `a truncated key`. Unique within the rule. */
  readonly name: string;
  /** A case may choose its own actor or key; `run`, `read`, `verify` and the twin then use these by default. */
  readonly actor?: Actor;
  readonly key?: Key;
}

interface Common<C extends Case | undefined, E extends Evidence> {
  readonly id: `${Area}.${string}`;
  readonly needs: readonly Capability[];
  /** The role of the actor that `run` and `read` ask. None: the rule asks no actor, or names its own. */
  readonly actor?: ActorRole;
  /** The role of the key that requests carry; `entitled` unless said otherwise. */
  readonly key?: KeyRole;
  /** Dimensions that make no sense for this rule; it is asked with their first value only. */
  readonly without?: readonly DimensionName[];
  readonly twin?: Twin;
  /** A family of which every member is asked: near misses, fields, bodies. A string says why there is none. */
  readonly cases?: (subject: Subject) => readonly NonNullable<C>[] | string;
  /** Rules that ask the very same question share its answer in the same context: it is asked under this name once. */
  readonly question?: string;
  /** Runs apart from all others: it changes what others would see. */
  readonly alone?: true;
  /** The clause is about answering: that no answer came is for the judge, instead of being inconclusive. */
  readonly answering?: true;
  /** Spends its time waiting, not asking: it is asked beside the others instead of in their lanes. */
  readonly waits?: true;
  /** Its own deadline, where the rule must wait longer than the profile's time-out for one exchange. */
  readonly deadlineMs?: (subject: Subject) => number;
  readonly ask: (ask: Ask<C>) => Promise<E>;
  /** For a person whose service fails here: what to look at. One or two sentences. */
  readonly mend: string;
}

export interface JudgedRule<C extends Case | undefined = Case | undefined, E extends Evidence = Evidence>
  extends Common<C, E> {
  readonly clause: Clause<'required' | 'expected'>;
  readonly judge: (evidence: E) => readonly Reason[];
  /**
   * For rules about every answer of the run: which exchanges of the whole run belong to it. They are judged one by one,
   * beside what `ask` brought; none at all is untested.
   */
  readonly sweep?: {
    /** `asked`: what the rule itself brought, for rules about whatever is asked like it. */
    readonly includes: (exchange: Exchange, asked: readonly Exchange[]) => boolean;
    /** `planted`: to which exchange each nonce and each source of the whole run belongs. */
    readonly judge: (exchange: Exchange, planted: ReadonlyMap<string, number>) => readonly Reason[];
  };
}

export interface Observation<C extends Case | undefined = Case | undefined, E extends Evidence = Evidence>
  extends Common<C, E> {
  readonly clause: Clause<'observed'>;
  /** Facts for people. There is no way to return a verdict. */
  readonly observe: (evidence: E) => readonly string[];
}

export type Rule = JudgedRule | Observation;

export const isObservation = (rule: Rule): rule is Observation => 'observe' in rule;

/** A rule that can fail. Observed clauses do not fit, by type. */
export function rule<const C extends Case | undefined = undefined, E extends Evidence = Evidence>(
  definition: JudgedRule<C, E>,
): JudgedRule {
  return definition as unknown as JudgedRule;
}

/** A fact about what the specification leaves open. It has no judge, by type. */
export function observation<const C extends Case | undefined = undefined, E extends Evidence = Evidence>(
  definition: Observation<C, E>,
): Observation {
  return definition as unknown as Observation;
}

/** Looks for limits: asked last, alone, in order and once, because it spends quota; its evidence holds its own repetitions. */
export const isProbing = (rule: Rule): boolean => rule.needs.includes('limits');

export const areaOf = (id: string): Area => id.slice(0, id.indexOf('.')) as Area;

/** All rules, with what ties them to the specification that they read. */
export interface Catalogue {
  readonly rules: readonly Rule[];
  readonly version: string;
  /** SHA-256 of the specification that the rules read. */
  readonly specification: string;
}
