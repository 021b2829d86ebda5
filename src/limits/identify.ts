/**
 * Finds out what a limit is. First a burst, silence, and a look at how calls come back; then, as long as two kinds
 * explain all that was seen, the experiment in which they differ; then the numbers. What it was is in the trace.
 */
import { type Random, seeded } from '../engine/random.ts';
import { burst, drain, recover, silences, stagger, type Watched, watch } from './experiments.ts';
import { aliveIn, fit, spanOf } from './fit.ts';
import type { Fitted, LimitModel } from './model.ts';
import { sharpen } from './precision.ts';
import { type Budget, defaultBudget, type Probe, type Trace } from './probe.ts';
import { Run, Stopped } from './run.ts';

export interface Identified {
  readonly trace: Trace;
  readonly model: LimitModel;
  /** Why it ended before it was done. */
  readonly stopped?: string;
}

const rounds = 6;

export async function identify(
  probe: Probe,
  budget: Budget = defaultBudget,
  random: Random = seeded(1),
): Promise<Identified> {
  const run = new Run(probe, budget);
  let stopped: string | undefined;
  try {
    await explore(run, budget, random);
  } catch (error) {
    if (!(error instanceof Stopped)) throw error;
    stopped = error.message;
  }
  return { trace: run.trace, model: fit(run.trace), ...(stopped === undefined ? {} : { stopped }) };
}

async function explore(run: Run, budget: Budget, random: Random): Promise<void> {
  await run.ask();
  const opening = await drain(run, 4);
  if (await isNoRate(run, opening.lastAdmitted)) return;
  const recovered = await recover(run, run.leftMs);
  if (recovered === undefined) return;
  await drain(run, 1);
  const seen = await look(run, opening.admitted + 1, recovered);
  if (seen.shut) {
    // Silence was answered and asking is not: refused calls count.
    await run.sleep(recovered + 100);
    await silences(run, recovered, opening.admitted + 1);
    return;
  }
  if (budget.quick !== true) await decide(run, random, seen.apart);
  await sharpen(run, left(run), budget.quick === true);
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
  for (const more of [2, 3, 4]) await run.many(size + more);
  const still = left(run);
  return still.length === 1 && still[0]!.kind === 'concurrency';
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

const windows = ['window aligned', 'window from first call', 'sliding log'];

async function decide(run: Run, random: Random, apart: number | undefined): Promise<void> {
  let bursts = 0;
  for (let round = 0; round < rounds; round += 1) {
    const kinds = left(run);
    // One opinion is no proof where only one burst came after a rest.
    if (kinds.length === 0) return;
    const settled = new Set(kinds.map(({ kind }) => kind)).size === 1;
    // A small limit tells less with each burst.
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
