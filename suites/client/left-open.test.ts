/** When many copies come back, in words. */
import { expect, test } from 'vitest';
import type { Exchange, Seen, SeenTrial } from '../../src/vocabulary.ts';
import { herd } from './left-open.ts';

const call = (sent: number, end: number) => ({ at: { sent, end } }) as Exchange;

const copy = (pause?: number) =>
  ({
    situation: 'herd',
    runs: [call(0, 10), ...(pause === undefined ? [] : [call(10 + pause, 20 + pause)])],
  }) as unknown as SeenTrial;

const facts = (...pauses: readonly (number | undefined)[]): readonly string[] => {
  const trials = pauses.map(copy);
  return herd.observe(trials[0]!, { trials } as unknown as Seen);
};

test('copies that come back together differ from those that do not', () => {
  expect(facts(200, 203, 201, 202, 204)[0]).toContain('5 of 5 copies that met a 500 came back 0.20 s to 0.20 s after');
  expect(facts(200, 203, 201, 202, 204)[0]).toContain('within 0.002 s');
  expect(facts(100, 900, 500, 300, 700)[0]).toContain(
    '0.10 s to 0.90 s after it, the middle half of them within 0.40 s',
  );
});

test('copies that do not come back are counted', () => {
  expect(facts(undefined, undefined)).toEqual(['2 copies that met a 500: none came back']);
  expect(facts(300, undefined)[0]).toContain('1 of 2 copies');
});
