import { describe, expect, test } from 'vitest';
import type { InvalidCause, Validity } from '../model/measurement.ts';
import { clean, latenciesOf } from './testing.ts';
import { type Unjudged, validityOf } from './validity.ts';

const none = { count: 0 };
const generator = (more: Partial<Unjudged['generator']>): Unjudged => ({
  ...clean,
  generator: { ...clean.generator, ...more },
});
const closed = (more: Partial<Unjudged['generator']> = {}): Unjudged => {
  const { perSecond: _, ...plan } = clean.plan;
  const { intended: __, ...achieved } = clean.achieved;
  return {
    ...generator({ lag: none, cores: 1, vus: { allowed: 16, usedAtMost: 16 }, ...more }),
    engine: { ...clean.engine, name: 'autocannon', model: 'closed' },
    scenario: 'saturation',
    plan: { ...plan, connections: 16 },
    achieved,
  };
};

const wrong: readonly [string, Unjudged, Validity['verdict'], InvalidCause, RegExp][] = [
  [
    'slots in which nobody was free',
    { ...generator({ dropped: 12 }), achieved: { intended: 500, begun: 488, seconds: 10 } },
    'invalid',
    'generator',
    /12 requests of 500 were never sent.*120 at work/,
  ],
  [
    'the rate missed by two in a hundred',
    { ...clean, achieved: { intended: 500, begun: 500, seconds: 10.2 } },
    'invalid',
    'generator',
    /49 a second were sent instead of 50/,
  ],
  [
    'requests that began late',
    generator({ lag: latenciesOf([300, 480], [5200, 20]) }),
    'invalid',
    'generator',
    /began late: 1 of 100 by 5\.2 ms.*5 ms is acceptable/,
  ],
  [
    'as many under way as may be',
    generator({ vus: { allowed: 20, usedAtMost: 18 } }),
    'invalid',
    'generator',
    /18 of 20/,
  ],
  [
    'a generator without processor left',
    generator({ samples: [{ at: 1, cpuCores: 1.7, rssBytes: 1 }] }),
    'invalid',
    'generator',
    /1\.7 of 2 cores/,
  ],
  [
    'a processor quota',
    generator({ cores: 0.1, samples: [{ at: 1, cpuCores: 0.1, rssBytes: 1 }] }),
    'invalid',
    'generator',
    /0\.1 of 0\.1 cores/,
  ],
  ['no ports left', generator({ exhausted: 3 }), 'invalid', 'generator', /3 requests never left/],
  ['an event loop that stood still', generator({ stallP99Ms: 400 }), 'invalid', 'generator', /stalled for 400 ms/],
  ['a crash in the middle', generator({ failure: 'k6 itself crashed (a panic)' }), 'invalid', 'generator', /panic/],
  [
    'the only core of a closed loop used up',
    closed({ samples: [{ at: 1, cpuCores: 0.98, rssBytes: 1 }] }),
    'invalid',
    'generator',
    /1\.0 of 1 cores/,
  ],
  [
    'a limiter',
    { ...clean, latencies: { ...clean.latencies, limited: latenciesOf([400, 30]) } },
    'invalid',
    'limiter',
    /30 answers were 429: .* a limit, the key's or the address's, not the server/,
  ],
  [
    'a single 429',
    { ...clean, latencies: { ...clean.latencies, limited: latenciesOf([400, 1]) } },
    'invalid',
    'limiter',
    /1 answer was 429/,
  ],
  [
    'answers of other requests',
    { ...clean, answers: { checked: 200, wrong: 1, examples: ['items of another request'] } },
    'invalid',
    'wrong-answers',
    /1 of 200 .* items of another request/,
  ],
  [
    'errors alone',
    {
      ...clean,
      latencies: { ok: none, limited: none, other: latenciesOf([500, 500]) },
      others: [{ what: '500', count: 500 }],
    },
    'invalid',
    'wrong-answers',
    /not one answer was a success: 500 × 500/,
  ],
  [
    'a key that is not known',
    {
      ...clean,
      latencies: { ok: latenciesOf([1000, 400]), limited: none, other: latenciesOf([100, 100]) },
      others: [{ what: '401', count: 100 }],
    },
    'invalid',
    'wrong-answers',
    /100 requests were refused as invalid: 100 × 401/,
  ],
  [
    'a service that stopped in the middle',
    {
      ...clean,
      latencies: { ok: latenciesOf([1000, 200]), limited: none, other: latenciesOf([100, 300]) },
      others: [{ what: 'connection refused', count: 300 }],
    },
    'invalid',
    'wrong-answers',
    /more than half.*300 × connection refused/,
  ],
  [
    'few answers',
    {
      ...clean,
      plan: { ...clean.plan, perSecond: 5 },
      achieved: { intended: 50, begun: 50, seconds: 10 },
      latencies: { ok: latenciesOf([1000, 50]), limited: none, other: none },
    },
    'inconclusive',
    'too-few-samples',
    /50 answers .* fewer than 59/,
  ],
  [
    'nothing at all',
    { ...clean, achieved: { intended: 0, begun: 0, seconds: 0 }, latencies: { ok: none, limited: none, other: none } },
    'inconclusive',
    'too-few-samples',
    /nothing was sent/,
  ],
  ['an interruption', { ...clean, interrupted: true }, 'inconclusive', 'interrupted', /interrupted/],
];

describe('ways of being wrong', () => {
  test.each(wrong)('%s', (_, measured, verdict, cause, says) => {
    const validity = validityOf(measured);
    expect(validity.verdict).toBe(verdict);
    expect(validity.reasons.map((reason) => reason.cause)).toEqual([cause]);
    expect(validity.reasons[0]!.says).toMatch(says);
    expect(validity.reasons[0]!.change).not.toBe('');
  });
});

describe('what is no fault', () => {
  test.each<[string, Unjudged]>([
    ['the clean one', clean],
    [
      'a busy start',
      generator({
        samples: [
          { at: -1, cpuCores: 2, rssBytes: 1 },
          { at: 1, cpuCores: 0.2, rssBytes: 1 },
        ],
      }),
    ],
    [
      'lateness that is small beside the latency',
      {
        ...generator({ lag: latenciesOf([9000, 500]) }),
        latencies: { ...clean.latencies, ok: latenciesOf([200_000, 500]) },
      },
    ],
    [
      'refusals in limits',
      {
        ...clean,
        scenario: 'limits',
        plan: { ...clean.plan, refusalsExpected: true },
        latencies: { ok: latenciesOf([1000, 40]), limited: latenciesOf([300, 460]), other: none },
      },
    ],
    [
      'errors in a spike',
      {
        ...clean,
        scenario: 'spike',
        latencies: { ok: latenciesOf([1000, 200]), limited: none, other: latenciesOf([100, 300]) },
      },
    ],
    ['a few errors', { ...clean, latencies: { ...clean.latencies, other: latenciesOf([100, 5]) } }],
    ['a closed loop that is busy', closed({ samples: [{ at: 1, cpuCores: 0.9, rssBytes: 1 }] })],
    ['a rate within one in a hundred', { ...clean, achieved: { intended: 500, begun: 500, seconds: 10.09 } }],
    ['no look into the process', generator({ samples: [] })],
  ])('%s', (_, measured) => {
    expect(validityOf(measured)).toEqual({ verdict: 'valid', reasons: [] });
  });
});

describe('whose limit it was', () => {
  const limited = { ...clean, latencies: { ...clean.latencies, limited: latenciesOf([400, 200]) } };
  test.each([
    [{ key: { perSecond: 10 } }, "the key's limit", 'use 7 keys'],
    [{ address: { perSecond: 30 } }, "the address's limit", 'use 3 addresses (--addresses)'],
    [
      { key: { perSecond: 10 }, address: { perSecond: 30 } },
      "the key's limit and the address's",
      'use 7 keys and 3 addresses',
    ],
    [{}, "a limit, the key's or the address's", 'about'],
  ])('%o', (limits, says, change) => {
    const [reason] = validityOf(limited, limits).reasons;
    expect(reason!.says).toContain(says);
    expect(reason!.change).toContain(change);
  });

  test('with nothing declared, the admitted rate shows how many are needed', () => {
    // 20 of 50 a second came through two keys.
    const some = { ...limited, latencies: { ...limited.latencies, ok: latenciesOf([1000, 200]) } };
    expect(validityOf(some).reasons[0]!.change).toMatch(
      /^20 a second were admitted: use about 8 keys.* or 4 addresses/,
    );
  });
});

test('all that is wrong is said, the invalid before the inconclusive', () => {
  const all = {
    ...generator({ dropped: 2, exhausted: 1 }),
    interrupted: true as const,
    answers: { checked: 9, wrong: 9, examples: ['x'] },
  };
  expect(validityOf(all).verdict).toBe('invalid');
  expect(validityOf(all).reasons.map(({ cause }) => cause)).toEqual(['generator', 'wrong-answers', 'interrupted']);
});
