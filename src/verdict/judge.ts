/** Pure: what one step says, given what was written down. Judging a live run and a stored one both end here. */
import type { Evidence } from '../model/evidence.ts';
import { type Exchange, isExchange, isOfOldVersion } from '../model/exchange.ts';
import { isObservation, isProbing, isSweep, type Rule } from '../model/rule.ts';
import type { Reason } from '../model/verdict.ts';
import type { BroughtBy } from './brought.ts';
import { gateOf } from './given.ts';

export type StepOutcome =
  | { readonly kind: 'judged'; readonly reasons: readonly Reason[]; readonly facts: readonly string[] }
  /** Where the clause is about answering, no answer came: at these places of what was asked. */
  | {
      readonly kind: 'unanswered';
      readonly because: string;
      readonly reasons: readonly Reason[];
      readonly places: readonly number[];
    }
  | { readonly kind: 'inconclusive'; readonly because: string }
  | { readonly kind: 'inapplicable'; readonly because: string }
  | { readonly kind: 'error'; readonly because: string };

/** A step with its evidence unpacked. */
export interface WholeStep extends BroughtBy {
  readonly twin?: Exchange;
  /** Why the question was not asked, or not to its end. */
  readonly inconclusive?: string;
  /** Why there is no such question for this profile. */
  readonly inapplicable?: string;
  readonly error?: string;
}

export function exchangesIn(evidence: Evidence): Exchange[] {
  if (isExchange(evidence)) return [evidence];
  if (Array.isArray(evidence)) return evidence.flatMap(exchangesIn);
  if (typeof evidence === 'object' && evidence !== null) return Object.values(evidence).flatMap(exchangesIn);
  return [];
}

export function judgeStep(rule: Rule, step: WholeStep): StepOutcome {
  const { about, evidence, error, inapplicable } = step;
  if (error !== undefined) return { kind: 'error', because: error };
  // What was asked has an answer, whatever is written next to it.
  if (inapplicable !== undefined && (evidence.length === 0 || step.gated))
    return { kind: 'inapplicable', because: inapplicable };
  try {
    const old = whatIsTooOld(rule, step);
    if (old !== undefined) return { kind: 'inapplicable', because: old };
    const because = whyUnjudgeable(rule, step);
    if (because !== undefined) return { kind: 'inconclusive', because };
    for (const each of step.gated ? [] : evidence) {
      const gate = gateOf(rule, each, about);
      if (gate === undefined) continue;
      return 'inapplicable' in gate
        ? { kind: 'inapplicable', because: gate.inapplicable }
        : { kind: 'inconclusive', because: gate.inconclusive };
    }
    if (step.inconclusive !== undefined) return { kind: 'inconclusive', because: step.inconclusive };
    if (isSweep(rule)) return { kind: 'judged', reasons: [], facts: [] };
    if (isObservation(rule))
      return { kind: 'judged', reasons: [], facts: evidence.flatMap((each) => rule.observe(each, about)) };
    const reasons = evidence.flatMap((each) => rule.judge(each, about));
    const lost = step.gated ? [] : lostIn(evidence);
    if (lost.length > 0) {
      const because = `no answer (${lost[0]!.exchange.failure?.kind ?? ''}, exchange ${lost[0]!.exchange.id})`;
      return { kind: 'unanswered', because, reasons, places: lost.map(({ place }) => place) };
    }
    const unread = reasons.some(({ weight }) => weight !== 'note') ? undefined : whyUnread(step);
    return unread === undefined ? { kind: 'judged', reasons, facts: [] } : { kind: 'inconclusive', because: unread };
  } catch (thrown) {
    return { kind: 'error', because: `the judge failed: ${thrown instanceof Error ? thrown.message : String(thrown)}` };
  }
}

/** Without any answer at all, each with its place among all that was asked. */
const lostIn = (evidence: readonly Evidence[]): { readonly exchange: Exchange; readonly place: number }[] =>
  evidence
    .flatMap(exchangesIn)
    .map((exchange, place) => ({ exchange, place }))
    .filter(({ exchange: { response, failure } }) => response === undefined && failure !== undefined);

/** A refusal proves nothing without its twin, and an answer that did not come proves nothing at all. */
function whyUnjudgeable(rule: Rule, step: WholeStep): string | undefined {
  const { twin } = step;
  if (twin !== undefined) {
    const came = twin.response?.status;
    if (came === undefined || isTorn(twin))
      return `the twin request, which must succeed, got no complete answer: ${twin.failure?.says ?? ''}`;
    if (rule.twin?.answered !== true && (came < 200 || came > 299))
      return `the twin request, which must succeed, got ${came} (exchange ${twin.id})`;
    // Where no body at all can be looked at, a status alone is no sign that the service works.
    if (isByStatus(rule) && twin.response?.body.truncated) return tooLarge(twin);
  }
  for (const exchange of step.evidence.flatMap(exchangesIn)) {
    const why = whyUnanswered(rule, exchange);
    if (why !== undefined) return why;
  }
  return undefined;
}

/** A status alone is half an answer: it may break a rule, and keeps none. */
function whyUnread({ evidence }: WholeStep): string | undefined {
  const unread = evidence.flatMap(exchangesIn).find(({ failure }) => failure?.kind === 'bad-coding');
  return unread && `the body is not in the declared coding and cannot be read (exchange ${unread.id})`;
}

/** A head without its complete body: the status shows the intention, not the result. */
const isTorn = ({ response, failure }: Exchange): boolean =>
  response !== undefined && failure !== undefined && !isOfCoding.has(failure.kind);

const isOfCoding: ReadonlySet<string> = new Set(['bad-coding', 'unread-coding']);

/** Nobody need answer HTTP/1.0. What looks for limits asks many things, and goes by those that were answered. */
function whatIsTooOld(rule: Rule, { evidence }: WholeStep): string | undefined {
  const asked = isProbing(rule) ? [] : evidence.flatMap(exchangesIn);
  const old = asked.find((exchange) => isOfOldVersion(exchange) && isUnanswered(exchange));
  return old && `the service answers no HTTP/1.0 (exchange ${old.id}), as it may`;
}

const isUnanswered = ({ response, failure }: Exchange): boolean =>
  response === undefined && failure !== undefined && ofTheService.has(failure.kind);

/** It took the connection, and gave nothing. */
const ofTheService: ReadonlySet<string> = new Set(['reset-before-head', 'closed-before-head', 'too-slow']);

const neverReached: ReadonlySet<string> = new Set(['refused', 'name-not-resolved', 'unreachable']);

function whyUnanswered(rule: Rule, exchange: Exchange): string | undefined {
  const { response, failure } = exchange;
  if (failure?.kind === 'not-sent' || failure?.kind === 'interrupted') return failure.says;
  if (isProbing(rule)) return undefined;
  if (response?.status === 429 && !isAbout429(rule)) {
    return `the answer was still 429 when patience ran out (exchange ${exchange.id})`;
  }
  if (response?.body.truncated && !isByStatus(rule)) return tooLarge(exchange);
  // RFC 9110 §12.5.3: a caller that names no codings accepts any, and this one cannot be undone here.
  if (failure?.kind === 'unread-coding') return `${failure.says} (exchange ${exchange.id})`;
  // Nobody was asked: a name that leads elsewhere, or nobody there, says nothing about how this is answered.
  if (failure !== undefined && neverReached.has(failure.kind))
    return `the service was not reached (exchange ${exchange.id}, ${failure.kind}): ${failure.says}`;
  // An answer with a wrong Content-Encoding was received, without a readable body: the rule decides.
  if (failure !== undefined && failure.kind !== 'bad-coding' && !isAboutAnswering(rule)) {
    return `no complete answer (exchange ${exchange.id}, ${failure.kind}): ${failure.says}`;
  }
  return undefined;
}

const tooLarge = ({ id }: Exchange): string =>
  `the body was larger than the profile allows, or split or nested too much (exchange ${id})`;

const isByStatus = (rule: Rule): boolean => 'byStatus' in rule && rule.byStatus === true;

const isAbout429 = (rule: Rule): boolean => 'meets429' in rule && rule.meets429 === true;

const isAboutAnswering = (rule: Rule): boolean => 'answering' in rule && rule.answering === true;
