import { describe, expect, test } from 'vitest';
import type { Exchange } from '../../src/vocabulary.ts';
import { isFarBeyond, isFloodBeyond, lapsesOf, showsMore } from './stated-limits.ts';

const call = (status: number, at: number, localAddress = '127.0.0.1'): Exchange =>
  ({
    request: { headers: [] },
    response: { status, headers: [] },
    at: { sent: at, end: at + 1 },
    connection: { number: 1, use: 1, localAddress },
  }) as unknown as Exchange;

/** A call each half millisecond. */
const flood = (count: number, isIn: (at: number) => boolean): Exchange[] =>
  Array.from({ length: count }, (_, at) => call(isIn(at) ? 200 : 429, at / 2));

const stated = { requests: 6, perMs: 1000 };

describe('a burst at a key that is stated to have six calls a second', () => {
  test.each([
    ['six of them', (at: number) => at < 6, false],
    [
      'six of each of eight copies, and as many of the next window',
      (at: number) => at < 48 || (at > 200 && at < 249),
      false,
    ],
    ['six after every third refusal', (at: number) => at % 9 < 6, true],
    ['each fifth call', (at: number) => at % 5 === 0, true],
    ['six of each twenty', (at: number) => at % 20 < 6, true],
  ])('%s', (_, isIn, isBeyond) => {
    expect(isFloodBeyond(flood(360, isIn), stated)).toBe(isBeyond);
  });

  test('six from each of sixty addresses are no flood', () => {
    const calls = Array.from({ length: 360 }, (_, at) => call(200, at / 2, `127.0.0.${at % 60}`));
    expect(isFloodBeyond(calls, stated)).toBe(false);
  });

  test('nothing is beyond what nobody states', () => {
    expect(
      isFloodBeyond(
        flood(360, () => true),
        undefined,
      ),
    ).toBe(false);
    expect(isFloodBeyond([], stated)).toBe(false);
  });
});

/** So many windows of six a second: each is met at its end. */
const kept = (from: number, windows: number): Exchange[] =>
  Array.from({ length: windows * 8 }, (_, at) =>
    call(at % 8 < 6 ? 200 : 429, from + Math.floor(at / 8) * 1000 + (at % 8)),
  );

/** As many calls in one second, all of them admitted. */
const free = (from: number, count: number): Exchange[] =>
  Array.from({ length: count }, (_, at) => call(200, from + (at * 900) / count));

describe('a limit of six calls a second in the record of a run', () => {
  test.each([
    ['kept throughout', kept(0, 12), false],
    ['kept, and lifted for a second', [...kept(0, 6), ...free(6000, 40), ...kept(7000, 6)], true],
    ['twice as high, always', free(0, 12).concat(free(1000, 12), free(2000, 12)), false],
    [
      'met at the end of one window and at the beginning of the next',
      [...kept(0, 6), ...free(5100, 6), ...kept(6000, 6)],
      false,
    ],
  ])('%s', (_, calls, isLifted) => {
    expect(lapsesOf(calls, stated).length > 0).toBe(isLifted);
  });

  test('a call that takes longer than the window is one call', () => {
    const slow = { ...call(200, 0), at: { sent: 0, end: 5000 } };
    expect(lapsesOf([...kept(-9000, 6), slow], stated)).toEqual([]);
    expect(isFarBeyond([slow], stated)).toBe(false);
  });
});

test.each([
  ['what is stated', kept(0, 12), false],
  ['twice as much at the border of two windows', [...free(100, 6), ...free(1000, 6)], false],
  ['twice as much, window after window', free(0, 12).concat(free(1000, 12), free(2000, 12), free(3000, 12)), true],
  ['no call at all', [], false],
])('calls themselves show more than is stated: %s', (_, calls, isMore) => {
  expect(showsMore(calls, stated)).toBe(isMore);
});
