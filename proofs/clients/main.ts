/**
 * Every rule of clients against every faulty and every lawful client: each fault is found by its rules and by no others. Words choose
 * clients; `--seeds N` judges each lawful one N times, each time with another seed; `--quick` tries lawful ones alone, at that depth;
 * `--only` judges lawful ones alone, by some rules.
 */
import { fork } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { faultyClients } from '../../fixtures/clients/faults.ts';
import { lawfulClients } from '../../fixtures/clients/lawful.ts';
import { clientRules } from '../../suites/client/index.ts';
import type { Found } from './one.ts';

/** What starts programs keeps two processors busy: more at a time would be late for all, and pauses are judged. */
const sideBySide = Math.max(1, Math.floor(availableParallelism() / 2));

const say = (text: string): void => void process.stdout.write(`${text}\n`);

const { values, positionals: words } = parseArgs({
  options: { seeds: { type: 'string' }, quick: { type: 'boolean' }, only: { type: 'string' } },
  allowPositionals: true,
});
const depth = values.quick ? 'quick' : 'standard';
const only = values.only === undefined ? {} : { only: values.only.split(',') };
const isPart = values.quick || values.only !== undefined;
const firstSeed = 7;
const seeds = Array.from({ length: Math.max(1, Number(values.seeds ?? 1) || 1) }, (_, at) => firstSeed + at);
const wanted = (name: string): boolean => words.length === 0 || words.some((word) => name.includes(word));

const jobs = [
  ...lawfulClients
    .filter(({ name }) => wanted(name))
    .flatMap(({ name }) => seeds.map((seed) => ({ oddity: name, seed, kills: [] as string[] }))),
  // What a part of the rules misses of a faulty client is no mistake of theirs.
  ...faultyClients
    .filter(({ name }) => !isPart && wanted(name))
    .map(({ name, kills }) => ({ fault: name, seed: firstSeed, kills: [...kills] })),
];

const problems: string[] = [];
const alone = new Set<string>();
const waiting = [...jobs];

async function work(): Promise<void> {
  for (let job = waiting.shift(); job !== undefined; job = waiting.shift()) {
    const { found, ms } = await inItsOwnProcess({ ...job, ...only, depth });
    const name = 'fault' in job ? job.fault : `lawful: ${job.oddity}`;
    if (job.kills.length === 1 && found.length === 0) alone.add(job.kills[0]!);
    problems.push(...found.map((each) => `${name}, seed ${job.seed}: ${each}`));
    say(
      `${found.length === 0 ? '✓' : '✗'} ${name} (${(ms / 1000).toFixed(1)} s)${found.map((each) => `\n    ${each}`).join('')}`,
    );
  }
}

function inItsOwnProcess(job: object): Promise<Found> {
  return new Promise((resolve, reject) => {
    const child = fork(join(import.meta.dirname, 'one.ts'), [JSON.stringify(job)]);
    child.once('message', (found) => resolve(found as Found));
    child.once('exit', (code) => reject(new Error(`it ended with ${code} before it had found anything`)));
  });
}

await Promise.all(Array.from({ length: sideBySide }, work));
const isWhole = words.length === 0 && !isPart;
if (isWhole)
  for (const { id, clause } of clientRules)
    if (clause.level !== 'observed' && !alone.has(id)) problems.push(`${id}: no fault that it alone finds`);
/** Which faults each rule finds: shown by `explain` and `clauses`. */
if (isWhole && problems.length === 0)
  writeFileSync(
    new URL('./proofs.json', import.meta.url),
    `${JSON.stringify(
      Object.fromEntries(
        clientRules
          .map(({ id }) => [
            id,
            faultyClients.filter(({ kills }) => kills.includes(id)).map(({ name }) => name.replaceAll('-', ' ')),
          ])
          .filter(([, faults]) => faults!.length > 0),
      ),
      undefined,
      2,
    )}\n`,
  );
say(
  problems.length === 0
    ? `exact: ${jobs.length} runs of clients, ${clientRules.length} rules`
    : `${problems.length} problems:\n${problems.map((each) => `  ${each}`).join('\n')}`,
);
process.exitCode = problems.length === 0 ? 0 : 1;
