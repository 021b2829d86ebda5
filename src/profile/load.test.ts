import { expect, test } from 'vitest';
import { profileFrom } from './parse.ts';
import { ProfileError } from './problems.ts';
import { share } from './scalars.ts';
import type { ProfileInput } from './shape.ts';

const read = (load: ProfileInput['load']) =>
  profileFrom(
    {
      address: 'http://127.0.0.1:1',
      keys: { main: { value: 'vk_live_0123456789', test: true } },
      actors: { echo: { name: 'relay', input: { message: '{{nonce}}' } } },
      load,
    },
    { source: 'a profile', env: {}, readFile: () => '' },
  );

test('what is left out stays left out, and thresholds are in microseconds and shares', () => {
  expect(read({})!.load).toEqual({ allow: [], mix: [], thresholds: [] });
  const { load, limits } = read({ latency: { 'p99.9': '1.5s' }, admitted: 0.95, limits: { key: { per_second: 0.5 } } });
  expect(limits.declared.tiers).toEqual({ '': { requests: 0.5, perMs: 1000 } });
  expect(load).toEqual({
    allow: [],
    mix: [],
    thresholds: [
      { name: 'latency.p99.9', demanded: '1.5s', bound: 1_500_000 },
      { name: 'admitted', demanded: '0.95', bound: 0.95 },
    ],
  });
});

test.each<[ProfileInput['load'], RegExp]>([
  [{ keys: ['mian'] }, /there is no key `mian`.*main/],
  [{ actor: 'rely' }, /there is no actor `rely`.*relay/],
  [{ mix: { 'read rely': 1 } }, /there is no actor `rely`.*relay/],
  [{ mix: { relay: 0 } }, /a whole number from 1 to 1000/],
  [{ max_rate: 0 }, /a number above 0/],
  [{ rate: 1e9 }, /at most 100000/],
  [{ duration: '0s' }, /a duration such as/],
  [{ errors: '200%' }, /a share such as/],
  [{ latency: { q99: '1s' } }, /percentile|p99/],
  [{ addresses: 'here and there' }, /addresses such as/],
  [{ rte: 5 } as never, /rte/],
])('%o is refused', (load, says) => {
  expect(() => read(load)).toThrow(ProfileError);
  expect(() => read(load)).toThrow(says);
});

test.each([
  ['0.1%', 0.001],
  ['100%', 1],
  [0.5, 0.5],
  ['1', 1],
  ['101%', undefined],
  ['-1%', undefined],
  ['x', undefined],
])('the share %s is %s', (text, value) =>
  value === undefined ? expect(share(text)).toBeUndefined() : expect(share(text)).toBeCloseTo(value, 9),
);
