import { describe, expect, test } from 'vitest';
import { highestRate } from '../../load/shared/phases.ts';
import { profileFrom } from '../profile/parse.ts';
import type { ProfileInput } from '../profile/shape.ts';
import { countAddresses } from './addresses.ts';
import { isLoopback, LoadRefused } from './allowed.ts';
import { type LoadWishes, prepare } from './prepare.ts';

const written: ProfileInput = {
  address: 'http://127.0.0.1:8080/base',
  keys: {
    main: { value: 'vk_live_aaaaaaaaaaaa', test: true },
    second: { value: 'vk_live_bbbbbbbbbbbb', test: true },
    poor: { value: 'vk_live_cccccccccccc', test: true, role: 'restricted' },
  },
  actors: {
    clean: { name: 'digest', input: { text: 'x' } },
    echo: { name: 'relay', input: { message: '{{nonce}}' } },
    sources: { name: 'harvest', input: { urls: ['{{source.ok}}'] } },
  },
};

const profileOf = (more: Partial<ProfileInput> = {}) =>
  profileFrom({ ...written, ...more }, { source: 'a profile', env: {}, readFile: () => '' });
const planOf = (wishes: Partial<LoadWishes> = {}, more: Partial<ProfileInput> = {}) =>
  prepare(profileOf(more), { scenario: 'latency', seed: 7, ...wishes });
const refused = (wishes: Partial<LoadWishes>, more: Partial<ProfileInput> = {}): string => {
  try {
    planOf(wishes, more);
  } catch (error) {
    if (error instanceof LoadRefused) return error.message;
    throw error;
  }
  throw new Error('it was not refused');
};

describe('a plan', () => {
  test('is small where nothing is said, and takes the actor whose answers differ', () => {
    const plan = planOf();
    expect(plan).toMatchObject({
      target: 'http://127.0.0.1:8080/base',
      settings: { perSecond: 50, seconds: 10, warmUpSeconds: 3 },
    });
    expect(plan.keys.map(({ name }) => name)).toEqual(['main', 'second']);
    expect(plan.operations).toEqual([{ kind: 'run', actor: 'relay', input: '{"message":"{{nonce}}"}', weight: 1 }]);
  });

  test('leaves the expendable key out, which a check may have revoked', () => {
    const spare = { value: 'vk_live_dddddddddddd', test: true, expendable: true, id: 'spare-1' };
    const { keys } = planOf({}, { keys: { ...written.keys, spare } });
    expect(keys.map(({ name }) => name)).toEqual(['main', 'second']);
  });

  test('follows the profile, and the command line before it', () => {
    const load = {
      rate: 5,
      duration: '20s',
      warm_up: '1s',
      keys: ['second'],
      actor: 'digest',
      latency: { p99: '250ms', max: '1s' },
      errors: '0.1%',
    };
    expect(planOf({ duration: 4000 }, { load })).toMatchObject({
      settings: { perSecond: 5, seconds: 4, warmUpSeconds: 1 },
      operations: [{ actor: 'digest' }],
      thresholds: [
        { name: 'latency.p99', demanded: '250ms', bound: 250_000 },
        { name: 'latency.max', demanded: '1s', bound: 1_000_000 },
        { name: 'errors', demanded: '0.1%', bound: 0.001 },
      ],
    });
  });

  test('of limits takes one key, of the address all of them, and multiplies what is declared', () => {
    const load = { limits: { key: { per_second: 4 }, address: { per_second: 20 } } };
    const key = planOf({ scenario: 'limits' }, { load });
    expect(key.keys).toHaveLength(1);
    expect(key.phases.map(highestRate)).toEqual([2, 4, 6, 12]);
    const address = planOf({ scenario: 'limits', of: 'address' }, { load });
    expect(address.keys).toHaveLength(2);
    expect(address.phases.map(highestRate)).toEqual([10, 20, 30, 60]);
  });

  test('takes the documented limits, whatever their period, of the keys that it uses', () => {
    const documented = {
      tiers: { pro: { requests: 240, per: '1m', burst: 9 } },
      key: { requests: 5, per: '1s' },
      address: { requests: 20, per: '1s' },
    };
    const keys = {
      main: { value: 'vk_live_aaaaaaaaaaaa', test: true, tier: 'pro' },
      other: { value: 'vk_live_bbbbbbbbbbbb', test: true, tier: 'free' },
    };
    const plan = planOf({ scenario: 'limits' }, { keys, limits: { documented } });
    expect(plan.phases.map(highestRate)).toEqual([2, 4, 6, 12]);
    expect(plan.limits).toEqual({ key: { perSecond: 4, burst: 9 }, address: { perSecond: 20, burst: 20 } });
    // One is of the tier that documents its own, one is not: they have no limit in common.
    expect(planOf({}, { keys, limits: { documented } }).limits).toEqual({ address: { perSecond: 20, burst: 20 } });
  });

  test('of a mix has the weights of the profile', () => {
    const mix = { relay: 8, verify: 1, 'read digest': 1 };
    expect(
      planOf({ scenario: 'mixed' }, { load: { mix } }).operations.map(({ kind, actor, weight }) => [
        kind,
        actor,
        weight,
      ]),
    ).toEqual([
      ['run', 'relay', 8],
      ['verify', '', 1],
      ['read', 'digest', 1],
    ]);
  });

  test('of a closed loop has connections and no rate', () => {
    expect(planOf({ scenario: 'saturation', connections: 32 })).toMatchObject({ connections: 32 });
  });
});

describe('refused before anything is sent', () => {
  const other = { address: 'https://api.example.com' };
  const allowed = { ...other, load: { allow: ['api.example.com'] } };
  test.each<[string, Partial<LoadWishes>, Partial<ProfileInput>, RegExp]>([
    [
      'another machine',
      {},
      other,
      /this machine only.*allow: \[api\.example\.com\].*--allow-remote-load api\.example\.com/,
    ],
    ['a machine that the profile alone allows', {}, allowed, /confirm it with --allow-remote-load api\.example\.com/],
    [
      'a machine that the command line alone allows',
      { allowRemoteLoad: 'api.example.com' },
      other,
      /this machine only/,
    ],
    ['another one than was allowed', { allowRemoteLoad: 'api.example.org' }, allowed, /confirm it with/],
    [
      'a host that is not the address',
      { allowRemoteLoad: 'api.example.com' },
      {},
      /names api\.example\.com, and the load would go to 127\.0\.0\.1/,
    ],
    ['more than is usual', { rate: 1001 }, {}, /1001 .* more than the 1000.*load\.max_rate/],
    ['more than the profile allows', { rate: 21 }, { load: { max_rate: 20 } }, /more than the 20/],
    [
      'more than the profile allows, at the height of a spike',
      { scenario: 'spike', rate: 15 },
      { load: { max_rate: 20 } },
      /30 requests/,
    ],
    [
      'longer than the profile allows',
      { duration: 61_000 },
      { load: { max_duration: '1m' } },
      /64 s, but only 60 s are allowed/,
    ],
    ['no key', {}, { keys: {} }, /needs a key/],
    ['one key for two', { scenario: 'isolation' }, { load: { keys: ['main'] } }, /needs two keys/],
    ['an unknown limit', { scenario: 'limits' }, {}, /which limit\? say --limit/],
    ['no actor', {}, { actors: {} }, /needs an actor with an input/],
    ['sources', {}, { load: { actor: 'harvest' } }, /names sources/],
    [
      'a rate for a closed loop',
      { scenario: 'smoke', rate: 5, workers: 2 },
      {},
      /--rate and --workers need a scenario of k6/,
    ],
    ['connections for a schedule', { connections: 5 }, {}, /--connections is for smoke/],
    ['no addresses', { addresses: 'here' }, {}, /are no addresses/],
    ['a name for the certificate', {}, { tls: { servername: 'x.example' } }, /tls\.servername/],
  ])('%s', (_, wishes, more, says) => expect(refused(wishes, more)).toMatch(says));

  test('both together are allowed', () => {
    expect(planOf({ allowRemoteLoad: 'api.example.com' }, allowed).settings.perSecond).toBe(10);
  });
});

test.each([
  ['127.0.0.1', true],
  ['127.8.9.1', true],
  ['localhost', true],
  ['a.localhost', true],
  ['[::1]', true],
  ['127.0.0.1.example.com', false],
  ['10.0.0.1', false],
  ['localhost.example.com', false],
  ['0.0.0.0', false],
])('%s is this machine: %s', (host, is) => expect(isLoopback(host)).toBe(is));

test.each([
  ['127.0.0.2', 1],
  ['127.0.0.2-127.0.0.5', 4],
  ['127.1.0.0/24', 254],
  ['127.0.0.2, ::1', 2],
  ['127.0.0.9-127.0.0.2', undefined],
  ['127.0.0.256', undefined],
  ['127.0.0.0/8', undefined],
  ['', undefined],
])('%s: %s addresses', (ranges, count) => expect(countAddresses(ranges)).toBe(count));
