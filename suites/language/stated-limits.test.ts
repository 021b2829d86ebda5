import { describe, expect, test } from 'vitest';
import type { Exchange } from '../../src/vocabulary.ts';
import { isFloodBeyond } from './stated-limits.ts';

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
