/** How much more than there was room for is too much. */
import { expect, test } from 'vitest';
import type { Exchange } from '../../model/exchange.ts';
import { excessOf } from './excess.ts';

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
