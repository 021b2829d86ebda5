/** The pictures of the README and the guides show what the program does today: `npm run picture` draws them again. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { comparison } from '../proofs/bench/pictures/comparison.ts';
import { limitsPage, limitsSectionOf } from '../proofs/bench/pictures/limits.ts';
import { type DrawnLoad, wordsOf } from '../proofs/bench/pictures/load.ts';
import { matrixHtml } from '../reports/matrix-html.ts';
import { catalogue } from '../suites/index.ts';
import pictures from './pictures.json' with { type: 'json' };

const picture = (name: string): Buffer => readFileSync(join(import.meta.dirname, name));
const sha256 = (text: string | Buffer): string => createHash('sha256').update(text).digest('hex');
const { shows, files } = pictures;

test('they were drawn together with what is known of them', () => {
  expect(Object.keys(files)).toEqual(['terminal.svg', 'report.png', 'limits.png', 'load.png', 'comparison.png']);
  for (const [name, digest] of Object.entries(files)) expect(sha256(picture(name)), name).toBe(digest);
});

describe('a check', () => {
  const counts: Readonly<Record<string, number>> = shows.check.counts;
  const total = Object.values(counts).reduce((sum, each) => sum + each, 0);

  /** A line of the drawing, without its markup. */
  const lines = picture('terminal.svg')
    .toString('utf8')
    .split('\n')
    .map((line) =>
      line
        .replaceAll(/<[^>]*>/g, '')
        .replaceAll('&gt;', '>')
        .replaceAll('&lt;', '<')
        .replaceAll('&amp;', '&'),
    );

  test('counts every rule there is', () => {
    expect(total).toBe(catalogue.length);
    const said = Object.entries(counts)
      .filter(([, count]) => count > 0)
      .map(([verdict, count]) => `${count} ${verdict}`);
    const line = lines.find((each) => each.startsWith(`${total} rules: `)) ?? '';
    expect(line.replace(`${total} rules: `, '').split(' · ').toSorted()).toEqual(said.toSorted());
  });

  test('words its failure as today', () => {
    const [failed] = lines.filter((line) => line.startsWith('FAIL '));
    const rule = catalogue.find(({ id }) => failed === `FAIL ${id}`);
    expect(rule, failed).toBeDefined();
    expect(lines.join(' ').replaceAll(/\s+/g, ' ')).toContain(`says: ${rule!.clause.says}`);
    expect(lines.join(' ').replaceAll(/\s+/g, ' ')).toContain(`Fix: ${rule!.fix}`);
    expect(lines).toContain(`Explain: touchstone explain ${rule!.id}`);
  });
});

test('limits are the page that the same service gives today', async () => {
  const section = limitsSectionOf(await limitsPage());
  expect(section).toContain('Each pro key: 20 calls at once, then 20');
  expect(sha256(section)).toBe(shows.limits.section);
});

test("load says what today's report says of the measurement", () => {
  const { measurement, says } = shows.load as unknown as DrawnLoad;
  expect(wordsOf(measurement)).toBe(says);
  expect(measurement.validity.verdict).toBe('valid');
});

test('a comparison is the page that the same three services give today', async () => {
  expect(sha256(matrixHtml(await comparison()))).toBe(shows.comparison.page);
});
