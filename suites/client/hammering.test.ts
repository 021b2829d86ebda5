/** Who repeats at once is told from who pauses by chance, where nobody says for how long. */
import { expect, it } from 'vitest';
import { seeded } from '../../src/random.ts';
import type { Seen } from '../../src/vocabulary.ts';
import { doesNotHammer } from './hammering.ts';
import { startOf } from './testing.ts';

const seen = { trials: [], manner: {}, telling: {} } as unknown as Seen;

const accused = (one: readonly number[], other: readonly number[]): boolean =>
  doesNotHammer.judgeAll!(
    [startOf('limited-date-always', one, 429), startOf('limited-date-always-again', other, 429)],
    seen,
  ).length > 0;

it.each([
  ['three repetitions without a pause', [9, 2, 2], [60, 3, 1], true],
  ['two of them', [9, 2], [7, 3], false],
  ['one start alone', [9, 2, 2], [200, 400, 800], false],
  ['a pause that is short', [9, 2, 2], [9, 30, 2], false],
  ['pauses that grow', [5, 10, 20], [5, 10, 20], false],
] as const)('%s', (_, one, other, wrong) => {
  expect(accused(one, other)).toBe(wrong);
});

it('full jitter from 50 ms: twenty thousand clients, none accused', () => {
  const random = seeded(7);
  const pauses = (): number[] => [0, 1, 2].map((at) => random() * 50 * 2 ** at);
  expect(Array.from({ length: 20_000 }, () => accused(pauses(), pauses())).filter(Boolean).length).toBe(0);
});
