/** `touchstone load latency` compared with a hand-written k6 script, alternately, and its closed loop with that of k6. */
import { Histogram } from '../../../src/statistics/histogram.ts';
import { type Figure, median } from '../measure.ts';
import { bareK6, cpuSeconds, load, service } from './around.ts';

const rounds = 3;
const rate = 300;
const seconds = 10;
const warmUp = 2;
const vus = 100;

export async function same(): Promise<Figure[]> {
  const { address, stop } = await service();
  // Answers that take 5 ms or 80: its p99 is not what this machine happens to be busy with.
  const drawn = await service('bimodal');
  const found = { rates: [] as number[], costs: [] as number[], p99s: [] as number[], tops: [] as number[] };
  try {
    for (let round = 0; round < rounds; round += 1) {
      const bare = await bareK6(address, rate, warmUp + seconds, vus);
      const bareCost = cpuSeconds() / bare.requests;
      const ours = await load(
        'latency',
        address,
        '--rate',
        `${rate}`,
        '--warm-up',
        `${warmUp}s`,
        '--duration',
        `${seconds}s`,
        '--vus',
        `${vus}`,
      );
      const sent = ours.series.reduce((sum, { counts }) => sum + counts.ok + counts.other, 0) + rate / 2;
      found.costs.push(cpuSeconds() / sent / bareCost);
      found.rates.push(ours.achieved.begun / ours.achieved.seconds / (bare.requests / bare.seconds));
      found.p99s.push(await p99Beside(drawn.address));
      const closed = await bareK6(address, undefined, 5, 16);
      const top = await load('saturation', address, '--warm-up', '1s', '--duration', '4s', '--connections', '16');
      found.tops.push(top.achieved.begun / top.achieved.seconds / (closed.requests / closed.seconds));
    }
  } finally {
    stop();
    drawn.stop();
  }
  const figure = (
    what: string,
    values: readonly number[],
    goal: string,
    reached: (value: number) => boolean,
  ): Figure => {
    const value = median(values);
    return {
      what,
      value: `${value.toFixed(3)} × (${values.map((each) => each.toFixed(2)).join(', ')})`,
      goal,
      reached: reached(value),
    };
  };
  return [
    figure(
      `achieved rate at ${rate} a second, beside a hand-written k6 script`,
      found.rates,
      'within 1 %',
      (value) => Math.abs(value - 1) <= 0.01,
    ),
    figure("k6's processor a request, beside the same", found.costs, '≤ 1.15 ×', (value) => value <= 1.15),
    figure(
      'p99 from the intended start, beside the same',
      found.p99s,
      'within 10 %',
      (value) => Math.abs(value - 1) <= 0.1,
    ),
    figure('top rate of the closed loop, beside bare k6', found.tops, '≥ 0.9 ×', (value) => value >= 0.9),
  ];
}

async function p99Beside(address: string): Promise<number> {
  const bare = await bareK6(address, 100, warmUp + seconds, vus);
  const wishes = ['--rate', '100', '--warm-up', `${warmUp}s`, '--duration', `${seconds}s`, '--vus', `${vus}`];
  const ours = await load('latency', address, ...wishes);
  return Histogram.of(ours.latencies.ok).percentileUs(99) / 1000 / bare.intended['p(99)']!;
}
