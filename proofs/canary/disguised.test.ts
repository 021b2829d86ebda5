/** Every disguise in every place, for the keys and what is nearly one. Over a socket, which takes no time. */
import { expect, it } from 'vitest';
import { tryDisguises } from './disguised.ts';
import { allDisguises } from './disguises.ts';
import { spots } from './spots.ts';

it('finds a key in each of forty disguises and more, in each of six places and more', async () => {
  expect(allDisguises.length).toBeGreaterThanOrEqual(40);
  expect(Object.keys(spots).length).toBeGreaterThanOrEqual(6);
  const rows = await tryDisguises();
  expect(rows.flatMap(({ missed }) => missed).slice(0, 10)).toEqual([]);
  expect(rows.reduce((sum, { tried }) => sum + tried, 0)).toBeGreaterThan(10_000);
});
