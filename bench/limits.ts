/** How often the prober is right, by kind, over limiters drawn by lot, in virtual time. */

import { chanceOf } from '../fixtures/limiters/chance.ts';
import { type DrawnKind, draw, mixedKinds, plainKinds, renderers } from '../fixtures/limiters/index.ts';
import { seeded } from '../src/engine/random.ts';
import { identify } from '../src/limits/identify.ts';
import { virtualProbe } from '../src/limits/testing.ts';
import { judge, type Outcome, table } from './limits-table.ts';

const args = process.argv.slice(2);
const option = (name: string, otherwise: number): number => {
  const at = args.indexOf(`--${name}`);
  return at < 0 ? otherwise : Number(args[at + 1]);
};
const only = args.includes('--kind') ? args[args.indexOf('--kind') + 1] : undefined;
const each = option('each', 250);
const firstSeed = option('seed', 1);
const verbose = args.includes('--verbose');

const outcomes: Outcome[] = [];
const began = performance.now();
for (const kind of [...plainKinds, ...mixedKinds] satisfies DrawnKind[]) {
  if (only !== undefined && kind !== only) continue;
  const began = performance.now();
  for (let number = 0; number < each; number += 1) {
    const seed = firstSeed + number;
    const chance = chanceOf(seed * 7919 + kind.length * 104_729);
    const drawn = draw(kind, chance);
    const latencyMs = 50 ** chance();
    const told = args.includes('--untold') ? renderers.absent : renderers.well;
    const probe = virtualProbe({
      gate: drawn.gate,
      random: seeded(seed),
      latencyMs,
      workMs: drawn.workMs,
      retryAfter: told,
    });
    const { model, trace, stopped } = await identify(probe, { maxRequests: 3000, maxSeconds: 3600 }, seeded(seed + 1));
    const outcome = judge(drawn, model, trace.length);
    outcomes.push(outcome);
    if (verbose && outcome.notes.length > 0) {
      console.log(
        `${kind} #${seed} [${drawn.says}; ${latencyMs.toFixed(1)} ms] ${trace.length} calls: ${outcome.notes.join('; ')}${stopped ? ` (${stopped})` : ''}`,
      );
      if (args.includes('--fits'))
        for (const fit of model.candidates)
          console.log(
            `    ${fit.kind} against ${fit.against} burst ${JSON.stringify(fit.burst)} rate ${JSON.stringify(fit.perSecond)} window ${JSON.stringify(fit.windowMs)} q ${fit.quantum}`,
          );
    }
  }
  if (verbose) console.log(`${kind}: ${((performance.now() - began) / each).toFixed(1)} ms each`);
}
console.log(table(outcomes));
console.log(`${outcomes.length} limiters in ${((performance.now() - began) / 1000).toFixed(1)} s`);
