/**
 * Whether the pure judges accuse a lawful service, and whether they find an unlawful one. With random limiters: the
 * patient arm and the impatient arm.
 */
import {
  betweenByFactor,
  chanceOf,
  type DrawnKind,
  draw,
  plainKinds,
  type RendererName,
  renderers,
} from '../../fixtures/limiters/index.ts';
import { hammer, patientTrial, summarise, type TrialSummary } from '../../src/limits/model/retry.ts';
import { identify } from '../../src/limits/probe/identify.ts';
import { virtualProbe } from '../../src/limits/probe/testing.ts';
import { seeded } from '../../src/random.ts';

export interface Verdicts {
  readonly what: string;
  readonly seeds: number;
  /** Accused although lawful, or found although hidden: `wanted` says which. */
  readonly hits: number;
  readonly wanted: 'none' | 'all';
}

/** Services that keep every promise, however strange, penalties included: a caller that waits for Retry-After is admitted. */
const lawful: readonly DrawnKind[] = [
  ...plainKinds,
  'two tiers',
  'counting log',
  'restarting window',
  'fixed ban',
  'exponential penalty',
];

async function patient(kind: DrawnKind, seed: number, renderer: RendererName): Promise<TrialSummary> {
  const chance = chanceOf(seed * 104_729 + kind.length);
  const { gate, workMs } = draw(kind, chance);
  const latencyMs = betweenByFactor(chance, 1, 50);
  const probe = virtualProbe({ gate, workMs, latencyMs, retryAfter: renderers[renderer], random: seeded(seed) });
  const trials = [];
  for (let trial = 0; trial < 10; trial += 1) {
    await probe.sleep(chance() * 60_000);
    trials.push(await patientTrial(probe, { longestMs: 3_600_000, maxCalls: 1000, guardMs: 30 }));
  }
  return summarise(trials);
}

async function gains(kind: DrawnKind, seed: number): Promise<boolean> {
  const chance = chanceOf(seed * 104_729 + kind.length);
  const { gate, workMs } = draw(kind, chance);
  const probe = virtualProbe({ gate, workMs, latencyMs: betweenByFactor(chance, 1, 50), random: seeded(seed) });
  const { model } = await identify(probe, { maxRequests: 3000, maxSeconds: 3600 }, seeded(seed));
  await probe.sleep(200_000);
  const perSecond = betweenByFactor(chance, 10, 300);
  return (await hammer(probe, model, { perSecond, maxCalls: 1500, forMs: 15_000 })).gains;
}

/** Rounding down is a lie of less than a second; with one call admitted every 50 ms, every wait is long enough anyway. */
const liars: readonly (readonly [RendererName, DrawnKind])[] = [
  ['zero', 'sliding log'],
  ['zero', 'window from first call'],
  ['roundedDown', 'sliding log'],
  ['roundedDown', 'window from first call'],
  ['roundedDown', 'window aligned'],
];

export async function judges(seeds: number): Promise<Verdicts[]> {
  const verdicts: Verdicts[] = [];
  const count = async (
    what: string,
    wanted: Verdicts['wanted'],
    times: number,
    hit: (seed: number) => Promise<boolean>,
  ): Promise<void> => {
    let hits = 0;
    for (let seed = 1; seed <= times; seed += 1) if (await hit(seed)) hits += 1;
    verdicts.push({ what, wanted, seeds: times, hits });
  };
  for (const kind of lawful) {
    const told = async (seed: number): Promise<boolean> => {
      const name: RendererName = seed % 2 === 0 ? 'well' : 'roundedUp';
      return (await patient(kind, seed, name)).refused > 0;
    };
    await count(`${kind}: refused after waiting as told`, 'none', seeds, told);
    await count(`${kind}: gained by hammering`, 'none', Math.ceil(seeds / 4), (seed) => gains(kind, seed));
  }
  for (const [renderer, kind] of liars) {
    const caught = async (seed: number): Promise<boolean> => (await patient(kind, seed, renderer)).refused > 0;
    await count(`${kind} whose Retry-After is ${renderer}`, 'all', seeds, caught);
  }
  return verdicts;
}

export function tableOf(verdicts: readonly Verdicts[]): string {
  const width = Math.max(...verdicts.map(({ what }) => what.length));
  const lines = verdicts.map(({ what, wanted, seeds, hits }) => {
    const goal = wanted === 'none' ? 'wanted 0' : 'wanted 99 %';
    return `${what.padEnd(width)}  ${String(hits).padStart(5)} of ${seeds}  (${goal})`;
  });
  const of = (wanted: Verdicts['wanted']): readonly [number, number] => {
    const some = verdicts.filter((each) => each.wanted === wanted);
    return [some.reduce((sum, { hits }) => sum + hits, 0), some.reduce((sum, { seeds }) => sum + seeds, 0)];
  };
  const [[accused, all], [caught, hidden]] = [of('none'), of('all')];
  return [
    ...lines,
    `false accusations: ${accused} of ${all}`,
    `unlawful waits and scopes found: ${caught} of ${hidden} (${((100 * caught) / hidden).toFixed(2)} %)`,
  ].join('\n');
}
