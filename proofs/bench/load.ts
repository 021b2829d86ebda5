/** `npm run bench:load`: how true the figures of load are. A word chooses one part: same, truth, provoked, clean, calm, soak. Needs k6. */
import { calm } from './load/calm.ts';
import { clean } from './load/clean.ts';
import { provoked } from './load/provoked.ts';
import { same } from './load/same.ts';
import { soak } from './load/soak.ts';
import { truth } from './load/truth.ts';
import { type Figure, show } from './measure.ts';

const parts: Readonly<Record<string, () => Promise<Figure[]>>> = { same, truth, provoked, clean, calm, soak };

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !Object.hasOwn(parts, name));
if (unknown.length > 0) {
  process.stderr.write(`no such part: ${unknown.join(', ')}; there are ${Object.keys(parts).join(', ')}\n`);
  process.exitCode = 2;
} else {
  for (const [name, part] of Object.entries(parts)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    const figures = await part();
    process.stdout.write(`${show(figures)}\n`);
    if (figures.some((figure) => !figure.reached)) process.exitCode = 1;
  }
}
