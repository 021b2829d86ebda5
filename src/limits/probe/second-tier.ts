/**
 * A wider limit behind the first: 10 a second and 300 a minute. It shows only to a caller that keeps calling as fast as the first
 * one allows and no faster, for then every refusal is the second one's.
 */

import type { Fitted } from '../../model/limit-model.ts';
import { spanOf } from '../model/fit.ts';
import { recover } from './experiments.ts';
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
