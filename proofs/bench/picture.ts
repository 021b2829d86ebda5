/**
 * `npm run picture`: draws the pictures of the README and the guides. A word chooses one: check, limits, load, comparison.
 * `docs/pictures.json` keeps what they say, and `docs/pictures.test.ts` compares that with the source. Needs Chromium and k6.
 */
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { matrixHtml } from '../../reports/matrix-html.ts';
import { drawCheck } from './pictures/check.ts';
import { comparison } from './pictures/comparison.ts';
import { limitsPage, limitsSectionOf } from './pictures/limits.ts';
import { drawLoad } from './pictures/load.ts';
import { photograph } from './pictures/photograph.ts';
import { docs, inFolder } from './pictures/places.ts';

const sha256 = (text: string | Buffer): string => createHash('sha256').update(text).digest('hex');

/** What each shows, for the test. */
const parts: Readonly<Record<string, () => Promise<unknown>>> = {
  check: async () => ({ counts: await drawCheck() }),
  limits: () =>
    inFolder(async (folder) => {
      const page = join(folder, 'limits.html');
      const text = await limitsPage();
      writeFileSync(page, text);
      const hide = '#limits article.found ~ article.found';
      await photograph({ page, to: 'limits.png', part: '#limits', hide });
      return { section: sha256(limitsSectionOf(text)) };
    }),
  load: drawLoad,
  comparison: () =>
    inFolder(async (folder) => {
      const page = join(folder, 'comparison.html');
      const text = matrixHtml(await comparison());
      writeFileSync(page, text);
      await photograph({ page, to: 'comparison.png' });
      return { page: sha256(text) };
    }),
};

const notes = join(docs, 'pictures.json');
const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !Object.hasOwn(parts, name));
if (unknown.length > 0) {
  process.stderr.write(`no such picture: ${unknown.join(', ')}; there are ${Object.keys(parts).join(', ')}\n`);
  process.exitCode = 2;
} else {
  const shows = (JSON.parse(readFileSync(notes, 'utf8')) as { readonly shows: Record<string, unknown> }).shows;
  for (const [name, draw] of Object.entries(parts))
    if (wanted.length === 0 || wanted.includes(name)) shows[name] = await draw();
  const names = ['terminal.svg', 'report.png', 'limits.png', 'load.png', 'comparison.png'];
  const files = Object.fromEntries(names.map((name) => [name, sha256(readFileSync(join(docs, name)))]));
  writeFileSync(notes, `${JSON.stringify({ shows, files }, null, 2)}\n`);
}
