/** A limit that new connections lift, with another one behind it. */
import { expect, test } from 'vitest';
import type { Exchange, Reconnected } from '../../../src/vocabulary.ts';
import { freeRounds, newLetIn } from '../../language/probing.ts';

const answers = (...statuses: readonly number[]): Exchange[] =>
  statuses.map((status) => ({ response: { status, headers: [] } }) as unknown as Exchange);

const of = (status: number, times: number): number[] => Array.from({ length: times }, () => status);

test.each([
  ['new ones let in for long, the old one never', of(429, 18), [...of(200, 23), 429, 429], 23],
  ['the old one let in once too', [...of(429, 17), 200], [...of(200, 23), 429], 0],
  ['too few to tell from chance', of(429, 8), [...of(200, 9), 429], 0],
  ['new ones refused as well', of(429, 8), of(429, 2), 0],
  ['nothing on the old one', [], [...of(200, 23), 429], 0],
  ['new ones never refused: that is judged', of(429, 18), of(200, 200), 0],
])('%s', (_, kept, fresh, letIn) => {
  expect(newLetIn({ exhausting: [], kept: answers(...kept), fresh: answers(...fresh), most: 178 })).toBe(letIn);
});

const round = (letIn: number, further?: true): Reconnected => ({
  ...(further && { further }),
  exhausting: answers(...of(200, 20), 429),
  kept: answers(...of(429, 30)),
  fresh: answers(...of(200, letIn), 429, 429),
  most: 178,
});

test.each([
  ['from one address, until that is refused', [round(68)], 0],
  [
    'from four addresses in one stretch, more than copies have',
    [round(68), round(68, true), round(68, true), round(68, true)],
    4,
  ],
  ['from four addresses, as copies have', [round(35), round(35, true), round(35, true), round(35, true)], 0],
  ['with a rest between', [round(68), round(68), round(68), round(68)], 0],
  ['but not from all of them', [round(68), round(68, true), round(0, true), round(68, true), round(68, true)], 0],
])('new connections are let in %s', (_, rounds, free) => {
  expect(freeRounds(rounds)).toHaveLength(free);
});
