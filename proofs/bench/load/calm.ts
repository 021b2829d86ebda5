/**
 * Calm time on a machine that is taken away: k6 alone, or all of ours with the witness, is stopped at random. What calm time shows is held
 * against what the service itself saw, from a request's coming to its answer, of all slots, and the way there and back as an
 * unharmed run has it. BENCH_RUNS says how often each.
 */
import { nonceOf } from '../../../load/shared/chance.ts';
import { seeded } from '../../../src/random.ts';
import { percentileOf } from '../../../src/statistics/figures.ts';
import { Histogram } from '../../../src/statistics/histogram.ts';
import type { Figure } from '../measure.ts';
import { loading, service } from './around.ts';
import { starving } from './harm.ts';

const rate = 100;
const seconds = 20;
const warmUp = 1;
const percents = [50, 95, 99] as const;

const machines = [
  { name: 'k6 alone, a tenth, 100 ms at a time', share: 0.1, meanMs: 100, ofAll: false },
  { name: 'all of ours, a quarter, 200 ms at a time', share: 0.25, meanMs: 200, ofAll: true },
  { name: 'all of ours, half, a second at a time', share: 0.5, meanMs: 1000, ofAll: true },
];

export async function calm(): Promise<Figure[]> {
  const runs = Number(process.env.BENCH_RUNS ?? 10);
  const figures: Figure[] = [];
  for (const kind of ['constant', 'bimodal']) {
    const wayMs = (await once(kind, undefined, 0))?.wayMs ?? 0;
    for (const machine of machines) {
      let [valid, inCalm, near] = [0, 0, 0];
      let worst = '';
      for (let run = 1; run <= runs; run += 1) {
        const found = await once(kind, machine, run, wayMs);
        if (found === undefined) continue;
        valid += 1;
        if (found.inCalm) inCalm += 1;
        if (found.off === undefined) near += 1;
        else worst = `; ${found.off}`;
        process.stderr.write(found.off === undefined ? '.' : '✗');
      }
      figures.push({
        what: `${kind}, ${machine.name}: p50, p95 and p99 of calm time beside what the service saw`,
        value: `${near} of ${valid} valid runs (of ${runs}; ${inCalm} by calm time alone)${worst}`,
        goal: 'all within 2 % or 1 ms',
        reached: near === valid && valid > 0,
      });
    }
  }
  return figures;
}

/** Undefined: not valid. */
async function once(kind: string, machine: (typeof machines)[number] | undefined, run: number, wayMs = 0) {
  const { address, seen, stop } = await service(kind);
  try {
    const wishes = ['--rate', `${rate}`, '--warm-up', `${warmUp}s`, '--duration', `${seconds}s`, '--seed', `${run}`];
    const harm =
      machine === undefined ? undefined : starving(machine.share, machine.meanMs, seeded(run), machine.ofAll);
    const { measurement } = await loading('latency', address, [...wishes, '--slowest', '6s', '--until', 'end'], harm);
    if (measurement?.validity.verdict !== 'valid') return undefined;
    const all = await seen();
    const took = Histogram.empty();
    for (let slot = warmUp * rate; slot < (warmUp + seconds) * rate; slot += 1) {
      const times = all.get(nonceOf(run, 0, slot));
      if (times !== undefined) took.add(1000 * (times[1] - times[0]));
    }
    const shown = Histogram.of(measurement.latencies.ok);
    const off = percents.flatMap((percent) => {
      // Figures that are not shown are not compared.
      if (percentileOf(shown, percent) === undefined) return [];
      const [is, was] = [shown.percentileUs(percent) / 1000, wayMs + took.percentileUs(percent) / 1000];
      return Math.abs(is - was) <= Math.max(1, 0.02 * was)
        ? []
        : [`p${percent} ${is.toFixed(1)} of ${was.toFixed(1)} ms (${shown.count} slots)`];
    });
    const way = (shown.percentileUs(50) - took.percentileUs(50)) / 1000;
    return { wayMs: way, inCalm: measurement.calm !== undefined, off: off.length === 0 ? undefined : off.join(', ') };
  } finally {
    stop();
  }
}
