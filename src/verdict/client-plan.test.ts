/** What a client is started for: each situation, and the contexts that it varies in. */
import { describe, expect, it } from 'vitest';
import type { Situation } from '../model/client.ts';
import { planOf, type TrialPlan } from './client-plan.ts';

const situation = (name: string, more: Partial<Situation> = {}): Situation => ({
  name,
  title: name,
  depth: 'quick',
  items: 0,
  answers: () => [{ status: 200, body: '{}' }],
  ...more,
});

const some = [
  situation('plain'),
  situation('varied', { varies: ['repeated', 'among', 'large'] }),
  situation('many', { copies: 3 }),
];

const contextsOf = (plans: readonly TrialPlan[], name: string) =>
  plans
    .filter((each) => each.situation.name === name)
    .map(({ key, connection, deviations = [] }) => [key, connection, ...deviations].join(' '));

describe('a plan', () => {
  it('of a quick run starts each situation once, as many copies as it wants', () => {
    expect(planOf(some, 'quick').map((each) => each.situation.name)).toEqual([
      'plain',
      'varied',
      'many',
      'many',
      'many',
    ]);
  });

  it('of a standard run adds each context once, after all that is plain', () => {
    const plans = planOf(some, 'standard');
    expect(plans.slice(0, 5).every(({ deviations }) => deviations === undefined)).toBe(true);
    expect(plans.slice(5).map(({ deviations }) => deviations)).toEqual([['repeated'], ['among'], ['large']]);
    expect(plans.map(({ number }) => number)).toEqual(plans.map((_, at) => at + 1));
  });

  it('of a thorough run has every pair of values of each situation', () => {
    const plans = planOf(some, 'thorough');
    const values = [
      ['live', 'test'],
      ['kept', 'fresh'],
    ] as const;
    for (const name of ['plain', 'varied'])
      for (const key of values[0])
        for (const connection of values[1])
          expect(contextsOf(plans, name).some((each) => each.startsWith(`${key} ${connection}`))).toBe(true);
    const own = contextsOf(plans, 'varied');
    const has = (text: string, value: string, is: boolean): boolean => text.split(' ').includes(value) === is;
    for (const [a, b] of [
      ['repeated', 'among'],
      ['repeated', 'large'],
      ['among', 'large'],
      ['test', 'large'],
      ['fresh', 'among'],
    ] as const)
      for (const first of [true, false])
        for (const second of [true, false])
          expect(own.some((each) => has(each, a, first) && has(each, b, second))).toBe(true);
    expect(contextsOf(plans, 'many')).toHaveLength(3);
  });
});
