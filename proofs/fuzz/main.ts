/**
 * `npm run prove -- fuzz -- --seconds 60 --seed 7`: harmed answers through every judge, in memory and on sockets, and harmed files through
 * every reader, until the time is over. A round is what its seed makes of it: `--seed n --rounds 1` does the n-th again.
 */
import { parseArgs } from 'node:util';
import fc from 'fast-check';
import { freshSeed } from '../../src/random.ts';
import { readers } from './readers.ts';
import { fuzzInMemory, lawfulServices } from './trial.ts';
import { fuzzOnSockets } from './trial-on-sockets.ts';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    seed: { type: 'string' },
    rounds: { type: 'string', default: 'Infinity' },
  },
});
const first = values.seed === undefined ? freshSeed() : Number(values.seed);
const rounds = Number(values.rounds);
const until = performance.now() + 1000 * Number(values.seconds);
/** Rounds are of different lengths: of these, each takes about as long as one in memory. */
const readings = 100;
const socketsEvery = 10;

const out = (text: string): void => void process.stdout.write(`${text}\n`);
out(`seed ${first}; a round again: npm run prove -- fuzz -- --seed <its seed> --rounds 1`);

const services = await lawfulServices();
const all = await readers();
const done = { checks: 0, harmed: 0, exchanges: 0, readings: 0 };
let problems = 0;
let round = 0;
for (; round < rounds && performance.now() < until; round += 1) {
  const seed = first + round;
  const fuzzed = [
    await fuzzInMemory(seed, services),
    ...(seed % socketsEvery === 0 ? [await fuzzOnSockets(seed)] : []),
  ];
  for (const { what, problems: found, harmed, exchanges } of fuzzed) {
    done.checks += 1;
    done.harmed += harmed;
    done.exchanges += exchanges;
    if (found.length > 0)
      out(
        `✗ ${what}\n${found
          .slice(0, 10)
          .map((each) => `    ${each}`)
          .join('\n')}`,
      );
    problems += found.length;
  }
  for (const { name, property } of all) {
    const result = await fc.check(property, { seed, numRuns: readings });
    done.readings += result.numRuns;
    if (!result.failed) continue;
    problems += 1;
    out(`✗ seed ${seed}: ${name}: ${fc.defaultReportMessage(result)}`);
  }
}
out(
  `${round} rounds: ${done.checks} checks with ${done.exchanges} exchanges, ${done.harmed} of them harmed; ` +
    `${done.readings} files read; ${problems} problems`,
);
process.exitCode = problems === 0 ? 0 : 1;
