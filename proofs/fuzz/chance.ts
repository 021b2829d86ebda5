/** What chance is asked for. The generator is seeded, so everything that comes of it can be had again. */
import type { Random } from '../../src/random.ts';

/** From 0 to one less than `below`. */
export const number = (random: Random, below: number): number => Math.floor(random() * below);

export const one = <T>(random: Random, all: readonly T[]): T => all[number(random, all.length)]!;

/** Few as a rule, many sometimes. */
export const few = (random: Random, most: number): number => 1 + Math.floor(random() ** 3 * most);

export const bytes = (random: Random, length: number): Buffer =>
  Buffer.from(Array.from({ length }, () => number(random, 256)));
