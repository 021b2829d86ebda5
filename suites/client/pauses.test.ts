/** When the end of repetitions is not to be seen: by their pauses. */
import { expect, it } from 'vitest';
import { keepsPace } from './pauses.ts';

it.each([
  ['the same pause for ever', [200, 400, 800, 800, 810, 830, 805, 800], true],
  ['a little chance in it', [500, 540, 570, 635, 700, 520, 610], true],
  ['tries within tries', [1000, 2000, 4000, 1700, 1000, 2000, 4000, 2800, 1000, 2000, 4000], false],
  ['tries within tries, with the same pause', [1000, 1000, 1000, 2000, 1000, 1000, 1000, 4000, 1000, 1000], false],
  ['pauses that still grow', [300, 450, 600, 750, 900, 1050, 1200, 1350, 1500, 1900], false],
  ['few of them', [800, 800, 800], false],
])('%s', (_, pauses, kept) => {
  expect(keepsPace(pauses)).toBe(kept);
});
