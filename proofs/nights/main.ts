/**
 * `npm run prove -- nights`: what happens on the worst day, at full length. `--share 20` lives every twentieth of them, `--seed` repeats one,
 * `--only` takes part of a name.
 */
import { parseArgs } from 'node:util';
import { freshSeed, hashOf, seeded } from '../../src/random.ts';
import { killedAt, killings, moment, readyToCertify } from './kills.ts';
import { manyChecks } from './many.ts';
import { oddDays } from './odd-days.ts';
import { limitedService, openPlace } from './surroundings.ts';

const { values } = parseArgs({
  options: {
    share: { type: 'string', default: '1' },
    seed: { type: 'string' },
    only: { type: 'string', default: '' },
    help: { type: 'boolean', short: 'h' },
  },
});
if (values.help) {
  process.stdout.write(
    'usage: npm run prove -- nights -- [--share N] [--seed N] [--only part-of-a-name]\n  --share N lives every Nth of each; --seed repeats one night.\n',
  );
  process.exit();
}
const share = Math.max(1, Number(values.share) || 1);
const seed = values.seed === undefined ? freshSeed() : Number(values.seed);
const say = (text: string): void => {
  process.stdout.write(`${text}\n`);
};
const wanted = (name: string): boolean => name.includes(values.only);
const shared = (times: number): number => Math.max(1, Math.round(times / share));

let problems = 0;
function told(name: string, times: number, wrong: readonly string[]): void {
  problems += wrong.length;
  say(
    `${wrong.length === 0 ? '✓' : '✗'} ${name}: ${times} ${times === 1 ? 'time' : 'times'}, ${wrong.length} problems`,
  );
  for (const each of wrong) say(`    ${each.replaceAll('\n', '\n    ')}`);
}

/** Points of each command; together 200. */
const points = 50;
const longestMs = { check: 4000, limits: 8000, load: 3500, certify: 2500 };

say(`seed ${seed}, a share of 1/${share}`);
const place = await openPlace();
const limited = await openPlace(limitedService);
try {
  for (const killing of killings.filter(({ name }) => wanted(`kill -9 of ${name}`))) {
    const at = killing.name === 'limits' ? limited : place;
    if (killing.name === 'certify') await readyToCertify(at);
    const random = seeded(seed ^ hashOf(killing.name));
    const wrong: string[] = [];
    for (let point = 0; point < shared(points); point += 1) {
      const ms = moment(random, longestMs[killing.name as keyof typeof longestMs]);
      const found = await killedAt(at, killing, `${killing.name}-${point}`, ms);
      wrong.push(...found.map((each) => `after ${ms} ms: ${each}`));
    }
    told(`kill -9 of ${killing.name}`, shared(points), wrong);
  }
  for (const { name, times, live } of oddDays.filter((each) => wanted(each.name))) {
    const random = seeded(seed ^ hashOf(name));
    const wrong: string[] = [];
    for (let time = 0; time < shared(times); time += 1)
      wrong.push(...(await live(place, random, `odd-${hashOf(name)}-${time}`)));
    told(name, shared(times), wrong);
  }
  if (wanted('checks in a row')) {
    const many = await manyChecks(place, shared(1000));
    const [before, after] = many.heap.map((bytes) => (bytes / 2 ** 20).toFixed(1));
    told(`checks in a row (heap ${before} → ${after} MB, files ${many.files.join(' → ')})`, many.checks, many.problems);
  }
} finally {
  await place.close();
  await limited.close();
}
say(problems === 0 ? 'all nights were quiet' : `${problems} problems; --seed ${seed} repeats them`);
process.exitCode = problems === 0 ? 0 : 1;
