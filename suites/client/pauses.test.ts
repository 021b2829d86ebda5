/** When the end of repetitions is not to be seen: by their pauses. */
import { expect, it } from 'vitest';
import { seeded } from '../../src/random.ts';
import type { SeenTrial } from '../../src/vocabulary.ts';
import { areHasty, keepsPace, neverPause, onePause } from './pauses.ts';
import { startOf } from './testing.ts';

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

const starts = (...all: readonly (readonly number[])[]): SeenTrial[] =>
  all.map((pauses) => startOf('failing-502', pauses, 502));

it.each([
  ['one pause, each time', [101, 100, 104, 100, 102], [103, 101, 100, 100, 101], true],
  [
    'one pause, that a busy machine made longer here and there',
    [101, 190, 104, 100, 102],
    [103, 101, 100, 140, 101],
    true,
  ],
  ['one that is longer at the same place each time', [101, 100, 190, 100, 102], [103, 101, 180, 100, 101], false],
  ['more of them longer than not', [101, 190, 104, 180, 150], [160, 101, 100, 140, 190], false],
  ['pauses that grow', [100, 200, 400, 800], [100, 200, 400, 800], false],
  ['few of them', [100, 100, 100], [100, 100, 100], false],
] as const)('%s', (_, one, other, isOne) => {
  expect(onePause(starts(one, other)) !== undefined).toBe(isOne);
});

it('full jitter: twenty thousand clients, none of them taken for one pause', () => {
  const random = seeded(7);
  const pauses = (): number[] => [0, 1, 2, 3].map((at) => 100 + random() * 200 * 2 ** at);
  const taken = Array.from({ length: 20_000 }, () => onePause(starts(pauses(), pauses())));
  expect(taken.filter((each) => each !== undefined)).toHaveLength(0);
});

const calm = [2, 2, 3];

it.each([
  [
    'many starts without a pause, some of them on a busy machine',
    [[2, 30, 3], [4, 59, 9], [1, 2, 99], calm, calm, calm],
    true,
  ],
  ['few of them', [[2, 30, 3], [4, 59, 9], [1, 2, 99], calm, calm], false],
  [
    'many starts of which a third of the pauses are meant',
    [
      [2, 30, 3],
      [4, 59, 9],
      [1, 2, 99],
      [2, 30, 3],
      [3, 2, 40],
      [3, 2, 30],
    ],
    false,
  ],
] as const)('%s', (_, pauses, isHasty) => {
  expect(areHasty(starts(...pauses), [])).toBe(isHasty);
});

it('full jitter from 50 ms in six starts: twenty thousand clients, none of them hasty', () => {
  const random = seeded(11);
  const pauses = (): number[] => [0, 1, 2].map((at) => random() * 50 * 2 ** at);
  const taken = Array.from({ length: 20_000 }, () => areHasty(starts(...Array.from({ length: 6 }, pauses)), []));
  expect(taken.filter(Boolean)).toHaveLength(0);
});

it.each([
  [
    'three repetitions without a pause, twice',
    [
      [9, 2, 2],
      [3, 3, 1],
    ],
    true,
  ],
  ['once', [[9, 2, 2]], false],
  [
    'a pause at one place each time',
    [
      [9, 2, 22],
      [3, 3, 21],
    ],
    false,
  ],
  [
    'one start with a pause',
    [
      [9, 2, 2],
      [3, 40, 1],
    ],
    false,
  ],
] as const)('%s', (_, pauses, isNever) => {
  expect(neverPause(starts(...pauses))).toBe(isNever);
});
