/** Pure: the model of a limiter, from all that was asked of it. */
import type { LimitModel, SecondTier } from '../../model/limit-model.ts';
import { aliveIn, fit, tookMsOf } from './fit.ts';
import { isDecided, type Trace } from './trace.ts';

/** Pure: what was identified, again, from what was written down. */
export function modelOf(trace: Trace, sustainedFrom?: number): LimitModel {
  if (sustainedFrom === undefined) return fit(trace);
  const model = fit(trace.filter(({ sentAt }) => sentAt < sustainedFrom));
  const secondTier = secondTierOf(trace, sustainedFrom);
  const sustained = sustainedIn(trace, sustainedFrom);
  const all = {
    decisions: trace.filter(isDecided).length,
    admitted: trace.filter(({ admitted }) => admitted).length,
    tookMs: tookMsOf(trace),
  };
  return { ...model, ...all, sustained, ...(secondTier === undefined ? {} : { secondTier }) };
}

/** Pure: what the refusals since then say, next to all calls that were ever admitted. */
function secondTierOf(trace: Trace, since: number): SecondTier | undefined {
  const decided = trace.filter(({ status }) => status !== 0);
  const after = decided.filter(({ sentAt }) => sentAt >= since);
  const refusal = after.find(({ admitted }) => !admitted);
  if (refusal === undefined) return undefined;
  const before = after.filter(({ admitted, sentAt }) => admitted && sentAt < refusal.sentAt);
  const kinds = aliveIn(decided.filter(({ admitted, sentAt }) => admitted || sentAt >= since));
  const between = [...new Set(kinds.map(({ kind }) => kind))];
  const [only] = kinds;
  return {
    met: { calls: before.length, inMs: refusal.headAt - since },
    between,
    ...(only !== undefined && between.length === 1 ? { fitted: only } : {}),
  };
}

/** How long nothing but the first limit was met, where it was looked for. */
function sustainedIn(trace: Trace, since: number): { readonly calls: number; readonly inMs: number } {
  const after = trace.filter(({ status, sentAt }) => status !== 0 && sentAt >= since);
  const last = after.reduce((latest, { headAt }) => Math.max(latest, headAt), since);
  return { calls: after.length, inMs: last - since };
}
