/** Disguises that got no answer say nothing: neither that the key stays refused nor that it does not. */
import { expect, test } from 'vitest';
import type { Disguised, Exchange } from '../../../src/vocabulary.ts';
import { disguisedKey } from './asides.ts';

const answer = (status: number) =>
  ({
    at: { sent: 0, head: 1, end: 1 },
    request: { headers: [] },
    response: { status, headers: [] },
  }) as unknown as Exchange;
const [refused, served] = [answer(429), answer(200)];
const one = (more: Partial<Disguised>): Disguised => ({
  other: 'with another Accept',
  request: 'verify',
  before: [refused],
  answers: [refused],
  bursts: [],
  after: [],
  ...more,
});
const group = { together: true } as const;
const free = one({ answers: [served], bursts: Array.from({ length: 5 }, () => [served]), after: [refused] });

const near = {
  seesApart: 'direct',
  rounds: [
    {
      other: 'another key at the same address',
      twin: [],
      exhausting: [],
      before: [refused],
      answers: [served],
      after: [refused],
    },
  ],
};
const gatesOf = (seen: readonly Disguised[]) =>
  disguisedKey.given!({ near, seen } as never, undefined as never).filter((each) => each !== undefined);

test('a group without an answer leaves it open, unless another one was let in', () => {
  expect(gatesOf([one(group), one({})])).toEqual([]);
  expect(gatesOf([one({ ...group, answers: [] }), one({})])).toEqual([
    { inconclusive: expect.stringContaining('a group of disguises got no answer') },
  ]);
  expect(gatesOf([one({ ...group, answers: [] }), free])).toEqual([]);
  expect(gatesOf([one(group), one({ answers: [] })])).toEqual([]);
});
