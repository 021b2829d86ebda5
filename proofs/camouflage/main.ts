/**
 * `npm run prove -- camouflage`: how well a classifier that learns from the traffic of 50 runs and of ten real callers (recorded.json)
 * knows a request of a check on fresh seeds: hardly better than chance. And twelve services that are lawful for the harness that they
 * think they recognise, and broken for everybody else, are all found; one that recognises everybody is not accused. `--share` learns
 * from fewer runs; `--signs` says by what requests are told apart; `--record` records the clients again.
 */
import { parseArgs } from 'node:util';
import { allAccused, type Trial } from './accused.ts';
import { cheats } from './cheats.ts';
import { type ToldApart, toldApart, trafficFor } from './told-apart.ts';

const { values } = parseArgs({
  options: { share: { type: 'boolean' }, signs: { type: 'boolean' }, record: { type: 'boolean' } },
});
const out = (text: string): void => void process.stdout.write(`${text}\n`);
let problems = 0;
const told = (good: boolean, text: string): void => {
  problems += good ? 0 : 1;
  out(`${good ? '✓' : '✗'} ${text}`);
};

if (values.record) {
  const { record } = await import('./record.ts');
  await record(out);
} else {
  await requests();
  if (!values.signs) await cheaters();
}
process.exitCode = problems === 0 ? 0 : 1;

async function requests(): Promise<void> {
  const runs = values.share ? { learnt: 8, fresh: 4 } : { learnt: 50, fresh: 20 };
  // Checks open a connection more often than others do, which is recognisable; 0.5 is chance.
  const [most, least] = [0.65, 0.9];
  const traffic = await trafficFor(runs);
  const ordinary = toldApart(traffic, runs, 'ordinary');
  const undressed = toldApart(traffic, runs, 'ordinary', { kind: 'undressed' });
  const worded = toldApart(traffic, runs, 'ordinary', { words: true });
  const all = toldApart(traffic, runs, 'all');
  const of = ({ requests, area }: ToldApart): string => `${requests} requests: AUC ${area.toFixed(3)}`;
  out(`learnt from ${runs.learnt} runs and as many calls of ten recorded callers, tried on ${runs.fresh} fresh seeds`);
  told(ordinary.area <= most, `ordinary calls, by how they are sent, ${of(ordinary)} (at most ${most})`);
  told(
    undressed.area >= least,
    `the same in the transport's own order, ${of(undressed)} (at least ${least}: it can tell)`,
  );
  out(`  the same, dressed, by the texts of their bodies too, ${of(worded)} (no bound: nobody knows what callers say)`);
  out(`  all, mistakes made on purpose included, ${of(all)} (no bound)`);
  if (values.signs || ordinary.area > most) for (const sign of ordinary.signs) out(`  ${sign}`);
  if (values.signs) for (const sign of all.signs) out(`  of all: ${sign}`);
}

async function cheaters(): Promise<void> {
  const trials = cheats.flatMap(({ seeds = [1] }, cheat) => seeds.map((seed): Trial => ({ cheat, seed })));
  const [honest, ...by] = await allAccused([{ seed: 1 }, ...trials]);
  for (const [cheat, { name }] of cheats.entries()) {
    const own = by.filter((_, at) => trials[at]!.cheat === cheat);
    const found = own.filter((each) => each !== undefined);
    told(found.length * 2 > own.length, `${name}: found in ${found.length} of ${own.length}, ${found[0] ?? 'by none'}`);
  }
  told(honest === undefined, `one that treats all alike: ${honest ?? 'not accused'}`);
}
