/** Pauses that collapse are found, and chance that is lawful is not taken for it. */
import { describe, expect, it } from 'vitest';
import { seeded } from '../../src/random.ts';
import type { Seen, SeenTrial } from '../../src/vocabulary.ts';
import { collapsing } from './collapsing.ts';
import { backsOff } from './retrying.ts';
import { startOf } from './testing.ts';

const names = [
  ...['failing-500', 'failing-500-again', 'failing-500-third', 'failing-502', 'failing-502-again'],
  ...['failing-504', 'failing-504-again'],
];

type Chance = () => number;
type Plan = (random: Chance) => readonly number[];

const startsOf = (plan: Plan, random: Chance): SeenTrial[] => names.map((name) => startOf(name, plan(random)));

const isAccused = (trials: readonly SeenTrial[]): boolean => {
  const [first500, others] = [trials.slice(0, 3), trials.slice(3)];
  return [first500, others, trials].some((some) => collapsing(some) !== undefined);
};

const places = (count: number): number[] => Array.from({ length: count }, (_, at) => at);

function decorrelated(base: number, most: number, count: number, random: Chance): number[] {
  let last = base;
  return places(count).map(() => {
    last = Math.min(most, base + random() * (last * 3 - base));
    return last;
  });
}

const lawful: Readonly<Record<string, Plan>> = {
  'full jitter from 50 ms': (random) => places(5).map((at) => random() * 50 * 2 ** at),
  'full jitter from 100 ms': (random) => places(4).map((at) => random() * 100 * 2 ** at),
  'full jitter from half a second': (random) => places(4).map((at) => random() * 500 * 2 ** at),
  'full jitter up to a bound': (random) => places(6).map((at) => random() * Math.min(400, 100 * 2 ** at)),
  'full jitter up to a bound that is met at once': (random) => places(5).map(() => random() * 600),
  'half jitter': (random) => places(5).map((at) => 100 * 2 ** at * (0.5 + random() / 2)),
  'decorrelated jitter from 50 ms': (random) => decorrelated(50, 2000, 5, random),
  'decorrelated jitter from 100 ms': (random) => decorrelated(100, 10_000, 4, random),
  'a plan that doubles, on a busy machine': (random) => places(5).map((at) => 25 * 2 ** at + random() * 900),
  'a plan that doubles, and a machine that is busy at first': (random) =>
    places(4).map((at) => 25 * 2 ** at + (at < 1 ? 600 * random() : 0)),
};

describe('pauses with chance in them', () => {
  it.each(Object.keys(lawful))('%s: ten thousand clients, seventy thousand starts, none accused', (kind) => {
    const random = seeded(5);
    const found = Array.from({ length: 10_000 }, () => isAccused(startsOf(lawful[kind]!, random)));
    expect(found.filter(Boolean).length).toBe(0);
  });
});

const seen = { trials: [], manner: {}, telling: {} } as unknown as Seen;

describe('pauses that collapse', () => {
  it.each([
    [[650, 1360, 1, 0], true],
    [[500, 1000, 0, 0], true],
    [[800, 1600, 100, 100], true],
    [[400, 800, 1600, 3200, 0, 0, 0], true],
    [[400, 800, 0], false],
    [[400, 800, 30, 60, 120], false],
    [[500, 1000, 2000, 2000], false],
    [[400, 800, 400, 800], false],
  ] as const)('%j', (pauses, wrong) => {
    const random = seeded(9);
    const jittered = startsOf(() => pauses.map((ms) => ms * (1 + random() / 2)), random);
    const reasons = backsOff.judgeAll!(jittered, seen);
    expect(reasons.length > 0).toBe(wrong);
  });

  it('are found on a busy machine, which makes some of the last pauses longer', () => {
    const last = [
      [52, 11, 189],
      [11, 8, 9],
      [2, 2, 2],
      [8, 8, 8],
      [3, 7, 17],
      [13, 9, 105],
      [5, 8, 24],
    ];
    expect(isAccused(names.map((name, at) => startOf(name, [563, 1035, ...last[at]!])))).toBe(true);
    expect(isAccused(names.map((name, at) => startOf(name, [663, 700, 30 + last[at]![0]!, 60, 120])))).toBe(false);
  });

  it('are found where the machine has held one start up, and after 502 and 504 alone', () => {
    const held = names.map((name, at) => startOf(name, [600, 1200, at === 4 ? 400 : 1, 0]));
    expect(isAccused(held)).toBe(true);
    expect(isAccused(names.map((name, at) => startOf(name, at < 3 ? [200, 400, 800, 1600] : [600, 1200, 1, 0])))).toBe(
      true,
    );
    expect(isAccused(names.map((name, at) => startOf(name, at < 5 ? [200, 400, 800, 1600] : [600, 1200, 1, 0])))).toBe(
      false,
    );
  });
});
