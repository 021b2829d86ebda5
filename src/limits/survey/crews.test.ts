import { expect, it } from 'vitest';
import { isWorthCrews } from '../model/crews.ts';
import { Crew } from './crews.ts';
import type { Ground } from './ground.ts';

const ground = {} as Ground;

it('asks one experiment at a time, in the order in which they came', async () => {
  const crew = new Crew(ground);
  const seen: string[] = [];
  const slow = async (): Promise<void> => {
    seen.push('slow begins');
    await new Promise((resolve) => setImmediate(resolve));
    seen.push('slow ends');
  };
  await Promise.all([crew.take(slow), crew.take(async () => seen.push('quick'))]);
  expect(seen).toEqual(['slow begins', 'slow ends', 'quick']);
});

it('goes on after an experiment that fails', async () => {
  const crew = new Crew(ground);
  const failing = crew.take(async () => {
    throw new Error('no budget');
  });
  const next = crew.take(async (on) => on === ground);
  await expect(failing).rejects.toThrow('no budget');
  expect(await next).toBe(true);
});

it.each([
  ['a few calls in three seconds', 20, 90, 3000, true],
  ['windows that are long for the budget', 20, 90, 25_000, false],
  ['bursts that are large for the budget', 100, 0, 3000, false],
  ['addresses that have much for the budget', 20, 150, 3000, false],
  ['a rest that nobody knows', 20, 90, Number.POSITIVE_INFINITY, false],
])('%s', (_, burst, ofAddress, restMs, expected) => {
  expect(isWorthCrews(burst, ofAddress, restMs, { maxRequests: 10_000, maxSeconds: 300 })).toBe(expected);
});
