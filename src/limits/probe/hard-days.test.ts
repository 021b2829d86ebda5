/** Looking for limits where there are none, where there is no end of them, or where the service breaks meanwhile. In virtual time. */
import { describe, expect, test } from 'vitest';
import * as limiters from '../../../fixtures/limiters/index.ts';
import { looking } from '../../../fixtures/limiters/looking.ts';
import { demoProfile } from '../../../fixtures/profiles/demo.ts';
import { demoKeys } from '../../../fixtures/service/demo-keys.ts';
import type { Overlay } from '../../../fixtures/service/index.ts';
import { tryOn } from '../../../proofs/matrix/try-on.ts';
import { catalogue, rulesVersion } from '../../../suites/index.ts';
import type { Run } from '../../model/run.ts';

const { limiting, tokenBucket, firstCallWindow, alwaysRefusing, renderers } = limiters;

const look = (
  overlays: readonly Overlay[],
  limits: Readonly<Record<string, unknown>> = {},
  profile: Readonly<Record<string, unknown>> = {},
): Promise<Run> =>
  tryOn(
    { rules: catalogue, version: rulesVersion, specification: 'test' },
    { name: 'test', overlays, areas: ['limit', 'address'], profile: { ...looking(limits), ...profile } },
    { depth: 'quick', seed: 1 },
  );

const verdictsOf = (run: Run): Record<string, string> =>
  Object.fromEntries(run.findings.map(({ rule, verdict }) => [rule, verdict]));
const whyOf = (run: Run, rule: string): string => run.findings.find((each) => each.rule === rule)?.because ?? '';
const accusedIn = (run: Run): string[] =>
  run.findings.flatMap(({ rule, verdict }) =>
    ['fail', 'warn', 'error'].includes(verdict) ? [`${verdict} ${rule}`] : [],
  );
const probesIn = (run: Run): number => [...run.exchanges.values()].filter(({ purpose }) => purpose === 'probe').length;

const steady = limiting((tier) => tokenBucket(10 * limiters.factorOf(tier), 5 * limiters.factorOf(tier)));

describe('nothing is said of what was not seen', () => {
  test('no limit at all: not known, for a higher one may be there', async () => {
    const run = await look([]);
    expect(verdictsOf(run)['limit.exists']).toBe('inconclusive');
    expect(whyOf(run, 'limit.exists')).toMatch(/^no limit was met in \d+ calls/);
    expect(verdictsOf(run)['limit.waiting-admits']).toBe('untested');
    expect(accusedIn(run)).toEqual([]);
  });

  test('a budget of 5 calls is kept', async () => {
    const run = await look([steady], { max_requests: 5 });
    expect(probesIn(run)).toBeLessThanOrEqual(5);
    expect(accusedIn(run)).toEqual([]);
    expect(verdictsOf(run)['limit.exists']).toBe('inconclusive');
  });

  test('a budget of a few seconds is kept', async () => {
    const run = await look([limiting(() => firstCallWindow(5, 60_000))], { max_seconds: 5 });
    expect(run.footer!.tookMs).toBeLessThan(6000);
    expect(accusedIn(run)).toEqual([]);
  });

  test('429 to everything, for ever', async () => {
    const run = await look([limiting(() => alwaysRefusing)]);
    expect(probesIn(run)).toBeLessThan(1000);
    expect(verdictsOf(run)['limit.other-key-unaffected']).toBe('inconclusive');
    expect(accusedIn(run)).toEqual(['fail limit.waiting-admits']);
  });

  test('one call an hour', async () => {
    const run = await look([limiting(() => firstCallWindow(1, 3_600_000))]);
    expect(accusedIn(run)).toEqual([]);
  });

  test('5,000 a second', async () => {
    const run = await look([limiting(() => tokenBucket(5000, 5000))]);
    expect(accusedIn(run)).toEqual([]);
  });

  test('one address only', async () => {
    const run = await look([steady], { addresses: ['127.0.0.1'] });
    expect(verdictsOf(run)).toMatchObject({
      'limit.exists': 'pass',
      'limit.other-key-unaffected': 'pass',
      'limit.follows-the-key': 'untested',
    });
    expect(whyOf(run, 'limit.follows-the-key')).toContain('only one client address');
    expect(accusedIn(run)).toEqual([]);
  });

  test('one key, and a service that creates no other', async () => {
    const { keys, actors } = demoProfile({ address: '', adminToken: '', keys: demoKeys('matrix') });
    const { main, limited } = keys;
    const { clean } = actors;
    const shut: Overlay = (base) => ({ createKey: (call) => base.respond(call, 503, undefined) });
    const alone = await look([steady, shut], {}, { keys: { main }, actors: { clean } });
    expect(verdictsOf(alone)['limit.other-key-unaffected']).toBe('inconclusive');
    expect(whyOf(alone, 'limit.other-key-unaffected')).toContain('the admin interface did not create one');
    expect(accusedIn(alone)).toEqual([]);
    // What the profile has is asked then, though it is of another plan.
    const beside = await look([steady, shut], {}, { keys: { main, limited }, actors: { clean } });
    expect(verdictsOf(beside)['limit.other-key-unaffected']).toBe('pass');
    expect(accusedIn(beside)).toEqual([]);
  });

  test('one address, and all keys refused together: it may be the limit of the address', async () => {
    const run = await look([limiting(() => tokenBucket(20, 10), { nameOf: limiters.anyKey })], {
      addresses: ['127.0.0.1'],
    });
    expect(verdictsOf(run)['limit.other-key-unaffected']).toBe('untested');
    expect(accusedIn(run)).toEqual([]);
  });
});

describe('a service that breaks while it is looked at', () => {
  const from = (call: number, status: number): Overlay => {
    let calls = 0;
    return (base) => ({
      finish: async (given, response) => {
        calls += 1;
        const answer = await base.finish(given, response);
        return calls < call ? answer : { ...answer, status };
      },
    });
  };

  test('fails from some call on: it is left in peace, and says so', async () => {
    const run = await look([steady, from(60, 500)]);
    expect(probesIn(run)).toBeLessThan(400);
    expect(accusedIn(run)).toEqual([]);
    expect(run.findings.map(({ because = '' }) => because).join('\n')).toMatch(/distress/);
  });

  test('a key that is revoked meanwhile is no limit', async () => {
    const run = await look([from(60, 401)]);
    expect(accusedIn(run)).toEqual([]);
    expect(verdictsOf(run)['limit.exists']).toBe('inconclusive');
  });

  test('closes every connection from some call on', async () => {
    let calls = 0;
    const dying: Overlay = (base) => ({
      finish: async (call, response) => {
        calls += 1;
        const answer = await base.finish(call, response);
        return calls < 60 ? answer : { ...answer, abort: 'before-head' as const };
      },
    });
    const run = await look([steady, dying]);
    expect(probesIn(run)).toBeLessThan(400);
    expect(accusedIn(run)).toEqual([]);
  });
});

describe('what Retry-After may say', () => {
  test.for([
    ['soon', ['fail limit.retry-after-is-seconds']],
    ['empty', ['fail limit.retry-after-is-seconds']],
    ['exponent', ['fail limit.retry-after-is-seconds']],
    ['milliseconds', ['warn limit.waiting-admits']],
    ['huge', ['warn limit.waiting-admits']],
  ] as const)('%s', async ([name, accused]) => {
    const made = limiting((tier) => tokenBucket(10 * limiters.factorOf(tier), 5 * limiters.factorOf(tier)), {
      retryAfter: renderers[name],
    });
    expect(accusedIn(await look([made]))).toEqual(accused);
  });
});
