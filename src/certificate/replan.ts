/**
 * Pure: a run's plan, made again from what its header says and compared with what was asked, step by step. A depth that was not
 * asked, a rule that is said to lack what another rule had, and a context that was dropped give another plan.
 */
import { type Context, dimensions } from '../model/context.ts';
import { isObservation, isProbing, type Rule } from '../model/rule.ts';
import type { Axes, PlannedRule, Run, Step } from '../model/run.ts';
import { contextsOf } from '../verdict/contexts.ts';

export function whyOtherwisePlanned(name: string, run: Run, rules: readonly Rule[]): string[] {
  const known = new Map<string, Rule>(rules.map((rule) => [rule.id, rule]));
  const planned = run.header.planned.flatMap((plan): Planned[] => {
    const rule = known.get(plan.rule);
    return rule === undefined ? [] : [{ plan, rule }];
  });
  const asked = Map.groupBy(
    run.steps.filter(({ purpose }) => purpose === 'plan'),
    ({ rule }) => rule,
  );
  return [
    ...planned.flatMap((each) => whyOtherSteps(run, each, asked.get(each.plan.rule) ?? [])),
    ...whyOtherAxes(run, planned),
    ...whyNotUntested(planned),
  ].map((says) => `${name}: ${says}`);
}

interface Planned {
  readonly plan: PlannedRule;
  readonly rule: Rule;
}

function whyOtherSteps({ header }: Run, { plan, rule }: Planned, steps: readonly Step[]): string[] {
  const { axes, contexts, untested } = plan;
  if (untested !== undefined) return contexts === 0 ? [] : [`${rule.id} is marked untested, but has contexts`];
  if (axes === undefined) return [`${rule.id} does not state what it was planned over`];
  const { seed, repeat = 1 } = header;
  const how = isObservation(rule)
    ? { depth: 'once' as const, seed }
    : { depth: header.depth, seed, repeat: isProbing(rule) ? 1 : repeat };
  const due = contextsOf(axes, how).map(({ context }) => nameOf(context));
  const there = steps.map(({ context }) => nameOf(context));
  const isSame = due.length === contexts && JSON.stringify(due.toSorted()) === JSON.stringify(there.toSorted());
  if (isSame) return [];
  return [
    `at depth ${header.depth} and seed ${seed}, ${rule.id} is asked in ${due.length} contexts, but the run has ${there.length}`,
  ];
}

/** Members in one order. */
const nameOf = ({ key, connection, history, company, actor, case: one }: Context): string =>
  JSON.stringify([key, connection, history, company, actor ?? null, one ?? null]);

const wholeOf = {
  connection: dimensions.connection,
  company: dimensions.company,
} as const;

/** What the rule itself says about an axis, and what all rules of a run have alike. */
function whyOtherAxes({ header }: Run, planned: readonly Planned[]): string[] {
  const alike = new Map<string, string>();
  const wrong: string[] = [];
  const same = (rule: string, what: string, values: readonly string[]): void => {
    const before = alike.get(what);
    const now = values.join(' ');
    if (before === undefined) alike.set(what, now);
    else if (before !== now) wrong.push(`${rule} was planned over other values of ${what} than the rules before it`);
  };
  const actors = header.profile.actors ?? [];
  for (const { plan, rule } of planned) {
    const { axes } = plan;
    if (axes === undefined) continue;
    const without = new Set<string>(rule.without ?? []);
    const narrowed = (['connection', 'company', 'history', 'key', 'actor'] as const).filter(
      (axis) => without.has(axis) && valuesOf(axes, axis).length > 1,
    );
    for (const axis of ['connection', 'company'] as const)
      if (!without.has(axis) && axes[axis].join() !== wholeOf[axis].join()) narrowed.push(axis);
    for (const axis of narrowed) wrong.push(`${rule.id} was planned over a ${axis} that is not the rule's`);
    if (!without.has('history')) same(rule.id, 'the history', axes.history);
    if (!without.has('key')) same(rule.id, `the ${rule.key ?? 'entitled'} keys`, axes.keys);
    if (!without.has('actor') && rule.actor !== undefined) same(rule.id, actorsWanted(rule), axes.actors);
    // Runs of set 1 asked for less.
    if (rule.eachKey && !axes.eachKey && header.rules.version !== '1')
      wrong.push(`${rule.id} was not planned over each case with each kind of key`);
    if ((rule.cases === undefined) !== (axes.cases.length === 0))
      wrong.push(`${rule.id} was planned over cases that are not the rule's`);
    const strange = axes.actors.filter((actor) => !actors.includes(actor));
    if (strange.length > 0) wrong.push(`${rule.id} was planned with actors that the header does not name`);
  }
  const [first] = dimensions.history;
  const history = alike.get('the history')?.split(' ');
  const least = dimensions.history.filter((value) => value !== 'after-failed-run');
  if (history !== undefined && (history[0] !== first || !least.every((value) => history.includes(value))))
    wrong.push('the plan omits histories that every service has');
  return wrong;
}

const valuesOf = (axes: Axes, axis: 'connection' | 'company' | 'history' | 'key' | 'actor'): readonly string[] =>
  axis === 'key' ? axes.keys : axis === 'actor' ? axes.actors : axes[axis];

const narrowing = new Set(['two-sources', 'many-sources', 'restricted-sources', 'restricted']);

const actorsWanted = ({ actor, needs }: Rule): string =>
  [`the ${actor} actors`, ...needs.filter((need) => narrowing.has(need)).sort()].join(' with ');

/** What one rule of the run had was there for every other. */
function whyNotUntested(planned: readonly Planned[]): string[] {
  const there = new Set(planned.flatMap(({ plan, rule }) => (plan.untested === undefined ? rule.needs : [])));
  return planned
    .filter(
      ({ plan, rule }) =>
        plan.untested !== undefined && rule.cases === undefined && rule.needs.every((need) => there.has(need)),
    )
    .map(({ rule }) => `${rule.id} is marked untested, but nothing that it needs is missing`);
}
