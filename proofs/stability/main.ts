/**
 * `npm run prove -- stability`: does the same service always get the same verdicts? `--checks n` (200) of the reference and of ten lawful
 * variants over sockets, with random seeds and concurrency, jitter, and every other one on a machine whose processors
 * are all busy (`--calm`: none of them); then how often faults that show by chance are found, with and without `--repeat`.
 */
import { parseArgs } from 'node:util';
import { show } from '../bench/measure.ts';
import { chances } from './chances.ts';
import { sameVerdicts } from './same-verdicts.ts';

const { values } = parseArgs({
  options: {
    checks: { type: 'string', default: '200' },
    seed: { type: 'string', default: '1' },
    calm: { type: 'boolean', default: false },
  },
});
const [checks, seed] = [Number(values.checks), Number(values.seed)];
if (!Number.isInteger(checks) || checks < 1 || !Number.isInteger(seed)) {
  process.stderr.write('--checks and --seed take whole numbers\n');
  process.exitCode = 2;
} else {
  for (const part of [() => sameVerdicts(checks, seed, values.calm), () => chances(checks, seed)]) {
    const figures = await part();
    process.stdout.write(`${show(figures)}\n`);
    if (figures.some(({ reached }) => !reached)) process.exitCode = 1;
  }
}
