/** Ten faults that show by chance only: how often one check finds each, and one that asks everything more than once. */
import { isMainThread } from 'node:worker_threads';
import { lackingStatus, runs, sayingPartial, verifies, type When } from '../../fixtures/faults/sometimes-when.ts';
import type { Overlay } from '../../fixtures/service/index.ts';
import { type Random, seeded } from '../../src/random.ts';
import { catalogue, rulesVersion } from '../../suites/index.ts';
import { specification } from '../../suites/specification.ts';
import type { Figure } from '../bench/measure.ts';
import { tryOn } from '../matrix/try-on.ts';
import { answerJobs, inThreads } from '../threads.ts';

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
  const kinds = lies.flatMap(([name], lie) => [20, 100].map((oneIn) => ({ name, lie, oneIn })));
  const jobs = kinds.flatMap(({ lie, oneIn }) =>
    [1, repeats].flatMap((repeat) =>
      Array.from({ length: times }, (_, at) => ({ lie, oneIn, repeat, seed: seed + at })),
    ),
  );
  const found = await inThreads<Job, boolean>(new URL(import.meta.url), jobs);
  const shareOf = (wanted: Omit<Job, 'seed'>): number => {
    const own = found.filter((_, at) => isAmong(jobs[at]!, wanted));
    return own.filter(Boolean).length / own.length;
  };
  return kinds.map(({ name, lie, oneIn }) => {
    const [once, often] = [shareOf({ lie, oneIn, repeat: 1 }), shareOf({ lie, oneIn, repeat: repeats })];
    return {
      what: `${name}, 1 time in ${oneIn}`,
      value: `found by ${percent(once)} of checks, by ${percent(often)} with --repeat ${repeats}`,
      goal: 'no less with --repeat',
      reached: often >= once,
    };
  });
}

const isAmong = (job: Job, { lie, oneIn, repeat }: Omit<Job, 'seed'>): boolean =>
  job.lie === lie && job.oneIn === oneIn && job.repeat === repeat;

const percent = (value: number): string => `${Math.round(value * 100)} %`;

/** One check of a service that lies by chance: is it found? */
interface Job {
  readonly lie: number;
  readonly oneIn: number;
  readonly seed: number;
  readonly repeat: number;
}

async function isFound({ lie, oneIn, seed, repeat }: Job): Promise<boolean> {
  const random: Random = seeded(seed);
  const variant = { name: 'by chance', overlays: [lies[lie]![1](() => random() < 1 / oneIn)] };
  const run = await tryOn(rules, variant, { depth: 'quick', seed, repeat });
  return run.findings.some(({ verdict }) => verdict === 'fail');
}

if (!isMainThread) answerJobs(isFound);
