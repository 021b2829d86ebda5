import { betweenByFactor, chanceOf, draw, renderers } from '../../fixtures/limiters/index.ts';
import { seeded } from '../../src/engine/random.ts';
import { describe } from '../../src/limits/describe.ts';
import { draw as drawing } from '../../src/limits/draw.ts';
import { identify } from '../../src/limits/identify.ts';
import { virtualProbe } from '../../src/limits/testing.ts';

const kind = process.argv[2] as 'at random';
const s = Number(process.argv[3]);
const c = chanceOf(s * 7919 + kind.length * 104729);
const d = draw(kind, c);
const latencyMs = betweenByFactor(c, 1, 50);
const probe = virtualProbe({
  gate: d.gate,
  random: seeded(s),
  latencyMs,
  workMs: d.workMs,
  retryAfter: renderers.well,
});
const { model, trace } = await identify(probe, { maxRequests: 3000, maxSeconds: 3600 }, seeded(s + 1));
console.log(describe(model).join('\n'));
console.log(model.candidates.map((f) => JSON.stringify(f)).join('\n'));
console.log(trace.map((t) => `${(t.sentAt - trace[0]!.sentAt).toFixed(0)}${t.admitted ? '+' : '-'}`).join(' '));
