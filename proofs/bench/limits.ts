/**
 * How often the prober is right, by kind, over limiters drawn at random, in virtual time.
 *
 *   npm run bench:limits -- [--each 250] [--mixed 60] [--seed 1] [--kind 'sliding log'] [--untold] [--quick] [--verbose]
 *                           [--judge 100] [--sockets]
 *
 * `--judge`: so many seeds each for false accusations. `--sockets`: a hundred more over real sockets, all cores busy.
 * `--untold`: without any Retry-After. `--quick`: the family of the kind, the burst, and the rate within a tenth. `--verbose`: every limiter that was not found exactly.
 */
import { isMainThread } from 'node:worker_threads';
import { type DrawnKind, mixedKinds, plainKinds } from '../../fixtures/limiters/index.ts';
import { answerJobs, inThreads } from '../threads.ts';
import { judges, tableOf } from './limits-judges.ts';
import { tryOne } from './limits-one.ts';
import { overSockets } from './limits-sockets.ts';
import { type Outcome, table } from './limits-table.ts';

interface Job {
  readonly kind: DrawnKind;
  readonly seeds: readonly number[];
  readonly told: boolean;
  readonly quick: boolean;
}

async function main(): Promise<void> {
  const args = process.argv.slice(2);
  const option = (name: string, otherwise: number): number => {
    const at = args.indexOf(`--${name}`);
    return at < 0 ? otherwise : Number(args[at + 1]);
  };
  const only = args.includes('--kind') ? args[args.indexOf('--kind') + 1] : undefined;
  const from = option('seed', 1);
  const jobOf = (kind: DrawnKind, count: number): Job => ({
    kind,
    seeds: Array.from({ length: count }, (_, at) => from + at),
    told: !args.includes('--untold'),
    quick: args.includes('--quick'),
  });
  const each = option('each', 250);
  const mixed = option('mixed', Math.min(each, 60));
  const jobs = [...plainKinds.map((kind) => jobOf(kind, each)), ...mixedKinds.map((kind) => jobOf(kind, mixed))];
  const began = performance.now();
  const outcomes = await inParallel(jobs.filter(({ kind }) => only === undefined || kind === only));
  const say = (line: string): boolean => process.stdout.write(`${line}\n`);
  if (args.includes('--verbose')) {
    for (const { kind, says, requests, notes } of outcomes) {
      if (notes.length > 0) say(`${kind} [${says}] ${requests} calls: ${notes.join('; ')}`);
    }
  }
  say(table(outcomes, plainKinds));
  say(`${outcomes.length} limiters in ${((performance.now() - began) / 1000).toFixed(1)} s`);
  await more(say, option('judge', only === undefined ? 100 : 0), args.includes('--sockets'));
}

/** What the judges of limits make of lawful and unlawful ones, and what is left of it all over real sockets. */
async function more(say: (line: string) => boolean, seeds: number, sockets: boolean): Promise<void> {
  if (seeds > 0) say(`\n${tableOf(await judges(seeds))}`);
  if (!sockets) return;
  const outcomes = await overSockets(5, 10, true);
  const wrong = outcomes.filter(({ is }) => is === 'wrong').length;
  say(`\n${table(outcomes)}\n${outcomes.length} over real sockets, all cores busy: ${wrong} confident and wrong`);
}

/** A kind goes in parts, so that the slow ones keep no core waiting for another. */
async function inParallel(jobs: readonly Job[]): Promise<Outcome[]> {
  return (await inThreads<Job, Outcome[]>(new URL(import.meta.url), jobs.flatMap(quarters))).flat();
}

const quarters = (job: Job): Job[] =>
  [0, 1, 2, 3].map((part) => ({ ...job, seeds: job.seeds.filter((_, at) => at % 4 === part) }));

async function tryAll({ kind, seeds, told, quick }: Job): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const seed of seeds) outcomes.push(await tryOne(kind, seed, told, quick));
  return outcomes;
}

if (isMainThread) await main();
else answerJobs(tryAll);
