import { describe, expect, it } from 'vitest';
import { allOf, type Scoped, type ScopeName, scoped, slidingLog, tokenBucket } from '../../fixtures/limiters/index.ts';
import { seeded } from '../engine/random.ts';
import { type Cells, findScope, judgeCells, type ScopeOptions } from './scope.ts';
import { virtualProbe, type World } from './testing.ts';

function options(limit: Scoped, more: Partial<ScopeOptions> = {}, seed = 1): ScopeOptions {
  const world: World = { now: 1_000_000 };
  const random = seeded(seed);
  return {
    probe: (key, address) => {
      const caller = { key: key ?? '', address };
      const gate = { decide: (now: number) => limit.decide(caller, now), leave: () => undefined };
      return virtualProbe({ gate, world, random, latencyMs: 4 });
    },
    keys: ['a', 'b'],
    addresses: ['127.0.0.1', '127.0.0.2'],
    withoutKey: true,
    restMs: 12_000,
    ...more,
  };
}

const limiters = {
  'a log': () => slidingLog(20, 10_000),
  'a slow bucket': () => tokenBucket(10, 1),
  'a fast bucket': () => tokenBucket(60, 50),
  'a limit of one': () => slidingLog(1, 5000),
};

describe.each(Object.entries(limiters))('%s', (_, make) => {
  it.each(['key', 'address', 'pair', 'shared', 'global'] satisfies ScopeName[])('of the %s', async (scope) => {
    for (let seed = 1; seed <= 5; seed += 1) {
      const found = await findScope(options(scoped(scope, make as () => ReturnType<typeof slidingLog>), {}, seed));
      expect(found.scope, found.reasons.join('; ')).toBe(scope);
    }
  });
});

it('with one address it says what remains possible', async () => {
  const log = (): ReturnType<typeof slidingLog> => slidingLog(20, 10_000);
  const ofKey = await findScope(options(scoped('key', log), { addresses: ['127.0.0.1'], withoutKey: false }));
  expect(ofKey).toMatchObject({ scope: 'undetermined', between: ['key', 'pair'] });
  const ofAddress = await findScope(options(scoped('address', log), { addresses: ['127.0.0.1'], withoutKey: false }));
  expect(ofAddress).toMatchObject({ scope: 'undetermined', between: ['address', 'shared', 'global'] });
});

it('without a call that has no key, one quota for all keys is not told from one for everybody', async () => {
  for (const scope of ['shared', 'global'] as const) {
    const found = await findScope(
      options(
        scoped(scope, () => slidingLog(20, 10_000)),
        { withoutKey: false },
      ),
    );
    expect(found).toMatchObject({ scope: 'undetermined', between: ['shared', 'global'] });
    expect(found.reasons.at(-1)).toBe('it could be shared or global');
  }
});

it('of two limits, the one that is met first is found', async () => {
  const limits = allOf(
    scoped('key', () => slidingLog(10, 10_000)),
    scoped('address', () => slidingLog(100, 10_000)),
  );
  expect((await findScope(options(limits))).scope).toBe('key');
});

it('no limit is no scope', async () => {
  const free: Scoped = { decide: () => ({ admitted: true, retryAfterMs: 0 }), leave: () => undefined };
  expect((await findScope(options(free, { maxCalls: 200 }))).scope).toBe('undetermined');
});

it('what contradicts itself is undetermined', () => {
  const cells: Cells = {
    sameKeyElsewhere: 'together',
    otherKeyHere: 'together',
    otherKeyElsewhere: 'apart',
    noKeyElsewhere: 'not asked',
  };
  expect(judgeCells(cells)).toMatchObject({ scope: 'undetermined', between: [] });
});
