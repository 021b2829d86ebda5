/** Pure: which rule is asked in which contexts, and which is not asked and why. */
import { type Context, type DimensionName, dimensions } from '../model/context.ts';
import { type Case, isObservation, isProbing, type Rule } from '../model/rule.ts';
import type { Axes, PlannedRule } from '../model/run.ts';
import type { Actor, Key, Subject } from '../model/subject.ts';
import { contextsOf, type HowDeep } from '../verdict/contexts.ts';
import type { StepInPlan } from './asker.ts';
import { lacking } from './capabilities.ts';

export interface Plan {
  readonly rules: readonly PlannedRule[];
  readonly steps: readonly StepInPlan[];
}

/** What can vary for a rule: each dimension's values that this profile has. */
interface Space {
  readonly cases: readonly Case[];
  readonly keys: readonly Key[];
  readonly actors: readonly Actor[];
  readonly connection: readonly Context['connection'][];
  readonly history: readonly Context['history'][];
  readonly company: readonly Context['company'][];
  readonly eachKey?: true;
}

export function plan(rules: readonly Rule[], subject: Subject, how: HowDeep): Plan {
  const planned: PlannedRule[] = [];
  const steps: StepInPlan[] = [];
  for (const rule of rules) {
    const untested = whyNot(rule, subject);
    const space = untested === undefined ? spaceOf(rule, subject) : undefined;
    const axes = space && axesOf(space);
    const own = space === undefined || axes === undefined ? [] : stepsOf(rule, space, axes, how);
    planned.push({
      rule: rule.id,
      level: rule.clause.level,
      clause: { id: rule.clause.id, section: rule.clause.section, says: rule.clause.says },
      fix: rule.fix,
      contexts: own.length,
      ...(axes === undefined ? {} : { axes }),
      ...(rule.provisional ? { provisional: true } : {}),
      ...(untested === undefined ? {} : { untested }),
    });
    steps.push(...own);
  }
  return { rules: planned, steps };
}

function stepsOf(rule: Rule, space: Space, axes: Axes, how: HowDeep): StepInPlan[] {
  // An observation is made once; what looks for limits repeats itself as often as it must, and spends what all share.
  const deep = isObservation(rule)
    ? { depth: 'once' as const, seed: how.seed }
    : isProbing(rule)
      ? { ...how, repeat: 1 }
      : how;
  return contextsOf(axes, deep).map(({ context, row: [c = 0, k = 0, a = 0], turn, first }): StepInPlan => {
    const one = space.cases[c];
    const key = one?.key ?? space.keys[k];
    const actor = one?.actor ?? space.actors[a];
    return {
      rule,
      context,
      ...(one === undefined ? {} : { case: one }),
      ...(key === undefined ? {} : { key }),
      ...(actor === undefined ? {} : { actor }),
      purpose: 'plan',
      turn,
      first,
    };
  });
}

/** By their names, as a header holds them. */
const axesOf = ({ cases, keys, actors, connection, history, company, eachKey }: Space): Axes => ({
  cases: cases.map(({ name, key, actor }) => ({
    name,
    ...(key === undefined ? {} : { key: key.kind }),
    ...(actor === undefined ? {} : { actor: actor.name }),
  })),
  keys: keys.map(({ kind }) => kind),
  actors: actors.map(({ name }) => name),
  connection,
  history,
  company,
  ...(eachKey ? { eachKey } : {}),
});

function whyNot(rule: Rule, subject: Subject): PlannedRule['untested'] {
  const lack = lacking(rule.needs, subject);
  if (lack !== undefined) return lack;
  const cases = rule.cases?.(subject);
  if (typeof cases === 'string') return { because: cases };
  if (cases !== undefined && cases.length === 0) return { because: 'there is nothing of that kind' };
  return undefined;
}

function spaceOf(rule: Rule, subject: Subject): Space {
  const without = new Set<DimensionName>(rule.without ?? []);
  const only = <T>(name: DimensionName, values: readonly T[]): readonly T[] =>
    without.has(name) ? values.slice(0, 1) : values;
  const cases = rule.cases?.(subject);
  const role = rule.key ?? 'entitled';
  const keys = dimensions.key.flatMap(
    (kind) => subject.keys.find((key) => key.role === role && key.kind === kind) ?? [],
  );
  const actors = rule.actor === undefined ? [] : usable(rule, subject.actors[rule.actor]);
  const canFail = subject.actors.crashing.length > 0 || subject.actors.sources.length > 0;
  return {
    cases: Array.isArray(cases) ? cases : [],
    keys: only('key', keys),
    actors: only('actor', actors),
    connection: only('connection', dimensions.connection),
    history: only(
      'history',
      dimensions.history.filter((value) => value !== 'after-failed-run' || canFail),
    ),
    company: only('company', dimensions.company),
    ...(rule.eachKey ? { eachKey: true } : {}),
  };
}

/** Where a rule needs more of an actor than its role says, only the actors that have it are asked. */
function usable(rule: Rule, actors: readonly Actor[]): readonly Actor[] {
  return actors.filter(
    (actor) =>
      (!rule.needs.includes('two-sources') || actor.sources === 2) &&
      (!rule.needs.includes('many-sources') || actor.manySources !== undefined) &&
      (!rule.needs.includes('restricted-sources') || actor.sources > 0) &&
      (!rule.needs.includes('restricted') || (actor.entitledKey !== undefined && actor.restrictedKey !== undefined)),
  );
}
