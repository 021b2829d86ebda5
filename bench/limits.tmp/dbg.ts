import { chanceOf } from '../../fixtures/limiters/chance.ts';
import { draw, renderers } from '../../fixtures/limiters/index.ts';
import { seeded } from '../../src/engine/random.ts';
import { identify } from '../../src/limits/identify.ts';
import { phasesOf } from '../../src/limits/lengths.ts';
import { admittedWithout, refusedWith } from '../../src/limits/replay-bucket.ts';
import { see } from '../../src/limits/seen.ts';
import { virtualProbe } from '../../src/limits/testing.ts';
const [kind, s] = [process.argv[2] as 'token bucket', Number(process.argv[3])];
const chance = chanceOf(s * 7919 + kind.length * 104729);
let phase = 0;
let calls = 0;
const drawn = draw(kind, () => {
  const v = chance();
  calls++;
  if (calls === 4) phase = v;
  return v;
});
const latencyMs = 50 ** chance();
// phase drawn from windowMs before T; recompute
const c2 = chanceOf(s * 7919 + kind.length * 104729);
c2(); c2();
const w0 = Math.round(1 * (60 / 1) ** c2()) * 1000;
const phaseMs = c2() * w0;
const probe = virtualProbe({ gate: drawn.gate, random: seeded(s), latencyMs, workMs: drawn.workMs, retryAfter: renderers.well });
const { model, trace } = await identify(probe, { maxRequests: 3000, maxSeconds: 3600 }, seeded(s + 1));
const seen = see(trace);
const W = drawn.windowMs!;
console.log(drawn.says, latencyMs, model.kind, model.certainty, trace.length);
if (kind === ('stepped refill' as string)) {
  for (const off of [-0.5, -0.25, 0, 0.25]) {
    const f = (t: number) => drawn.quantum! * Math.floor((t - phaseMs - off * latencyMs) / W);
    console.log('truth', off, admittedWithout(seen, drawn.burst!, f), refusedWith(seen, drawn.burst!, f));
  }
  const ph = phasesOf(seen.edges, W);
  console.log('truth phase', phaseMs % W, 'found', ph.low % W, ph.high % W, ph.held, seen.edges.length);
  for (const e of seen.edges) console.log('  edge', ((e.from - phaseMs) / W).toFixed(3), ((e.to - phaseMs) / W).toFixed(3), e.gained);
}
for (const f of model.candidates) console.log(f.kind, f.against, JSON.stringify(f.burst), JSON.stringify(f.windowMs), f.quantum);
