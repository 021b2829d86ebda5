/** Ten faults that show by chance only: how often one check finds each, and one that asks everything more than once. */
import { lackingStatus, runs, sayingPartial, verifies, type When } from '../../fixtures/faults/sometimes-when.ts';
import type { Overlay } from '../../fixtures/service/index.ts';
import { type Random, seeded } from '../../src/random.ts';
import { catalogue, rulesVersion } from '../../suites/index.ts';
import { specification } from '../../suites/specification.ts';
import type { Figure } from '../bench/measure.ts';
import { tryOn } from '../matrix/try-on.ts';

const rules = { rules: catalogue, version: rulesVersion, specification };
const repeats = 5;

type Lie = (when: When) => Overlay;

const crashing =
  (where: When): Lie =>
  (when) =>
  (base) => ({
    finish: (call, response) =>
      where(call) && when(call)
        ? { ...base.finish(call, response), status: 500, body: '{"error":"internal"}' }
        : base.finish(call, response),
  });

const lies: readonly (readonly [string, Lie])[] = [
  ['a result without its status', lackingStatus],
  ['PARTIAL of a run that lacks nothing', sayingPartial],
  ['500 to a run', crashing(runs)],
  ['500 to a verification', crashing(verifies)],
  ['500 to anything', crashing(() => true)],
];

export async function chances(checks: number, seed: number): Promise<Figure[]> {
  const times = Math.max(2, Math.min(20, Math.floor(checks / 10)));
  const figures: Figure[] = [];
  for (const [name, lie] of lies) {
    for (const oneIn of [20, 100]) {
      const [once, often] = [await share(lie, oneIn, times, seed, 1), await share(lie, oneIn, times, seed, repeats)];
      figures.push({
        what: `${name}, 1 time in ${oneIn}`,
        value: `found by ${percent(once)} of checks, by ${percent(often)} with --repeat ${repeats}`,
        goal: 'no less with --repeat',
        reached: often >= once,
      });
    }
  }
  return figures;
}

const percent = (value: number): string => `${Math.round(value * 100)} %`;

async function share(lie: Lie, oneIn: number, times: number, from: number, repeat: number): Promise<number> {
  let found = 0;
  for (let seed = from; seed < from + times; seed += 1) {
    const random: Random = seeded(seed);
    const variant = { name: 'by chance', overlays: [lie(() => random() < 1 / oneIn)] };
    const run = await tryOn(rules, variant, { depth: 'quick', seed, repeat });
    if (run.findings.some(({ verdict }) => verdict === 'fail')) found += 1;
  }
  return found / times;
}
