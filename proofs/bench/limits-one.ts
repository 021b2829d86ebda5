/** One limiter drawn at random, behind a way of 1 to 50 ms, and what the prober makes of it. */
import { betweenByFactor, chanceOf, type DrawnKind, draw, renderers } from '../../fixtures/limiters/index.ts';
import { identify } from '../../src/limits/probe/identify.ts';
import { virtualProbe } from '../../src/limits/probe/testing.ts';
import { seeded } from '../../src/random.ts';
import { judgeQuick } from './limits-quick.ts';
import { judge, type Outcome } from './limits-table.ts';

export async function tryOne(kind: DrawnKind, seed: number, told: boolean, quick: boolean): Promise<Outcome> {
  const chance = chanceOf(seed * 7919 + kind.length * 104_729);
  const drawn = draw(kind, chance);
  const latencyMs = betweenByFactor(chance, 1, 50);
  const probe = virtualProbe({
    gate: drawn.gate,
    random: seeded(seed),
    latencyMs,
    workMs: drawn.workMs,
    retryAfter: told ? renderers.well : renderers.absent,
  });
  const budget = { maxRequests: 3000, maxSeconds: 3600, quick };
  const { model, trace } = await identify(probe, budget, seeded(seed + 1));
  const outcome = quick ? judgeQuick(drawn, model, trace.length) : judge(drawn, model, trace.length);
  return { ...outcome, says: `#${seed}: ${drawn.says}; ${latencyMs.toFixed(1)} ms` };
}
