/** The same service, asked over and over: the same verdicts each time, and nobody near a deadline. */

import { isMainThread } from 'node:worker_threads';
import { seeded } from '../../src/random.ts';
import { catalogue, rulesVersion } from '../../suites/index.ts';
import { specification } from '../../suites/specification.ts';
import type { Figure } from '../bench/measure.ts';
import { tryOnSockets } from '../matrix/try-on-sockets.ts';
import { allTrials, isPatient, type Trial } from '../matrix/variants.ts';
import { answerJobs, inThreads } from '../threads.ts';
import { whileBusy } from './busy.ts';

const rules = { rules: catalogue, version: rulesVersion, specification };
const variants = 10;
const jitterMs = 15;
/** What the engine allows one step where a rule or a profile says nothing else. */
const deadlineMs = 60_000;

interface Job {
  /** Its place among those that are chosen. */
  readonly service: number;
  readonly concurrency: number;
  readonly seed: number;
}

interface Told {
  readonly service: string;
  readonly verdicts: readonly string[];
  readonly slowest: { readonly rule: string; readonly ms: number };
}

export async function sameVerdicts(checks: number, seed: number, calm: boolean): Promise<Figure[]> {
  const random = seeded(seed);
  const services = await chosen();
  const told: Told[] = [];
  // Turns of calm and busy, so that every service is asked on both kinds of machine.
  for (const busy of calm ? [false] : [false, true]) {
    const jobs: Job[] = [];
    for (let nth = busy ? 1 : 0; nth < checks; nth += calm ? 1 : 2)
      jobs.push({
        service: (calm ? nth : nth >> 1) % services.length,
        concurrency: 1 + Math.floor(random() * 32),
        seed: Math.floor(random() * 2 ** 31),
      });
    told.push(...(await whileBusy(busy, () => inThreads<Job, Told>(new URL(import.meta.url), jobs))));
  }
  const different = services.flatMap(({ variant }) =>
    differing(told.filter(({ service }) => service === variant.name)),
  );
  const slowest = told.map((each) => each.slowest).toSorted((a, b) => b.ms - a.ms)[0]!;
  return [
    {
      what: `${checks} checks of the reference and ${variants} lawful variants${calm ? '' : ', half of them with all processors busy'}`,
      value: different.length === 0 ? '0 verdicts differ' : different.join(', '),
      goal: '0 verdicts differ',
      reached: different.length === 0,
    },
    {
      what: `the slowest question of all (${slowest.rule})`,
      value: `${Math.round((slowest.ms / deadlineMs) * 100)} % of its deadline`,
      goal: '≤ 50 %',
      reached: slowest.ms <= deadlineMs / 2,
    },
  ];
}

/** The reference itself, and lawful variants from all over the list; a check that waits is near a deadline for a good reason. */
async function chosen(): Promise<Pick<Trial, 'variant'>[]> {
  const lawful = (await allTrials()).filter(
    ({ kind, variant }) => kind === 'lawful' && variant.areas === undefined && !isPatient(variant),
  );
  const apart = Math.floor(lawful.length / variants);
  const some = Array.from({ length: variants }, (_, at) => lawful[at * apart]!);
  return [{ variant: { name: 'the reference', overlays: [] } }, ...some];
}

async function once({ service, concurrency, seed }: Job): Promise<Told> {
  const { variant } = (await chosen())[service]!;
  const run = await tryOnSockets(rules, variant, { depth: 'quick', seed, concurrency, jitterMs });
  const slowest = run.steps.toSorted((a, b) => b.tookMs - a.tookMs)[0]!;
  process.stderr.write('.');
  return {
    service: variant.name,
    verdicts: run.findings.map(({ rule, verdict }) => `${verdict} ${rule}`),
    slowest: { rule: slowest.rule, ms: slowest.tookMs },
  };
}

/** The verdicts that a service was not given each time, and those that no lawful one may be given. */
function differing(told: readonly Told[]): string[] {
  const all = new Set(told.flatMap(({ verdicts }) => verdicts));
  return [...all].flatMap((verdict) => {
    const times = told.filter(({ verdicts }) => verdicts.includes(verdict)).length;
    return times === told.length && !verdict.startsWith('fail')
      ? []
      : [`${told[0]!.service}: ${verdict} (${times} of ${told.length})`];
  });
}

if (!isMainThread) answerJobs(once);
