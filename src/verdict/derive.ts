/** Pure: from the written steps and exchanges to one finding a rule. */
import { type Context, describeContext } from '../model/context.ts';
import type { Exchange } from '../model/exchange.ts';
import { isObservation, isSweep, type Rule } from '../model/rule.ts';
import type { PlannedRule, Step } from '../model/run.ts';
import type { Finding, Reason, Verdict } from '../model/verdict.ts';
import { broughtBy } from './brought.ts';
import { judgeStep, type StepOutcome } from './judge.ts';
import { withoutChance } from './lost.ts';
import { holdsEveryFailure, smallestDescription } from './narrow.ts';
import { type Swept, sweepOver, type Written } from './sweeping.ts';

export interface JudgedStep {
  readonly step: Step;
  readonly outcome: StepOutcome;
}

/** More reasons than anybody reads; the rest are counted by the reports. */
const reasonsKept = 40;
const examplesKept = 3;

export function deriveFindings(
  written: Written & { readonly planned: readonly PlannedRule[] },
  rules: readonly Rule[],
): Finding[] {
  const byRule = Map.groupBy(written.steps, (step) => step.rule);
  return written.planned.map((planned) => {
    const rule = rules.find((each) => each.id === planned.rule);
    if (rule === undefined) {
      return { ...blank(planned), verdict: 'error', because: 'this rule is no longer in the catalogue' };
    }
    return deriveFinding(rule, planned, byRule.get(planned.rule) ?? [], written);
  });
}

export function judgeWritten(rule: Rule, step: Step, exchanges: ReadonlyMap<number, Exchange>): StepOutcome {
  const twin = step.twin === undefined ? undefined : exchanges.get(step.twin);
  return judgeStep(rule, {
    ...broughtBy(rule, step, exchanges),
    ...(twin === undefined ? {} : { twin }),
    ...(step.inconclusive === undefined ? {} : { inconclusive: step.inconclusive }),
    ...(step.inapplicable === undefined ? {} : { inapplicable: step.inapplicable }),
    ...(step.error === undefined ? {} : { error: step.error }),
  });
}

export function deriveFinding(rule: Rule, planned: PlannedRule, steps: readonly Step[], written: Written): Finding {
  if (planned.untested !== undefined) {
    const { because, add } = planned.untested;
    return { ...blank(planned), verdict: 'untested', because: add === undefined ? because : `${because}; add ${add}` };
  }
  const judged = steps.map((step): JudgedStep => ({ step, outcome: judgeWritten(rule, step, written.exchanges) }));
  return combine(rule, planned, judged, isSweep(rule) ? sweepOver(rule, steps, written) : undefined);
}

/** Shown everywhere as what nobody has to fix yet. */
const provisional = {
  reason: 'the rule is provisional: it counts from the next rule set on',
  owner: 'Touchstone',
} as const;

const blank = (planned: PlannedRule): Omit<Finding, 'verdict'> => ({
  rule: planned.rule,
  reasons: [],
  asked: { contexts: 0, planned: planned.contexts, leftOut: [] },
  exchanges: [],
});

function combine(rule: Rule, planned: PlannedRule, judged: readonly JudgedStep[], swept: Swept | undefined): Finding {
  const asked = judged.filter(({ step }) => step.purpose === 'plan');
  const leftOut = asked.flatMap(({ step }) => (step.leftOut === undefined ? [] : [describeContext(step.context)]));
  const done = withoutChance(judged).filter(
    ({ step, outcome }) => step.leftOut === undefined && outcome.kind !== 'inapplicable',
  );
  const reasons = [
    ...done.flatMap(({ outcome }) => (outcome.kind === 'judged' ? outcome.reasons : [])),
    ...(swept?.reasons ?? []),
  ];
  const facts = [...new Set(done.flatMap(({ outcome }) => (outcome.kind === 'judged' ? outcome.facts : [])))];
  const verdict = verdictOf(rule, done, reasons, swept);
  const counted = verdict === 'fail' || verdict === 'warn' ? worst(reasons) : reasons;
  const place = verdict === 'fail' || verdict === 'warn' ? placeOf(verdict, rule, done, swept) : {};
  const because = becauseOf(verdict, [...done, ...judged], swept);
  return {
    rule: planned.rule,
    verdict,
    reasons: distinct(counted).slice(0, reasonsKept),
    ...(facts.length === 0 ? {} : { facts }),
    ...(because === undefined ? {} : { because }),
    ...place,
    ...(swept === undefined ? {} : { looked: { exchanges: swept.seen.length, own: swept.own } }),
    asked: { contexts: asked.length - leftOut.length, planned: planned.contexts, leftOut },
    exchanges: shown(counted, done, swept),
    ...(planned.provisional && (verdict === 'fail' || verdict === 'warn') ? { waived: provisional } : {}),
  };
}

function verdictOf(
  rule: Rule,
  done: readonly JudgedStep[],
  reasons: readonly Reason[],
  swept: Swept | undefined,
): Verdict {
  const has = (kind: StepOutcome['kind']): boolean => done.some(({ outcome }) => outcome.kind === kind);
  if (reasons.some((reason) => reason.weight === 'violation'))
    return rule.clause.level === 'required' ? 'fail' : 'warn';
  if (has('error') || swept?.failed !== undefined) return 'error';
  // What was seen of invented actors and keys alone says nothing about those of the profile.
  const sawNothing = swept === undefined ? !has('judged') : swept.own === 0;
  if (swept !== undefined && sawNothing && !has('inconclusive')) return 'untested';
  // A question of its own that came to nothing is not made good by what was seen of others.
  if (has('inconclusive') && (swept === undefined || sawNothing || !swept.alive || !has('judged')))
    return 'inconclusive';
  if (sawNothing) return done.length === 0 ? 'untested' : 'inconclusive';
  if (isObservation(rule)) return 'observed';
  if (swept?.alive === false) return 'inconclusive';
  return reasons.some((reason) => reason.weight === 'warning') ? 'warn' : 'pass';
}

function becauseOf(verdict: Verdict, judged: readonly JudgedStep[], swept: Swept | undefined): string | undefined {
  if (verdict === 'error' || verdict === 'inconclusive') {
    const { outcome } = judged.find((each) => each.outcome.kind === verdict && each.step.leftOut === undefined) ?? {};
    if (outcome !== undefined && 'because' in outcome) return outcome.because;
    if (verdict === 'error') return swept?.failed ?? 'the run ended before it was asked';
    return swept?.alive === false
      ? 'no request of the whole run succeeded, so the answers prove nothing'
      : 'the run ended before it was asked';
  }
  if (verdict !== 'untested') return undefined;
  if (swept !== undefined)
    return swept.seen.length === 0
      ? 'the whole run got no answer of this kind'
      : `no actor or key of the profile got an answer of this kind (invented ones got ${swept.seen.length})`;
  if (judged.length === 0) return 'the run ended before it was asked';
  const why = new Set(judged.flatMap(({ outcome }) => (outcome.kind === 'inapplicable' ? [outcome.because] : [])));
  return why.size === 1 ? [...why][0] : 'none of its cases applies to this profile';
}

const worst = (reasons: readonly Reason[]): Reason[] => {
  const violations = reasons.filter((reason) => reason.weight === 'violation');
  return violations.length > 0 ? violations : reasons.filter((reason) => reason.weight === 'warning');
};

/** The same reason from many exchanges is one reason, shown by the first of them. */
function distinct(reasons: readonly Reason[]): Reason[] {
  const first = new Map<string, Reason>();
  for (const reason of reasons) {
    const name = `${reason.weight}\n${reason.expected}\n${reason.came}`;
    if (!first.has(name)) first.set(name, reason);
  }
  return [...first.values()];
}

function shown(reasons: readonly Reason[], done: readonly JudgedStep[], swept: Swept | undefined): number[] {
  const ids = reasons.flatMap((reason) => (reason.exchange === undefined ? [] : [reason.exchange]));
  if (ids.length > 0) return [...new Set(ids)].slice(0, reasonsKept);
  const own = done.slice(0, examplesKept).flatMap(({ step }) => step.exchanges);
  return [...new Set([...own, ...(swept?.seen ?? [])])].slice(0, examplesKept);
}

const isBad = (verdict: Verdict, outcome: StepOutcome): boolean =>
  outcome.kind === 'judged' &&
  outcome.reasons.some(
    (reason) => reason.weight === 'violation' || (verdict === 'warn' && reason.weight === 'warning'),
  );

/** Where a failure is, and whether it came back when it was asked again in the same way. */
function placeOf(
  verdict: Verdict,
  rule: Rule,
  done: readonly JudgedStep[],
  swept: Swept | undefined,
): Pick<Finding, 'where' | 'seen'> {
  const points =
    swept === undefined
      ? done
          .filter(({ outcome }) => outcome.kind === 'judged')
          .map(({ step, outcome }) => ({ context: step.context, bad: isBad(verdict, outcome) }))
      : swept.points.map(({ context, bad, worst }) => ({
          context,
          bad: bad || (verdict === 'warn' && worst === 'warning'),
        }));
  if (points.every((point) => point.bad) || !points.some((point) => point.bad)) return {};
  // Cases are each rule's own: next to those of others they say nothing.
  const part = smallestDescription(points, swept === undefined ? (rule.without ?? []) : ['case']);
  const where = part === undefined || !holdsEveryFailure(points, part) ? {} : { where: describeContext(part) };
  if (swept !== undefined) return where;
  const same = sameContext(points);
  return { ...where, ...(same.times < same.of ? { seen: same } : {}) };
}

/** Of the contexts that failed at least once: how often they failed when they were asked. */
function sameContext(points: readonly { context: Context; bad: boolean }[]): { times: number; of: number } {
  const name = (context: Context): string => JSON.stringify(context);
  const bad = new Set(points.filter((point) => point.bad).map((point) => name(point.context)));
  const of = points.filter((point) => bad.has(name(point.context)));
  return { times: of.filter((point) => point.bad).length, of: of.length };
}
