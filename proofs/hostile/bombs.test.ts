/** What fills memory: a check stays small, in a process of its own. */
import { expect, test } from 'vitest';
import { behaviours } from './behaviours.ts';
import { watch } from './commands.ts';

// Two are enough here: each of them takes a quarter of a minute and more; `npm run prove -- hostile` tries all.
const worst = ['7 MB of small arrays, to everything', '3,000 small headers'];

test.each(worst)('%s: a check stays below 300 MB', { timeout: 300_000 }, async (name) => {
  const behaviour = behaviours.find((each) => each.name === name)!;
  const { megabytes, problems } = await watch('check', behaviour);
  expect(problems).toEqual([]);
  expect(megabytes).toBeGreaterThan(50);
});
