/** Pure: which rule is asked in which contexts, and which is not asked and why. */
import { type Context, type DimensionName, dimensions } from '../model/context.ts';
import { type Case, isObservation, isProbing, type Rule } from '../model/rule.ts';
import type { Depth, PlannedRule } from '../model/run.ts';
import type { Actor, Key, Subject } from '../model/subject.ts';
import { hashOf, seeded } from '../random.ts';
import type { StepInPlan } from './asker.ts';
import { lacking } from './capabilities.ts';
import { largestPaired, pairs, product, type Row, rotated, singles } from './covering.ts';

export interface Plan {
  readonly rules: readonly PlannedRule[];
  readonly steps: readonly StepInPlan[];
}

/** What can vary for a rule: each dimension's values that this profile has. */
interface Space {
  readonly cases: readonly (Case | undefined)[];
  readonly keys: readonly (Key | undefined)[];
  readonly actors: readonly (Actor | undefined)[];
  readonly connection: readonly Context['connection'][];
  readonly history: readonly Context['history'][];
  readonly company: readonly Context['company'][];
}

export interface HowDeep {
  readonly depth: Depth;
  readonly seed: number;
  /** So many times over, each with other rows of the covering array: for what shows only sometimes. */
  readonly repeat?: number;
}

export function plan(rules: readonly Rule[], subject: Subject, how: HowDeep): Plan {
  const planned: PlannedRule[] = [];
  const steps: StepInPlan[] = [];
  for (const rule of rules) {
    const untested = whyNot(rule, subject);
    const own = untested === undefined ? roundsOf(rule, subject, how) : [];
    planned.push({
      rule: rule.id,
      level: rule.clause.level,
      clause: { id: rule.clause.id, section: rule.clause.section, says: rule.clause.says },
      fix: rule.fix,
      contexts: own.length,
      ...(untested === undefined ? {} : { untested }),
    });
    steps.push(...own);
  }
  return { rules: planned, steps };
}

function roundsOf(rule: Rule, subject: Subject, { depth, seed, repeat = 1 }: HowDeep): StepInPlan[] {
  if (isObservation(rule)) return stepsOf(rule, subject, 'quick', seed);
  // What looks for limits repeats itself as often as it must, and spends what all share.
  const rounds = isProbing(rule) ? 1 : repeat;
  return Array.from({ length: rounds }, (_, round) => {
    const steps = stepsOf(rule, subject, depth, (seed + round) >>> 0);
    return round === 0 ? steps : steps.map((step) => ({ ...step, first: false, turn: step.turn + round }));
  }).flat();
}

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
    cases: Array.isArray(cases) ? cases : [undefined],
    keys: keys.length === 0 ? [undefined] : only('key', keys),
    actors: actors.length === 0 ? [undefined] : only('actor', actors),
    connection: only('connection', dimensions.connection),
    history: only(
      'history',
      dimensions.history.filter((value) => value !== 'after-failed-run' || canFail),
    ),
    company: only('company', dimensions.company),
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

const rowsAt = (depth: Depth, sizes: readonly number[], seed: number): readonly Row[] => {
  if (depth === 'quick') return singles(sizes);
  return depth === 'thorough' ? [...singles(sizes), ...product(sizes).filter(isDeeper)] : cachedPairs(sizes, seed);
};

/** Whether a row is not one of the singles, which are asked first. */
const isDeeper = (row: Row): boolean => row.slice(1).some((value) => value !== 0);

/** The same sizes come back for many rules, and for thousands of runs in the matrix. */
const cache = new Map<string, readonly Row[]>();

function cachedPairs(sizes: readonly number[], seed: number): readonly Row[] {
  const name = `${sizes.join(' ')} ${seed}`;
  let rows = cache.get(name);
  if (rows === undefined) {
    if (cache.size > 500) cache.clear();
    const random = seeded(seed ^ hashOf(sizes.join(' ')));
    rows = (sizes[0] ?? 1) > largestPaired ? rotated(sizes, random) : pairs(sizes, random);
    cache.set(name, rows);
  }
  return rows;
}

function stepsOf(rule: Rule, subject: Subject, depth: Depth, seed: number): StepInPlan[] {
  const space = spaceOf(rule, subject);
  const axes = [space.cases, space.keys, space.actors, space.connection, space.history, space.company];
  const rows = rowsAt(
    depth,
    axes.map((axis) => axis.length),
    seed,
  );
  const seen = new Set<string>();
  const steps: StepInPlan[] = [];
  const turns = new Map<string, number>();
  rows.forEach((row, at) => {
    const history = space.history[row[4] ?? 0]!;
    const turn = turns.get(history) ?? 0;
    const step = stepAt(rule, space, row, turn, at < space.cases.length);
    const name = JSON.stringify(step.context);
    if (seen.has(name)) return;
    seen.add(name);
    turns.set(history, turn + 1);
    steps.push(step);
  });
  return steps;
}

function stepAt(rule: Rule, space: Space, row: Row, turn: number, first: boolean): StepInPlan {
  const [c = 0, k = 0, a = 0, n = 0, h = 0, m = 0] = row;
  const one = space.cases[c];
  const key = one?.key ?? space.keys[k];
  const actor = one?.actor ?? space.actors[a];
  return {
    rule,
    context: {
      key: key?.kind ?? 'live',
      connection: space.connection[n]!,
      history: space.history[h]!,
      company: space.company[m]!,
      ...(actor === undefined ? {} : { actor: actor.name }),
      ...(one === undefined ? {} : { case: one.name }),
    },
    ...(one === undefined ? {} : { case: one }),
    ...(key === undefined ? {} : { key }),
    ...(actor === undefined ? {} : { actor }),
    purpose: 'plan',
    turn,
    first,
  };
}
