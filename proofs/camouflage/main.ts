/**
 * `npm run prove -- camouflage`: ten services that are lawful for the harness that they think they recognise, and broken for everybody
 * else, must all be found. Beside them one that recognises everybody, which must not be.
 */
import { catalogue, rulesVersion } from '../../suites/index.ts';
import { tryOn } from '../matrix/try-on.ts';
import { type Cheat, cheating, cheats } from './cheats.ts';

const out = (text: string): void => void process.stdout.write(`${text}\n`);
let problems = 0;
const told = (good: boolean, text: string): void => {
  problems += good ? 0 : 1;
  out(`${good ? '✓' : '✗'} ${text}`);
};

for (const cheat of cheats) {
  const { name, seeds = [1] } = cheat;
  const found: string[] = [];
  for (const seed of seeds) found.push(...(await foundBy(cheat, seed)));
  told(
    found.length * 2 > seeds.length,
    `${name}: found in ${found.length} of ${seeds.length}, ${found[0] ?? 'by none'}`,
  );
}
const honest = await foundBy({ name: 'nobody', recognises: () => true }, 1);
told(honest.length === 0, `one that treats all alike: ${honest[0] ?? 'not accused'}`);
process.exitCode = problems === 0 ? 0 : 1;

/** The first rule that accuses it, at depth quick. */
async function foundBy(cheat: Cheat, seed: number): Promise<string[]> {
  const rules = { rules: catalogue, version: rulesVersion, specification: 'camouflage' };
  const { repeat } = cheat;
  const run = await tryOn(
    rules,
    { name: 'reference', overlays: [] },
    { depth: 'quick', seed, wire: cheating(cheat), ...(repeat === undefined ? {} : { repeat }) },
  );
  const failed = run.findings.filter(({ verdict }) => verdict === 'fail').map(({ rule }) => rule);
  return failed.length === 0 ? [] : [`${failed[0]} and ${failed.length - 1} more, ${run.exchanges.size} exchanges`];
}
