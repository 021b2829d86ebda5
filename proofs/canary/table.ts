/** The table of docs/reliability.md: which disguises of a key were found in which place, and what was found where nothing is. */
import { tryDisguises } from './disguised.ts';
import { falseHits, strangers } from './ordinary.ts';
import { spots } from './spots.ts';

/** How many problems there are. */
export async function showTable(megabytes: number, out: (text: string) => void): Promise<number> {
  const places = Object.keys(spots);
  const rows = await tryDisguises();
  let problems = 0;
  out(`| disguise | spellings | ${places.join(' | ')} |`);
  out(`| --- | --- | ${places.map(() => '---').join(' | ')} |`);
  for (const { family, spellings, tried, missed } of rows) {
    problems += missed.length;
    const each = tried / places.length;
    const cells = places.map((place) => `${each - missed.filter(({ spot }) => spot === place).length} of ${each}`);
    out(`| ${family} | ${spellings} | ${cells.join(' | ')} |`);
  }
  for (const { disguise, spot, form, what } of rows.flatMap(({ missed }) => missed).slice(0, 20))
    out(`    ✗ ${form}, ${disguise}, ${spot}: ${what}`);
  const { hits, answers } = falseHits(strangers(100), megabytes * 1e6, 11);
  out(`${megabytes} MB of ordinary answers (${answers} of them), searched for 100 keys: ${hits} false hits`);
  return problems + hits;
}
