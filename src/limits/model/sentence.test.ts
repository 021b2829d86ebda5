/** One sentence for each kind, as people repeat it. */
import { expect, test } from 'vitest';
import { exactly, type FoundLimit, type LimitModel } from '../../model/limit-model.ts';
import { sentenceOf, type Told } from './sentence.ts';

const seen = { refusals: 9, absent: 0, unreadable: 0, toldMs: 1000, slackMs: exactly(300) };

const model = (more: Partial<LimitModel>): LimitModel => ({
  kind: 'token bucket',
  certainty: { is: 'identified' },
  same: [],
  burst: exactly(20),
  retryAfter: seen,
  candidates: [],
  decisions: 60,
  admitted: 40,
  explained: 1,
  tookMs: 4000,
  ...more,
});

const rows: readonly (readonly [Partial<FoundLimit>, Partial<LimitModel>, Told, string])[] = [
  [
    {},
    { perSecond: exactly(20) },
    'correctly',
    'Each pro key: 20 calls at once, then 20 a second; Retry-After is correct.',
  ],
  [
    {},
    { kind: 'window aligned', windowMs: exactly(60_000) },
    undefined,
    'Each pro key: 20 calls in each 60 s of the clock; refusals have a Retry-After.',
  ],
  [
    { scope: 'address' },
    { kind: 'window from first call', windowMs: exactly(3000) },
    'wrongly',
    'Each address: 20 calls in the 3 s that begin with the first; calls are still refused after Retry-After.',
  ],
  [
    { scope: 'all keys' },
    { kind: 'sliding log', windowMs: exactly(3000) },
    'correctly',
    'All keys together: never more than 20 calls in any 3 s; Retry-After is correct.',
  ],
  [
    {},
    { perSecond: exactly(5), retryAfter: { ...seen, absent: 9 } },
    undefined,
    'Each pro key: 20 calls at once, then 5 a second; refusals have no Retry-After.',
  ],
  [
    {},
    { perSecond: exactly(5), retryAfter: { ...seen, toldMs: 60_000, slackMs: exactly(58_000) } },
    'correctly',
    'Each pro key: 20 calls at once, then 5 a second; Retry-After is 58 s longer than needed.',
  ],
  [
    { scope: 'undetermined' },
    { kind: 'none met', atLeast: { calls: 400, inMs: 900 }, retryAfter: { refusals: 0, absent: 0, unreadable: 0 } },
    undefined,
    'The key main: no limit was seen in 400 calls within 900 ms.',
  ],
  [
    {},
    { kind: 'undetermined', decisions: 0, retryAfter: { refusals: 0, absent: 0, unreadable: 0 } },
    undefined,
    'Each pro key: nothing is known of a limit, for there was no time to look.',
  ],
];

test.each(rows)('%#', (found, of, told, says) => {
  const limit = { scope: 'key', caller: 'main', tier: 'pro', ...found, model: model(of) } as FoundLimit;
  expect(sentenceOf(limit, told)).toBe(says);
});
