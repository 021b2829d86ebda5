/**
 * Our latencies compared with those of an observer without omissions: the service itself, which saw when each request of the schedule came and
 * when it was answered. What k6 said takes no part in it. And what k6 and autocannon say about the same.
 */
import autocannon from 'autocannon';
import { nonceOf } from '../../../load/shared/chance.ts';
import { Histogram } from '../../../src/statistics/histogram.ts';
import type { Figure } from '../measure.ts';
import { bareK6, load, service } from './around.ts';

const rate = 100;
const seconds = 10;
const warmUp = 2;
const seed = 11;
const mostRuns = 5;

type Three = readonly [p50: number, p99: number, max: number];

export async function truth(): Promise<Figure[]> {
  const figures: Figure[] = [];
  const rows: string[] = [];
  for (const kind of ['constant', 'bimodal', 'stall']) {
    // In the middle of what is measured; the first request is the one that is tried beforehand.
    const at = String((warmUp + seconds / 2) * rate + 1);
    const fresh = () => service(kind, at);
    const { said, real, invalid, runs } = await ourRun(fresh);
    const bare = await fresh();
    const { own } = await bareK6(bare.address, rate, warmUp + seconds, 20);
    bare.stop();
    const third = await fresh();
    const { latency } = await autocannon({
      url: `${third.address}/v1/actors/relay/run-sync-get-dataset-items`,
      method: 'POST',
      body: '{"message":"a"}',
      connections: 20,
      overallRate: rate,
      duration: warmUp + seconds,
    });
    third.stop();
    rows.push(
      ...(
        [
          ['truth', real],
          ['touchstone', said],
          ['k6, 20 VUs: http_req_duration', [own.med!, own['p(99)']!, own.max!]],
          ['autocannon at the same rate', [latency.p50, latency.p99, latency.max]],
        ] as [string, Three][]
      ).map(
        ([who, three]) =>
          `${kind.padEnd(9)} ${who.padEnd(32)} ${three.map((ms) => `${ms.toFixed(1)} ms`.padStart(11)).join('')}`,
      ),
    );
    for (const [index, name] of ['p50', 'p99', 'max'].entries()) {
      const off = Math.abs(said[index]! - real[index]!);
      figures.push({
        what: `${kind}: ${name}, beside what an observer without omissions sees`,
        value: `${said[index]!.toFixed(2)} of ${real[index]!.toFixed(2)} ms${invalid === undefined ? '' : ` (no valid run of ${runs}: ${invalid})`}`,
        goal: 'within 2 % or 1 ms',
        reached: off <= 1 || off <= 0.02 * real[index]!,
      });
    }
  }
  process.stdout.write(`${''.padEnd(42)}        p50        p99        max\n${rows.join('\n')}\n`);
  return figures;
}

interface OurRun {
  readonly said: Three;
  readonly real: Three;
  /** Why no run was valid: Touchstone would not have shown figures of an invalid one. */
  readonly invalid?: string;
  readonly runs: number;
}

/** Again where the machine was too busy for a valid run; the last one where it always was. */
async function ourRun(fresh: () => ReturnType<typeof service>): Promise<OurRun> {
  for (let runs = 1; ; runs += 1) {
    const { address, seen, stop } = await fresh();
    const wishes = ['--rate', `${rate}`, '--warm-up', `${warmUp}s`, '--duration', `${seconds}s`, '--seed', `${seed}`];
    const { latencies, validity } = await load('latency', address, ...wishes, '--slowest', '4s');
    const slots = fromIntended(await seen());
    stop();
    const histogram = Histogram.of(latencies.ok);
    const result = {
      said: [50, 99, 100].map((percent) => histogram.percentileUs(percent) / 1000) as unknown as Three,
      real: threeOf(slots.toSorted((a, b) => a - b)),
      runs,
    };
    if (validity.verdict === 'valid') return result;
    if (runs === mostRuns) return { ...result, invalid: validity.reasons[0]?.says ?? validity.verdict };
  }
}

/**
 * The slots lie at equal distances, and the request that came the earliest for its slot says where the first one lies: all others came
 * later than they should by what kept them. So the observer lacks only the shortest way to the service, and the way back.
 */
function fromIntended(seen: Awaited<ReturnType<Awaited<ReturnType<typeof service>>['seen']>>): number[] {
  const period = 1000 / rate;
  const all = Array.from({ length: (warmUp + seconds) * rate }, (_, slot) => ({
    slot,
    times: seen.get(nonceOf(seed, 0, slot)),
  }));
  const first = Math.min(...all.flatMap(({ slot, times }) => (times === undefined ? [] : times[0] - slot * period)));
  return all
    .filter(({ slot }) => slot >= warmUp * rate)
    .map(({ slot, times }) => (times === undefined ? Number.NaN : times[1] - first - slot * period));
}

const threeOf = (sorted: readonly number[]): Three => {
  const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)] ?? 0;
  return [at(0.5), at(0.99), at(1)];
};
