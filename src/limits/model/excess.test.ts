/** How much more than there was room for is too much. */
import { expect, test } from 'vitest';
import type { Exchange } from '../../model/exchange.ts';
import { excessOf, excessOfGoingOn, givenBackIn } from './excess.ts';

const call = (status: number, sent: number, end: number): Exchange =>
  ({ response: { status, headers: [] }, at: { sent, end } }) as unknown as Exchange;

const calls = (count: number, status: number, sent = 0, end = 5): Exchange[] =>
  Array.from({ length: count }, () => call(status, sent, end));

test.each([
  ['as many as there was room for', 10, 2, [...calls(2, 200), ...calls(46, 429)], false],
  ['a few more, which came in meanwhile', 10, 2, [...calls(10, 200), ...calls(38, 429)], false],
  ['all of them', 10, 2, calls(48, 200), true],
  ['a small share of a large limit', 998, 2, calls(48, 200), false],
  ['many, but long after the first refusal was known', 10, 2, [...calls(2, 429), ...calls(46, 200, 6, 9)], false],
])('%s', (_, primed, left, wave, isTooMuch) => {
  expect(excessOf({ primed: calls(primed, 200), left, wave }) > 0).toBe(isTooMuch);
});

test.each([
  ['nothing, as a pause', calls(160, 429), calls(40, 429), false],
  ['what trickles in meanwhile, as in a pause', [...calls(12, 200), ...calls(148, 429)], calls(40, 429), false],
  ['twice what a pause brings', [...calls(20, 200), ...calls(140, 429)], [...calls(10, 200), ...calls(30, 429)], false],
  [
    'a rested quota again and again',
    [...calls(60, 200), ...calls(100, 429)],
    [...calls(4, 200), ...calls(36, 429)],
    true,
  ],
])('who goes on is let in for %s', (_, on, control, isTooMuch) => {
  expect(excessOfGoingOn({ calls: on, control }, 20) > 0).toBe(isTooMuch);
});

test.each([
  ['as much as without it', [...calls(4, 200), ...calls(20, 429)], false],
  ['the one call that failed', [...calls(5, 200), ...calls(19, 429)], false],
  ['all that was spent', [...calls(20, 200), ...calls(4, 429)], true],
])('a request that fails gives back %s', (_, after, isTooMuch) => {
  const control = [...calls(20, 200), ...calls(20, 429)];
  const [between] = calls(1, 422);
  const round = { other: 'a run without input', before: calls(16, 200), between: between!, after, control };
  expect(givenBackIn(round) > 0).toBe(isTooMuch);
});

test('of a few calls too, but for two of them', () => {
  const [between] = calls(1, 200);
  const round = {
    other: 'run',
    before: calls(4, 200),
    between: between!,
    control: [...calls(6, 200), ...calls(8, 429)],
  };
  expect(givenBackIn({ ...round, after: [...calls(6, 200), ...calls(4, 429)] })).toBeGreaterThan(0);
  expect(givenBackIn({ ...round, after: [...calls(4, 200), ...calls(6, 429)] })).toBeLessThanOrEqual(0);
});
