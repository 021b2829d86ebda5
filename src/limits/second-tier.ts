/**
 * A wider limit behind the first: 10 a second and 300 a minute. It shows only to who keeps calling as fast as the first
 * one allows and no faster, for then every refusal is the second one's.
 */

import type { Fitted, SecondTier } from '../model/limit-model.ts';
import { recover } from './experiments.ts';
import { aliveIn, spanOf } from './fit.ts';
import type { Trace } from './probe.ts';
import type { Run } from './run.ts';

const chunk = 40;

/** Returns since when every refusal is the second limit's. */
export async function sustain(
  run: Run,
  first: Fitted,
  most: { readonly calls: number; readonly ms?: number | undefined },
  begins: (since: number) => void,
): Promise<number | undefined> {
  const gapMs = gapOf(first);
  if (gapMs === undefined || first.delays) return undefined;
  const calls = Math.floor(Math.min(most.calls, (most.ms ?? Number.POSITIVE_INFINITY) / gapMs));
  if (calls < chunk) return undefined;
  await run.sleep(spanOf(first) * 1.1 + 50);
  const since = run.now();
  // Told at once: what comes after it may end at the budget.
  begins(since);
  for (let cycle = 0; cycle < 3; cycle += 1) {
    if (!(await keepCalling(run, gapMs, cycle === 0 ? calls : 2 * chunk))) break;
    const silence = await recover(run, run.leftMs);
    if (silence === undefined) break;
  }
  return since;
}

/** A little slower than the first limit's own pace: slower than any reading of its numbers. */
function gapOf({ kind, perSecond, windowMs, burst }: Fitted): number | undefined {
  if (kind === 'concurrency') return undefined;
  if (perSecond !== undefined) return (1000 / perSecond.low) * 1.05;
  return windowMs === undefined ? undefined : (windowMs.high / burst.low) * 1.05;
}

async function keepCalling(run: Run, gapMs: number, calls: number): Promise<boolean> {
  for (let asked = 0; asked < calls; asked += chunk) {
    const answers = await run.many(Math.min(chunk, calls - asked), gapMs);
    if (answers.some(({ admitted, status }) => !admitted && status !== 0)) return true;
    await run.sleep(gapMs);
  }
  return false;
}

/** Pure: what the refusals since then say, beside all calls that were ever admitted. */
export function secondTierOf(trace: Trace, since: number): SecondTier | undefined {
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
export function sustainedIn(trace: Trace, since: number): { readonly calls: number; readonly inMs: number } {
  const after = trace.filter(({ status, sentAt }) => status !== 0 && sentAt >= since);
  const last = after.reduce((latest, { headAt }) => Math.max(latest, headAt), since);
  return { calls: after.length, inMs: last - since };
}
