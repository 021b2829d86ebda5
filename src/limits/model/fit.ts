/** From a trace alone to the model: every kind gets its best numbers, all are replayed, and those that still fit are reported. */

import type { Fitted, LimitKind, LimitModel } from '../../model/limit-model.ts';
import { copiesIn } from './copies.ts';
import { fitBucket } from './fit-bucket.ts';
import { fitCounter } from './fit-counter.ts';
import { fitCountingLog } from './fit-counting.ts';
import { fitConcurrency, fitQueue } from './fit-others.ts';
import { fitRestarting } from './fit-restart.ts';
import { fitStepped } from './fit-stepped.ts';
import { fitAligned, fitFirstCall, fitLog } from './fit-windows.ts';
import { doubtAbout, isToldMore, penalisingOf } from './penalty.ts';
import { retryAfterSeen } from './retry-seen.ts';
import { type Seen, see } from './seen.ts';
import type { Trace } from './trace.ts';

/** Fits of all kinds, best first. */
export function candidatesFor(trace: Trace, seen: Seen = see(trace)): Fitted[] {
  if (seen.size === seen.admitted || seen.admitted === 0) return [];
  const bucket = fitBucket(seen);
  const others = [
    bucket,
    fitQueue(trace, seen),
    fitStepped(seen),
    fitAligned(seen),
    fitFirstCall(seen),
    fitLog(seen),
    fitCountingLog(seen),
    fitRestarting(seen),
    fitConcurrency(trace, seen),
  ].filter((each) => each !== undefined);
  const least = Math.min(...others.map(({ against }) => against));
  const counter = fitCounter(seen, bucket?.perSecond?.value, least);
  return [...others, ...(counter === undefined ? [] : [counter])].sort((a, b) => a.against - b.against);
}

/**
 * Each decision lies between two moments, so the truth is never contradicted; one decision in two thousand may be a slip
 * of ours. What is further off is no candidate any more.
 */
export const allowedAgainst = (decisions: number): number => Math.floor(decisions * 0.0005);

/** Candidates of the same trace are asked for again and again, and cost most of all. */
const known = new WeakMap<Trace, { readonly size: number; readonly fits: Fitted[]; readonly seen: Seen }>();

function knownFits(trace: Trace): { readonly fits: Fitted[]; readonly seen: Seen } {
  const found = known.get(trace);
  if (found !== undefined && found.size === trace.length) return found;
  const seen = see(trace);
  const fresh = { size: trace.length, seen, fits: candidatesFor(trace, seen) };
  known.set(trace, fresh);
  return fresh;
}

export const aliveIn = (trace: Trace): Fitted[] => {
  const { seen, fits } = knownFits(trace);
  return alive(trace, seen, fits);
};

/** The kinds that still fit, without those that are equivalent to another. */
export function alive(trace: Trace, seen: Seen, fits: readonly Fitted[]): Fitted[] {
  const least = fits[0]?.against ?? 0;
  const left = fits.filter(
    ({ against }) => against <= Math.max(least, allowedAgainst(seen.size)) && against <= least + 1,
  );
  const queue = left.find(({ delays }) => delays);
  if (queue !== undefined) return [queue];
  const flight = left.find(({ kind }) => kind === 'concurrency');
  if (flight === undefined) return plausible(left, shortestBelieved(seen));
  const workMs = longestAdmitted(trace);
  // A window exactly as long as a call takes would be a strange coincidence.
  return [flight, ...left.filter((each) => each !== flight && spanOf(each) > 1.5 * workMs)];
}

/** Where something simpler explains it, a window that is too short to be believed is put aside. */
function plausible(left: readonly Fitted[], least: number): Fitted[] {
  const some = left.filter(
    ({ windowMs, kind }) => windowMs === undefined || kind === 'stepped refill' || windowMs.value >= least,
  );
  return some.length > 0 ? some : [...left];
}

/** How long it takes a kind to forget. */
export function spanOf({ burst, perSecond, windowMs, kind }: Fitted): number {
  if (kind === 'token bucket' && perSecond !== undefined) return (1000 * burst.value) / perSecond.value;
  if (kind === 'stepped refill' && perSecond !== undefined) return (1000 * burst.value) / perSecond.value;
  return windowMs?.value ?? 0;
}

function longestAdmitted(trace: Trace): number {
  let longest = 0;
  for (const { admitted, sentAt, headAt } of trace) if (admitted) longest = Math.max(longest, headAt - sentAt);
  return longest;
}

const windowKinds: readonly LimitKind[] = ['window aligned', 'window from first call', 'sliding log'];
const trickleKinds: readonly LimitKind[] = ['token bucket', 'stepped refill', 'sliding counter'];

/** With a burst of one, a bucket, a window and a log are the same thing. */
const forgetful: readonly LimitKind[] = ['token bucket', 'window from first call', 'sliding log'];

const sameAs = (one: Fitted, other: Fitted): boolean =>
  one.kind === other.kind ||
  (one.burst.value === 1 &&
    other.burst.value === 1 &&
    forgetful.includes(one.kind) &&
    forgetful.includes(other.kind) &&
    one.delays === undefined);

const namesOf = ({ kind, burst, delays }: Fitted): readonly LimitKind[] =>
  burst.value === 1 && burst.high === 1 && forgetful.includes(kind) && delays === undefined
    ? forgetful.filter((each) => each !== kind)
    : [];

/**
 * What is forgotten before an answer is back leaves nothing to measure: it may be a very fast limit, or one on calls in
 * flight, or chance.
 */
const isTooFast = ({ kind, windowMs, perSecond, delays }: Fitted, seen: Seen): boolean =>
  kind === 'token bucket'
    ? delays === undefined && perSecond !== undefined && perSecond.high > Math.min(3 * perSecond.low, 10_000)
    : kind !== 'stepped refill' && windowMs !== undefined && windowMs.value < shortestBelieved(seen);

/** Nobody sets up a window that is hardly longer than the way to the service. */
const shortestBelieved = (seen: Seen): number => Math.max(250, 4 * seen.wayMs);

/** From the first call to the last answer. */
export function tookMsOf(trace: Trace): number {
  let [begun, ended] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const { sentAt, headAt } of trace) [begun, ended] = [Math.min(begun, sentAt), Math.max(ended, headAt)];
  return Math.max(0, ended - begun);
}

export function fit(trace: Trace): LimitModel {
  const { seen, fits } = knownFits(trace);
  const tookMs = tookMsOf(trace);
  const shared = {
    same: [],
    retryAfter: retryAfterSeen(trace),
    decisions: seen.size,
    admitted: seen.admitted,
    tookMs,
    candidates: [],
    explained: 1,
  } as const;
  if (seen.size === 0) {
    const why = 'no call was answered in a way that says anything about a limit';
    return { ...shared, kind: 'undetermined', certainty: { is: 'fits badly', why }, explained: 0 };
  }
  if (seen.size === seen.admitted) {
    return {
      ...shared,
      kind: 'none met',
      certainty: { is: 'none within budget' },
      atLeast: { calls: seen.admitted, inMs: tookMs },
    };
  }
  const left = alive(trace, seen, fits);
  const best = left[0];
  const opening = { calls: seen.opening, inMs: openingMs(seen) };
  if (best === undefined) {
    return {
      ...shared,
      kind: 'undetermined',
      certainty: { is: 'fits badly', why: 'no call was ever admitted' },
      explained: 0,
    };
  }
  const explained = 1 - best.against / seen.size;
  const closed = seen.edges.length === 0 ? { closedForMs: seen.lo[seen.size - 1]! - seen.lo[seen.ok.indexOf(0)]! } : {};
  const common = { ...shared, ...closed, candidates: fits, explained, atLeast: opening };
  const lengthened = isToldMore(trace) ? ({ penalising: 'refusals lengthen the wait' } as const) : {};
  if (best.against > allowedAgainst(seen.size)) {
    const share = (100 * explained).toFixed(1);
    const certainty = {
      is: 'fits badly',
      why: `the best of all, ${best.kind}, explains ${share} % of the decisions`,
    } as const;
    return { ...common, ...lengthened, kind: 'undetermined', certainty };
  }
  if (seen.edges.length === 0 && best.kind !== 'concurrency' && !best.delays) {
    return { ...common, ...lengthened, kind: 'undetermined', certainty: between(left).certainty };
  }
  const doubt = doubtAbout(left, seen);
  if (doubt === 'grows') {
    const why = 'callers that call again after a refusal are refused for longer, and not always equally long';
    const certainty = { is: 'fits badly', why } as const;
    return { ...common, kind: 'undetermined', penalising: 'refusals lengthen the wait', certainty };
  }
  if (doubt !== undefined) return { ...common, ...lengthened, ...between(left) };
  if (isTooFast(best, seen)) {
    const certainty = { is: 'undetermined', between: [best.kind, 'concurrency'] } as const;
    return { ...common, kind: 'undetermined', certainty };
  }
  const rivals = left.filter((each) => !sameAs(best, each));
  const copies = copiesIn(best);
  if (copies !== undefined) {
    const certainty = { is: 'undetermined', between: ['stepped refill', 'token bucket'] } as const;
    return { ...common, kind: 'trickle undetermined', ...agreed([best]), perReplica: copies, certainty };
  }
  if (rivals.length === 0) {
    const { against: _, kind, ...numbers } = best;
    const penalising = penalisingOf(best);
    return { ...common, ...numbers, ...penalising, kind, same: namesOf(best), certainty: { is: 'identified' } };
  }
  return { ...common, ...between(left) };
}

/** Several are possible, or one that is not proven: what is said is what they have in common. */
function between(left: readonly Fitted[]): Pick<LimitModel, 'kind' | 'certainty' | 'burst' | 'windowMs' | 'perSecond'> {
  const names = [...new Set(left.map(({ kind }) => kind))];
  const all = (kinds: readonly LimitKind[]): boolean => names.every((kind) => kinds.includes(kind));
  const kind = all(windowKinds) ? 'window undetermined' : all(trickleKinds) ? 'trickle undetermined' : 'undetermined';
  return { kind, ...agreed(left), certainty: { is: 'undetermined', between: names } };
}

/** Numbers in which all that are left nearly agree, with an interval that holds them all. */
function agreed(left: readonly Fitted[]): Pick<LimitModel, 'burst' | 'windowMs' | 'perSecond'> {
  const pick = (name: 'burst' | 'windowMs' | 'perSecond'): object => {
    const all = left.map((each) => each[name]).filter((each) => each !== undefined);
    const [first] = all;
    if (first === undefined || (name !== 'perSecond' && all.length < left.length)) return {};
    const low = Math.min(...all.map((each) => each.low));
    const high = Math.max(...all.map((each) => each.high));
    return high > low * 1.5 ? {} : { [name]: { value: first.value, low, high } };
  };
  return { ...pick('burst'), ...pick('windowMs'), ...pick('perSecond') };
}

function openingMs(seen: Seen): number {
  const first = seen.ok.indexOf(0);
  return first < 0 ? 0 : seen.hi[first]! - seen.lo[0]!;
}
