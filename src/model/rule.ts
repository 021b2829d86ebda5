/**
 * A rule in three steps. `ask` sends and brings what was exchanged; `given` says from that whether anything can be judged;
 * `judge` says what is wrong. The last two are pure and see only what was written down, so that judging a live run and
 * judging a stored one are the same act.
 */
import type { Ask } from './ask.ts';
import type { Clause } from './clause.ts';
import type { DimensionName } from './context.ts';
import type { Evidence, EvidenceMap, SoFar, Whole } from './evidence.ts';
import type { Exchange } from './exchange.ts';
import type { Data } from './json.ts';
import type { Scene } from './scene.ts';
import type { Actor, ActorRole, Key, KeyRole, Subject } from './subject.ts';
import type { Reason } from './verdict.ts';

export const areas = [
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
  'client',
] as const;

export type Area = (typeof areas)[number];

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
  | 'many-sources'
  | 'restricted'
  | 'restricted-sources'
  | 'crashing'
  | 'empty'
  | 'expendable'
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
  /** It must be answered, whatever with: for requests that are refused either way. */
  readonly answered?: true;
  readonly ask: (ask: Ask<never>) => Promise<Exchange>;
}

export interface Case {
  /** Shown to people: `a truncated key`. Unique within the rule. */
  readonly name: string;
  /** A case may choose its own actor or key; `run`, `read`, `verify` and the twin then use these by default. */
  readonly actor?: Actor;
  readonly key?: Key;
}

/**
 * What is known so far lets the rule go on (undefined), leaves it without an answer, or shows that it says nothing about this
 * service. Live, anything but undefined ends the asking; from a file, it is derived again.
 */
export type Gate = undefined | { readonly inconclusive: string } | { readonly inapplicable: string };

/** What is known of a question before it is asked. */
export type Question<C = undefined> = Pick<Ask<C>, 'subject' | 'key' | 'actor' | 'case'>;

/** What the judge must know of the question, such as the name of the field that is wrong: never anything of an answer. */
export type About = { readonly [name: string]: Data };

interface Common<C extends Case | undefined, A extends About, E, P> {
  readonly id: `${Area}.${string}`;
  readonly needs: readonly Capability[];
  /** The role of the actor that `run` and `read` ask. None: the rule asks no actor, or names its own. */
  readonly actor?: ActorRole;
  /** The role of the key that requests carry; `entitled` unless said otherwise. */
  readonly key?: KeyRole;
  /** Dimensions that make no sense for this rule; it is asked with their first value only. */
  readonly without?: readonly DimensionName[];
  /** Each of its cases is asked with each kind of key, however deep the run: a check may hold for one kind alone. */
  readonly eachKey?: true;
  /** Has so many cases that a caller would keep its connections: where the context says nothing else, questions share them. */
  readonly inOneGo?: true;
  readonly twin?: Twin;
  /** A family of which every member is asked: near misses, fields, bodies. A string says why it is empty. */
  readonly cases?: (subject: Subject) => readonly NonNullable<C>[] | string;
  /** Rules that ask the very same question share its answer in the same context: it is asked under this name once. */
  readonly question?: string;
  /** Runs apart from all others: it changes what others would see. `end`: after them; `last`: after those, as it restarts the service. */
  readonly alone?: true | 'end' | 'last';
  /** Spends its time waiting: asked next to the others, not in their lanes; `apart`: next to those that run alone too, but then it asks nothing. */
  readonly waits?: true | 'apart';
  /** Of the rules that look for limits, those that want numbers are asked last: they cost most. */
  readonly late?: true;
  /** How many rests at a limit it takes in addition to the rules before it, as runs took them: for the forecast of their cost. */
  readonly rests?: number;
  /** Its own deadline, where the rule must wait longer than the profile's time-out for one exchange. */
  readonly deadlineMs?: (subject: Subject) => number;
  readonly about?: (question: Question<C>) => A;
  /**
   * Decides nothing. A rule that asks in steps is a generator: it yields what it has brought under names, and goes on only
   * where `given` has nothing against it.
   */
  readonly ask: (ask: Ask<C>) => E | Promise<E> | AsyncGenerator<P, void, unknown>;
  /** The first gate that is shut counts. Stands after `ask`, so that the compiler knows what `ask` brings. */
  readonly given?: (evidence: NoInfer<SoFar<E, P>>, about: NoInfer<A>) => readonly Gate[];
  /** Evidence of a run of version 1 as today's judge reads it. `suites/sets` gives it to the rules whose evidence was another. */
  readonly version1?: (old: Data) => { readonly evidence: Evidence; readonly about?: About };
  /** Of no frozen set yet: shown and judged, but never in an exit code, a waiver or a certificate, until the next version of the set. */
  readonly provisional?: true;
  /** For a person whose service fails here: what to look at. One or two sentences. */
  readonly fix: string;
}

export interface JudgedRule<
  C extends Case | undefined = Case | undefined,
  A extends About = About,
  E = Evidence,
  P = never,
> extends Common<C, A, E, P> {
  readonly clause: Clause<'required' | 'expected'>;
  /** The clause is about answering: that no answer came is for the judge, instead of being inconclusive. */
  readonly answering?: true;
  /** The clause is about the status alone: a body that is too large or too nested to be looked at is no obstacle. */
  readonly byStatus?: true;
  /** A 429 is what the rule asks about: it is for the judge. */
  readonly meets429?: true;
  readonly judge: (evidence: NoInfer<Whole<E, P>>, about: NoInfer<A>) => readonly Reason[];
}

export interface Observation<
  C extends Case | undefined = Case | undefined,
  A extends About = About,
  E = Evidence,
  P = never,
> extends Common<C, A, E, P> {
  readonly clause: Clause<'observed'>;
  /** Facts for people. There is no way to return a verdict. */
  readonly observe: (evidence: NoInfer<Whole<E, P>>, about: NoInfer<A>) => readonly string[];
}

export interface Sweep<C extends Case | undefined = Case | undefined, A extends About = About, E = Evidence, P = never>
  extends Omit<Common<C, A, E, P>, 'ask'> {
  readonly clause: Clause<'required' | 'expected'>;
  /** Brings about at least one answer of the kind that is looked at. Null: what others bring about must do. */
  readonly provoke: ((ask: Ask<C>) => E | Promise<E> | AsyncGenerator<P, void, unknown>) | null;
  /** Which exchanges of the whole run belong to it, whichever rule sent them. `brought`: what `provoke` has. */
  readonly includes: (exchange: Exchange, scene: Scene, brought: readonly NoInfer<Whole<E, P>>[]) => boolean;
  readonly judge: (exchange: Exchange, scene: Scene, brought: readonly NoInfer<Whole<E, P>>[]) => readonly Reason[];
  /** Why nothing can be said about what merely passes, asked by others. If omitted: it is judged like what was asked. */
  readonly passing?: string;
  /** Answers for invented actors prove nothing here, whatever key they carry. */
  readonly ofActors?: true;
  /** It looks at exchanges without an answer too. One that is lost says nothing: only what the rule itself has repeated often enough. */
  readonly answering?: true;
}

export type Rule = JudgedRule | Observation | SweepRule;

/** A sweep as the engine sees it. */
export type SweepRule = Omit<Sweep, 'provoke'> & {
  readonly ask: (ask: Ask<undefined>) => Evidence;
  readonly sweeps: true;
};

export const isObservation = (rule: Rule): rule is Observation => 'observe' in rule;

export const isSweep = (rule: Rule): rule is SweepRule => 'sweeps' in rule;

/** A rule that can fail. Observed clauses do not fit, by type. */
export function rule<
  const C extends Case | undefined = undefined,
  A extends About = Record<never, never>,
  E extends Evidence = never,
  P extends EvidenceMap = never,
>(definition: JudgedRule<C, A, E, P>): JudgedRule {
  return definition as unknown as JudgedRule;
}

/** A fact about what the specification leaves open. It has no judge, by type. */
export function observation<
  const C extends Case | undefined = undefined,
  A extends About = Record<never, never>,
  E extends Evidence = never,
  P extends EvidenceMap = never,
>(definition: Observation<C, A, E, P>): Observation {
  return definition as unknown as Observation;
}

/** A rule about every answer of a kind, whichever rule asked for it. */
export function sweep<
  const C extends Case | undefined = undefined,
  A extends About = Record<never, never>,
  E extends Evidence = never,
  P extends EvidenceMap = never,
>({ provoke, ...definition }: Sweep<C, A, E, P>): SweepRule {
  return { ...definition, ask: provoke ?? (() => null), sweeps: true } as unknown as SweepRule;
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
