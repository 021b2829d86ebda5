import { chanceOf } from '../fixtures/limiters/chance.ts';
import { draw, renderers } from '../fixtures/limiters/index.ts';
import { seeded } from '../src/engine/random.ts';
import { identify } from '../src/limits/identify.ts';
import { admittedWithout, refusedWith } from '../src/limits/replay-bucket.ts';
import { againstCounter } from '../src/limits/replay-counter.ts';
import { see } from '../src/limits/seen.ts';
import { virtualProbe } from '../src/limits/testing.ts';

const [kind, s] = [process.argv[2] as any, Number(process.argv[3])];
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
const probe = virtualProbe({
  gate: drawn.gate,
  random: seeded(s),
  latencyMs,
  workMs: drawn.workMs,
  retryAfter: renderers.well,
});
const { model, trace } = await identify(probe, { maxRequests: 3000, maxSeconds: 3600 }, seeded(s + 1));
const seen = see(trace);
if (process.argv[4]) {
  for (const d of trace) {
    console.log(
      (d.sentAt - trace[0]!.sentAt).toFixed(1),
      (d.headAt - d.sentAt).toFixed(1),
      d.admitted ? 'ok' : '-- ' + d.retryAfter,
    );
  }
}
console.log(drawn.says, latencyMs, model.kind, model.certainty, model.explained);
if (kind.includes('bucket') || kind === 'GCRA') {
  const f = (t: number) => (t * drawn.perSecond!) / 1000;
  console.log('truth', admittedWithout(seen, drawn.burst!, f), refusedWith(seen, drawn.burst!, f));
}
if (kind === 'stepped refill') {
  const W = drawn.windowMs!,
    P = phase * Math.round(1);
  console.log('stepped truth unknown phase');
  for (const e of seen.edges)
    console.log('edge', e.from.toFixed(1), e.to.toFixed(1), e.gained, (e.from % W).toFixed(1), (e.to % W).toFixed(1));
}
if (kind === 'sliding counter') {
  const w = drawn.windowMs!;
  for (const off of [-latencyMs * 0.25, 0, latencyMs * 0.25])
    console.log(
      'truth',
      againstCounter(seen, { limit: drawn.burst!, windowMs: w, phaseMs: phase * w - off, loose: false }),
      againstCounter(
        seen,
        { limit: drawn.burst!, windowMs: w, phaseMs: phase * w - off, loose: false },
        Infinity,
        true,
      ),
    );
}
for (const f of model.candidates) console.log(f.kind, f.against, JSON.stringify(f.burst), JSON.stringify(f.windowMs));
