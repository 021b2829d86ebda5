/** The pictures of the README show what the program does today: `npm run picture` draws them again. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { catalogue } from '../suites/index.ts';
import pictures from './pictures.json' with { type: 'json' };

const picture = (name: string): Buffer => readFileSync(join(import.meta.dirname, name));
const counts: Readonly<Record<string, number>> = pictures.counts;
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

test('they were drawn together with these numbers', () => {
  for (const [name, digest] of Object.entries(pictures.files))
    expect(createHash('sha256').update(picture(name)).digest('hex'), name).toBe(digest);
});

test('they count every rule there is', () => {
  expect(total).toBe(catalogue.length);
  const said = Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([verdict, count]) => `${count} ${verdict}`);
  const line = lines.find((each) => each.startsWith(`${total} rules: `)) ?? '';
  expect(line.replace(`${total} rules: `, '').split(' · ').toSorted()).toEqual(said.toSorted());
});

test('the failure in them is worded as today', () => {
  const [failed] = lines.filter((line) => line.startsWith('FAIL '));
  const rule = catalogue.find(({ id }) => failed === `FAIL ${id}`);
  expect(rule, failed).toBeDefined();
  expect(lines.join(' ').replaceAll(/\s+/g, ' ')).toContain(`says: ${rule!.clause.says}`);
  expect(lines.join(' ').replaceAll(/\s+/g, ' ')).toContain(`Fix: ${rule!.fix}`);
  expect(lines).toContain(`Explain: touchstone explain ${rule!.id}`);
});
