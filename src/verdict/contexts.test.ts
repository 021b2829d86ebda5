/** In which contexts a rule is asked that wants each of its cases with each kind of key. */
import { describe, expect, it } from 'vitest';
import type { Axes } from '../model/run.ts';
import { contextsOf } from './contexts.ts';

const axes = (more: Partial<Axes> = {}): Axes => ({
  cases: Array.from({ length: 30 }, (_, at) => ({ name: `case ${at}` })),
  keys: ['live', 'test', 'issued'],
  actors: [],
  connection: ['fresh', 'kept'],
  history: ['first', 'repeated'],
  company: ['alone', 'among'],
  ...more,
});

const pairs = (of: Axes, depth: 'quick' | 'standard'): ReadonlySet<string> =>
  new Set(contextsOf(of, { depth, seed: 7 }).map(({ context }) => `${context.case} ${context.key}`));

describe('each case with each key', () => {
  for (const depth of ['quick', 'standard'] as const)
    it(`is asked at depth ${depth} where a rule wants it, and not where it does not`, () => {
      expect(pairs(axes({ eachKey: true }), depth).size).toBe(90);
      expect(pairs(axes(), depth).size).toBeLessThan(90);
    });

  it('adds contexts alone: those that were asked before stay as they are, and are asked first', () => {
    const before = contextsOf(axes(), { depth: 'quick', seed: 7 });
    const now = contextsOf(axes({ eachKey: true }), { depth: 'quick', seed: 7 });
    expect(now.slice(0, before.length)).toEqual(before);
    expect(now.slice(before.length).every(({ first }) => !first)).toBe(true);
  });

  it('asks a case that has a key of its own with that key alone', () => {
    const one: Axes = axes({ eachKey: true, cases: [{ name: 'of an issued key', key: 'issued' }] });
    expect(pairs(one, 'quick')).toEqual(new Set(['of an issued key issued']));
  });
});
