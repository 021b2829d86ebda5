/** `npm run bench`: the figures of docs/figures.md. A word chooses one part: the names of `parts`. */
import { between } from './between.ts';
import { firstMinutes } from './first-minutes.ts';
import { matrixTime } from './matrix-time.ts';
import { type Figure, show } from './measure.ts';
import { reading } from './reading.ts';
import { reports } from './reports.ts';
import { secrets } from './secrets.ts';
import { serviceRate } from './service-rate.ts';
import { startUp } from './start-up.ts';
import { targets } from './targets.ts';
import { verifyTime } from './verify.ts';
import { wholeCheck } from './whole-check.ts';

const parts: Readonly<Record<string, () => Promise<Figure[]>>> = {
  'start-up': startUp,
  check: wholeCheck,
  verify: verifyTime,
  matrix: matrixTime,
  service: serviceRate,
  between,
  'first-minutes': firstMinutes,
  reports,
  secrets,
  reading,
  targets,
};

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
