/**
 * Finds out what a limit is. First a burst, silence, and a look at how calls come back; then, as long as two kinds
 * explain all that was seen, the experiment in which they differ; then the numbers. What it was is in the trace.
 */

import type { Fitted, LimitModel } from '../../model/limit-model.ts';
import { type Random, seeded } from '../../random.ts';
import { aliveIn, allowedAgainst, spanOf } from '../model/fit.ts';
import { modelOf } from '../model/model-of.ts';
import { doubtAbout } from '../model/penalty.ts';
import { see } from '../model/seen.ts';
import { type Budget, defaultBudget, type Probe, type Trace } from '../model/trace.ts';
import { askIn, burst, drain, onlyOnce, recover, silences, stagger, type Watched, watch } from './experiments.ts';
import { sharpen } from './precision.ts';
import { Run, Stopped } from './run.ts';
import { sustain } from './second-tier.ts';

export interface Identified {
  readonly trace: Trace;
  readonly model: LimitModel;
  /** Why it ended before it was done. */
  readonly stopped?: string;
  /** From then on every refusal is a second limit's: with it, the trace alone gives the whole model again. */
  readonly sustainedFrom?: number;
}

const rounds = 6;

export async function identify(
  probe: Probe,
  budget: Budget = defaultBudget,
  random: Random = seeded(1),
): Promise<Identified> {
  const run = new Run(probe, budget);
  let stopped: string | undefined;
  let sustainedFrom: number | undefined;
  try {
    await explore(run, budget, random);
    const [only, ...others] = aliveIn(run.trace);
    const isSure = only !== undefined && others.length === 0 && only.against <= allowedAgainst(run.trace.length);
    if (budget.sustain !== undefined && budget.sustain > 0 && isSure) {
      sustainedFrom = await sustain(run, only, { calls: budget.sustain, ms: budget.sustainMs }, (since) => {
        sustainedFrom = since;
      });
    }
  } catch (error) {
    if (!(error instanceof Stopped)) throw error;
    stopped = error.message;
  }
  return {
    trace: run.trace,
    model: modelOf(run.trace, sustainedFrom),
    ...(stopped === undefined ? {} : { stopped }),
    ...(sustainedFrom === undefined ? {} : { sustainedFrom }),
  };
}

async function explore(run: Run, budget: Budget, random: Random): Promise<void> {
  await run.ask();
  const opening = await drain(run, 4);
  if (await isNoRate(run, opening.lastAdmitted)) return;
  const seen = await lookOn(run, opening.admitted + 1);
  if (seen === undefined) return prove(run, random);
  if (budget.quick !== true) {
    await decide(run, random, seen.apart);
    if (await surprise(run, random)) await decide(run, random, seen.apart);
    await prove(run, random);
  }
  await sharpen(run, left(run), budget.quick === true);
}

/**
 * "Counts refusals" is accepted only if a single refusal keeps a caller out as long as many do; the opposite, only if
 * somebody got in who had not stopped asking.
 */
async function prove(run: Run, random: Random): Promise<void> {
  for (let round = 0; round < 4; round += 1) {
    const kinds = left(run);
    const [best] = kinds;
    // What is contradicted anyway needs no proof.
    if (best === undefined || best.against > allowedAgainst(run.trace.length)) return;
    const doubt = doubtAbout(kinds, see(run.trace));
    if (doubt === undefined) return;
    if (doubt === 'perhaps a ban') {
      await untouched(run, best, spanOf(best), random);
      continue;
    }
    const counting = kinds.filter(({ countsRefusals }) => countsRefusals);
    if (counting.length === 0) {
      await askIn(run, spanOf(best), best.burst.value);
      continue;
    }
    const windowMs = Math.max(...counting.map((each) => each.windowMs!.value));
    if (round > 0) await run.sleep(windowMs * random());
    await onlyOnce(run, windowMs, counting[0]!.burst.value);
  }
}

const left = (run: Run): Fitted[] => aliveIn(run.trace);

/**
 * Admitted calls that take much longer than refused ones may be in flight, or queue. Both show at once: a limit on
 * calls in flight lets the same number in again and again, and nobody else while they last; a queue answers evenly.
 */
async function isNoRate(run: Run, admitted: number): Promise<boolean> {
  const took = (wanted: boolean): number[] =>
    run.trace
      .filter((each) => each.admitted === wanted && each.status !== 0)
      .map(({ sentAt, headAt }) => headAt - sentAt)
      .sort((a, b) => a - b);
  const ins = took(true);
  const outs = took(false);
  const working = ins[ins.length >> 1]!;
  const way = outs[outs.length >> 1]!;
  const slowest = ins.at(-1)!;
  if (working < way * 1.3 + 3 && slowest < way * 3 + 5) return false;
  const size = Math.max(1, admitted);
  for (let round = 0; round < 2; round += 1) {
    await run.sleep(slowest + 10);
    await run.many(size + 3 + round);
  }
  const kinds = left(run);
  if (kinds[0]?.delays) {
    await sharpen(run, kinds, false);
    return true;
  }
  if (kinds[0]?.kind !== 'concurrency') return false;
  await run.many(3 * size, working / (2 * size));
  for (const more of size > 50 ? [2] : [2, 3, 4]) await run.many(size + more);
  const still = left(run);
  return still.length === 1 && still[0]!.kind === 'concurrency';
}

/**
 * Silence first, then asking. Where silence is answered and asking is not, however long, refused calls count; but a
 * silence that was short by luck proves nothing, so it is tried again first. Where silence must be longer each time,
 * asking on would only make it worse.
 */
async function lookOn(run: Run, opening: number): Promise<{ readonly apart?: number } | undefined> {
  for (let before = 0, grown = 0; ; grown += 1) {
    const recovered = await recover(run, run.leftMs);
    if (recovered === undefined) return undefined;
    if (before > 0 && recovered <= 1.5 * before) {
      await silences(run, recovered, opening);
      return undefined;
    }
    if (grown === 3) return undefined;
    await drain(run, 1);
    const seen = await look(run, opening, Math.max(recovered, run.toldMs));
    if (!seen.shut) return seen;
    before = recovered;
  }
}

/** How calls come back: in jumps that are as big as the burst, or bit by bit; how far apart; or not at all. */
async function look(
  run: Run,
  opening: number,
  recoveredMs: number,
): Promise<{ readonly apart?: number; readonly shut: boolean }> {
  const isJump = (gain: number): boolean => gain >= Math.max(3, 0.6 * opening);
  const enough = ({ gains, times }: Watched): boolean => {
    const jumps = gains.filter(isJump).length;
    if (jumps > 0) return jumps >= 2;
    return gains.length >= 4 && times.at(-1)! - times[0]! > 0;
  };
  const watched = await watch(run, enough, { patienceMs: Math.min(run.leftMs, 3 * recoveredMs + 3000), polls: 150 });
  const gaps = watched.times.slice(1).map((time, at) => time - watched.times[at]!);
  const apart = gaps.sort((a, b) => a - b)[gaps.length >> 1];
  return { ...(apart === undefined ? {} : { apart }), shut: watched.edges === 0 };
}

/**
 * What was fitted must also explain what it was not fitted to: after rests that are too short, a limit admits a part,
 * and how great that is says more than another full burst. True where the kinds that are left have changed.
 */
async function surprise(run: Run, random: Random): Promise<boolean> {
  const before = left(run);
  const [best] = before;
  if (best === undefined) return false;
  const windowed = before.filter(({ kind }) => windows.includes(kind));
  const window = windowed.find(({ countsRefusals }) => !countsRefusals) ?? windowed[0];
  if (window !== undefined) await untouched(run, window, spanOf(window), random);
  else if (best.kind === 'token bucket' && best.burst.value === 1) await untouched(run, best, spanOf(best), random);
  for (let round = 0; round < 2; round += 1) {
    await run.sleep(spanOf(best) * (0.15 + 0.7 * random()) + 20);
    await drain(run, Math.min(4, best.burst.value));
  }
  // A small limit says little at once. Copies that are asked in turn are betrayed by calls that come one by one.
  const size = best.burst.value;
  for (let call = 0; size > 1 && size <= 12 && call < Math.min(24, 3 * size); call += 1) {
    await run.sleep((spanOf(best) / size) * (0.2 + 1.2 * random()));
    await run.ask();
  }
  const names = (kinds: readonly Fitted[]): string => kinds.map(({ kind }) => kind).join();
  return names(before) !== names(left(run));
}

/**
 * All that there is and not one call more; then one shortly before the window ends. Where it is a ban that ends then,
 * and not the window, nobody was banned, and the call is admitted.
 */
async function untouched(run: Run, best: Fitted, windowMs: number, random: Random): Promise<void> {
  const guard = Math.max(15, 3 * (run.usualMs || 0), 0.04 * windowMs);
  await run.sleep(windowMs * (1.03 + (best.phaseMs === undefined ? 0.3 * random() : 0)) + 50);
  if (best.phaseMs !== undefined) {
    // Begin early in a window, so that much of it is left.
    const into = (((run.now() - best.phaseMs.value) % windowMs) + windowMs) % windowMs;
    await run.sleep(windowMs - into + guard);
  }
  const began = run.now();
  await run.many(best.burst.value);
  await run.until(began + windowMs - (best.phaseMs === undefined ? 1 : 2) * guard);
  await run.ask();
}

const windows = ['window aligned', 'window from first call', 'sliding log'];

async function decide(run: Run, random: Random, apart: number | undefined): Promise<void> {
  let bursts = 0;
  for (let round = 0; round < rounds; round += 1) {
    const kinds = left(run);
    // One opinion is no proof where only one burst came after a rest.
    if (kinds.length === 0) return;
    const settled = new Set(kinds.map(({ kind }) => kind)).size === 1;
    // A small limit shows less with each burst.
    if (settled && bursts > (kinds[0]!.burst.value <= 4 || kinds[0]!.kind === 'stepped refill' ? 1 : 0)) return;
    const of = (names: readonly string[]): Fitted[] => kinds.filter(({ kind }) => names.includes(kind));
    const windowed = of(windows);
    const rest = Math.max(...kinds.map((each) => spanOf(each) * (each.kind === 'sliding counter' ? 2 : 1)));
    const limit = kinds[0]!.burst.value;
    await run.sleep(rest * (1.03 + random()) + 50);
    if (windowed.length > 0 && limit > 1) await stagger(run, limit, windowed[0]!.windowMs!.value, random);
    else await burst(run, limit, limit === 1 ? 2 : 3, run.leftMs, apart);
    bursts += 1;
  }
}
