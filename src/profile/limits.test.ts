import { expect, test } from 'vitest';
import { parseProfile } from './parse.ts';
import { ProfileError } from './problems.ts';
import { isLoopback } from './scalars.ts';

const options = {
  source: 'touchstone.yaml',
  env: {},
  readFile: (): never => {
    throw new Error('no files');
  },
};
const read = (limits: string, more = '') => parseProfile(`address: http://a:1\n${more}limits: ${limits}\n`, options);

const wrong = (limits: string, more?: string): string => {
  try {
    read(limits, more);
  } catch (error) {
    if (error instanceof ProfileError)
      return error.problems.map(({ path, message }) => `${path}: ${message}`).join('\n');
    throw error;
  }
  return '';
};

test('a budget of calls or of time alone is a budget', () => {
  expect(read('{ max_requests: 50 }').limits).toMatchObject({ budgeted: true, maxRequests: 50, maxSeconds: 300 });
  expect(read('{ max_seconds: 20 }').limits).toMatchObject({ budgeted: true, maxRequests: 10_000, maxSeconds: 20 });
  expect(read('{ allow: true, route: run }').limits).toMatchObject({ budgeted: false, allow: true, route: 'run' });
});

test('what is said of limits', () => {
  const { limits } = read(
    '{ trials: certify, addresses: [127.0.0.1, "::1"], tiers: { free: { requests: 60, per: 1m, burst: 5 } }, address: { requests: 9, per: 2 } }',
  );
  expect(limits).toMatchObject({ trials: 59, addresses: ['127.0.0.1', '::1'] });
  expect(limits.declared).toEqual({
    tiers: { free: { requests: 60, perMs: 60_000, burst: 5 } },
    address: { requests: 9, perMs: 2000 },
    tolerance: 0.1,
  });
  expect(read('{ trials: 3 }').limits.trials).toBe(3);
  expect(read('{ trials: gate }').limits.trials).toBe(10);
});

test.for([
  ['{ max_requests: 0 }', 'limits.max_requests: expected a whole number from 1'],
  ['{ max_seconds: 1.5 }', 'limits.max_seconds: expected a whole number of seconds'],
  ['{ trials: often }', 'limits.trials: expected `gate` or `certify`'],
  ['{ addresses: [localhost] }', 'limits.addresses[0]: expected an IP address'],
  ['{ addresses: [] }', 'limits.addresses: expected a list of IP addresses'],
  ['{ trusted_header: "X Forwarded" }', 'limits.trusted_header: expected the name of a header'],
  ['{ route: admin }', 'limits.route: expected `verify` or `read` or `run`'],
  ['{ tiers: { free: { requests: 5, per: soon } } }', 'limits.tiers.free.per: expected a duration'],
  ['{ tiers: { free: { requests: 5, per: 0 } } }', 'limits.tiers.free.per: expected a duration'],
  ['{ address: { per: 1s } }', 'limits.address.requests'],
  ['{ tolerance: 5 }', 'limits.tolerance: expected a share from 0 to 1'],
  ['{ max_request: 5 }', 'did you mean `max_requests`?'],
] as const)('%s', ([limits, says]) => {
  expect(wrong(limits)).toContain(says);
});

const keys =
  'keys: { a: { value: vk_live_0123456789, tier: free, test: true }, b: { value: vk_live_9876543210, test: true } }\n';

test('documented limits: by tier, and for every other key, with a tier or without', () => {
  const documented =
    '{ documented: { tiers: { free: { requests: 60, per: 1m } }, key: { requests: 5, per: 1 }, address: { requests: 9, per: 2 } } }';
  expect(read(documented, `tiers: [free, pro]\n${keys}`).limits.declared).toEqual({
    tiers: {
      free: { requests: 60, perMs: 60_000 },
      '': { requests: 5, perMs: 1000 },
      pro: { requests: 5, perMs: 1000 },
    },
    address: { requests: 9, perMs: 2000 },
    tolerance: 0.1,
  });
});

test('the members of before say the same', () => {
  const now =
    '{ documented: { tiers: { free: { requests: 5, per: 1s, burst: 7 } }, address: { requests: 9, per: 1s } } }';
  const before = [
    ['{ tiers: { free: { requests: 5, per: 1s, burst: 7 } }, address: { requests: 9, per: 1s } }', ''],
    ['{}', 'load: { keys: [a], limits: { key: { per_second: 5, burst: 7 }, address: { per_second: 9 } } }\n'],
    // Each says what the other leaves open.
    [
      '{ documented: { tiers: { free: { requests: 5, per: 1s } } }, address: { requests: 9, per: 1s } }',
      'load: { keys: [a], limits: { key: { per_second: 5, burst: 7 } } }\n',
    ],
  ] as const;
  const right = read(now, keys).limits.declared;
  for (const [limits, load] of before) expect(read(limits, keys + load).limits.declared, limits).toEqual(right);
});

test.for([
  [
    '{ documented: { address: { requests: 9, per: 1s } }, address: { requests: 8, per: 1s } }',
    '',
    'limits.address: contradicts `limits.documented.address` (9 in 1 s); remove this one',
  ],
  [
    '{ documented: { tiers: { free: { requests: 5, per: 1s, burst: 2 } } }, tiers: { free: { requests: 5, per: 1s, burst: 3 } } }',
    '',
    'limits.tiers.free: contradicts `limits.documented.tiers.free` (5 in 1 s, 2 at once)',
  ],
  [
    '{ tiers: { free: { requests: 60, per: 1m } } }',
    'load: { limits: { key: { per_second: 2 } } }\n',
    'load.limits.key: contradicts `limits.tiers.free` (60 in 60 s)',
  ],
  [
    '{ documented: { key: { requests: 60, per: 1m } } }',
    'load: { keys: [b], limits: { key: { per_second: 2 } } }\n',
    'load.limits.key: contradicts `limits.documented.key`',
  ],
  [
    '{ address: { requests: 60, per: 1m } }',
    'load: { limits: { address: { per_second: 2 } } }\n',
    'load.limits.address: contradicts `limits.address`',
  ],
] as const)('two statements that contradict each other: %s %s', ([limits, load, says]) => {
  expect(wrong(limits, keys + load)).toContain(says);
});

test('a contradiction is where the member of before stands', () => {
  const text = '{ documented: { address: { requests: 9, per: 1s } }, address: { requests: 8, per: 1s } }';
  try {
    read(text);
    expect.unreachable();
  } catch (error) {
    const [problem] = (error as ProfileError).problems;
    expect(problem).toMatchObject({ mistake: 'profile-contradiction', line: 2, column: 62 });
  }
});

test('the members of before are no suggestion', () => {
  expect(wrong('{ documentd: { address: { requests: 9, per: 1s } } }')).toContain('did you mean `documented`?');
  expect(wrong('{ tier: {} }')).not.toMatch(/`tiers`|tiers,/);
});

test('a tier that there is not', () => {
  expect(wrong('{ documented: { tiers: { fre: { requests: 5, per: 1s } } } }', 'tiers: [free, pro]\n')).toContain(
    'limits.documented.tiers.fre: `fre` is not one of `tiers`; did you mean `free`?',
  );
  expect(wrong('{ tiers: { fre: { requests: 5, per: 1s } } }', 'tiers: [free, pro]\n')).toContain(
    'limits.tiers.fre: `fre` is not one of `tiers`; did you mean `free`?',
  );
});

test('which addresses are of this machine', () => {
  for (const own of ['http://127.0.0.1:80', 'https://localhost', 'http://[::1]:9', 'http://127.9.8.7:1'])
    expect(isLoopback(own), own).toBe(true);
  for (const other of ['http://127.0.0.1.example.org', 'http://localhost.example', 'http://10.0.0.1', 'http://a:1'])
    expect(isLoopback(other), other).toBe(false);
});
