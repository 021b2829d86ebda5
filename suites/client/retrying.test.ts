/** Pauses that hold chance are nobody's fixed plan, whatever order chance gives them; a fixed plan that does not grow is found. */
import { describe, expect, it } from 'vitest';
import { seeded } from '../../src/random.ts';
import type { Seen } from '../../src/vocabulary.ts';
import { backsOff } from './retrying.ts';
import { startOf } from './testing.ts';

const seen = { trials: [], manner: {}, telling: {} } as unknown as Seen;
const names = [
  ...['failing-500', 'failing-500-again', 'failing-500-third', 'failing-502', 'failing-502-again'],
  ...['failing-504', 'failing-504-again', 'failing-after-429', 'failing-after-429-again'],
];
/** What it was told by the 429. */
const toldMs = 1000;

const accused = (starts: readonly (readonly number[])[]): boolean => {
  const trials = starts.map((pauses, at) =>
    startOf(names[at]!, names[at]!.startsWith('failing-after') ? [toldMs, ...pauses] : pauses),
  );
  return (
    [...trials.flatMap((each) => backsOff.judge(each, seen) ?? []), ...backsOff.judgeAll!(trials, seen)].length > 0
  );
};

const thrice = (pauses: () => readonly number[]) => [pauses(), pauses(), pauses()];
/** After each of the three statuses. */
const always = (pauses: () => readonly number[]) => names.map(() => pauses());

/** What a machine adds: never less than nothing. */
const late = (pauses: readonly number[], random: () => number, most = 8): number[] =>
  pauses.map((ms) => ms + random() * most);

describe('pauses with chance in them', () => {
  const kinds: Readonly<Record<string, (at: number, random: () => number) => number>> = {
    'full jitter from 100 ms': (at, random) => random() * 100 * 2 ** at,
    'full jitter from 50 ms': (at, random) => random() * 50 * 2 ** at,
    'full jitter from half a second': (at, random) => random() * 500 * 2 ** at,
    'half jitter': (at, random) => 200 * 2 ** at * (0.5 + random() / 2),
    'a tenth of jitter': (at, random) => 300 * 2 ** at * (0.95 + random() / 10),
    'chance alone': (_, random) => 100 + random() * 900,
  };
  it.each(Object.keys(kinds))('%s: twelve thousand clients, none accused', (kind) => {
    const random = seeded(7);
    const pauses = (): number[] => [0, 1, 2].map((at) => kinds[kind]!(at, random));
    const found = [thrice, always].flatMap((starts) => Array.from({ length: 1000 }, () => accused(starts(pauses))));
    expect(found.filter(Boolean).length).toBe(0);
  });
});

describe('a machine that stops now and then', () => {
  /** One pause of the third start is longer by far. */
  const held = (pauses: readonly number[]) => [pauses, pauses, pauses.map((ms, at) => ms + (at === 1 ? 300 : 0))];
  it.each([
    ['is alike', [500, 500, 500], true],
    ['pauses once, and then no more', [500, 1, 2, 1], true],
    ['doubles', [200, 400, 800], false],
    ['is alike and then doubles', [500, 500, 1000, 2000], false],
    ['meets its bound at once', [500, 1000, 1000, 1000], false],
    ['starts a program for each call', [74, 32, 13, 21], false],
  ])('hides no plan that %s', (_, pauses, wrong) => {
    expect(accused(held(pauses))).toBe(wrong);
  });

  it('hides no plan that shrinks, where it was looked at after each status', () => {
    const plan = [800, 400, 200];
    const stopped = names.map((_, start) => plan.map((ms, at) => (start === 1 && at > 0 ? ms + 60 : ms)));
    expect(accused(stopped)).toBe(true);
    expect(accused(stopped.map((pauses, at) => (at === 4 ? pauses.map((ms) => ms + 60) : pauses)))).toBe(true);
    expect(accused(stopped.map((pauses) => pauses.toReversed()))).toBe(false);
  });

  it('hides no client without pauses by one pause', () => {
    expect(
      accused([
        [4, 3, 2],
        [32, 5, 4],
        [21, 15, 2],
      ]),
    ).toBe(true);
    expect(
      accused([
        [4, 3, 2],
        [32, 5, 40],
        [21, 15, 2],
      ]),
    ).toBe(false);
  });

  it('hides no burst of five calls', () => {
    expect(accused(thrice(() => [74, 32, 13, 21]))).toBe(true);
    expect(accused(thrice(() => [10, 20, 40, 80]))).toBe(false);
  });
});

describe('a fixed plan', () => {
  it.each([
    ['doubles', [200, 400, 800], false],
    ['grows by a half', [300, 450, 600], false],
    ['meets its bound', [500, 1000, 1000, 1000], false],
    ['begins at once', [0, 500, 1000], false],
    ['is alike', [400, 400, 400], true],
    ['is alike, and short', [150, 150], true],
    ['shrinks', [800, 400, 200], true],
    ['is no pause at all', [1, 2, 1], true],
  ])('that %s', (_, pauses, wrong) => {
    const random = seeded(11);
    expect(accused(thrice(() => late(pauses, random)))).toBe(wrong);
  });

  it('with chance around each pause does not grow either, where it was looked at after each status', () => {
    const random = seeded(5);
    const found = (pause: (at: number) => number) =>
      Array.from({ length: 500 }, () => accused(always(() => [0, 1, 2].map(pause)))).filter(Boolean).length;
    expect(found(() => 400 + random() * 120)).toBeGreaterThan(490);
    expect(found((at) => (800 + random() * 250) / 2 ** at)).toBeGreaterThan(490);
    expect(found((at) => (400 + 60 * at) * (1 + random() / 10))).toBe(0);
    expect(found((at) => 300 * 1.5 ** at * (0.9 + random() / 5))).toBe(0);
  });

  it('that nobody looked at is nothing to judge', () => {
    expect(accused([])).toBe(false);
  });

  it('of one repetition is nothing to judge', () => {
    expect(accused([[3], [2], [4]])).toBe(false);
  });

  it('that grows is accused on no busy machine', () => {
    const random = seeded(3);
    const busy = Array.from({ length: 2000 }, () => accused(thrice(() => late([100, 200, 400], random, 900))));
    expect(busy.filter(Boolean).length).toBe(0);
  });
});
