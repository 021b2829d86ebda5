import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import { Secret } from '../model/secret.ts';
import { defaultProfile, parseProfile, profileFrom } from './parse.ts';
import type { Profile } from './profile.ts';

const env = { AES_KEY: 'vk_live_one', AES_TEST_KEY: 'vk_test_two', ADMIN: 'adm-three', CONC: '4' };
const files: Record<string, string> = { './free': 'vk_live_free\n', './ca.pem': '-----BEGIN CERTIFICATE-----\n' };
const options = { source: 'touchstone.yaml', env, readFile: (path: string): string => files[path] ?? '' };

/** § stands for a dollar, which template strings would take for their own. */
const read = (text: string, more: { address?: string; env?: Record<string, string>; source?: string } = {}): Profile =>
  parseProfile(text.replaceAll('§', '$'), { ...options, ...more });

const full = `
address: https://host:8443/pre/fix/
keys:
  main:    { value: "§{env:AES_KEY}", tier: pro }
  testing: { value: "§{env:AES_TEST_KEY}", tier: pro }
  limited: { value: "§{file:./free}", tier: free, role: restricted, features: [] }
  spare: { value: vk_live_spare, test: true, expendable: true, id: "7" }
tiers: [free, pro]
actors:
  clean:      [{ name: catalogue, input: { text: "hello {{{{ who }}}} {{ nonce }}" } }, { name: other, schema_at: /data/schema }]
  echo:       { name: parrot, input: { text: "{{nonce}}" } }
  sources:    { name: feeds, input: { urls: ["{{source.ok}}", "{{source.ok2}}"] } }
  restricted: [{ name: reports, input: { a: 1 }, by: tier }, { name: maps, needs: { tier: pro, feature: geo } }]
admin:
  token: "§{env:ADMIN}"
  tier: pro
  create: { body: { tier: "{tier}" }, id: /id, show_tier: /tier, hash: /hash, success: 201 }
  list: {}
  revoke: { path: /v1/admin/keys, query: { key: "{id}", why: "a b" } }
  change: { body: { tier: free } }
disabled: { address: "http://127.0.0.1:8081", key: "§{env:AES_KEY}" }
bounds: { timeout: 3s, patience: 90, max_body: 64kB }
headers: { X-Proxy-Auth: "§{env:ADMIN}", X-Plain: b }
tls: { ca: ./ca.pem }
concurrency: "§{env:CONC}"
strict:
`;

describe('a full profile', () => {
  const profile = read(full);

  test('is resolved with its defaults', () => {
    expect(JSON.parse(JSON.stringify({ ...profile, digest: '' }))).toEqual({
      source: 'touchstone.yaml',
      folder: '.',
      origin: 'https://host:8443',
      basePath: '/pre/fix',
      keys: [
        { name: 'main', role: 'entitled', kind: 'live', tier: 'pro', secret: '«main»' },
        { name: 'testing', role: 'entitled', kind: 'test', tier: 'pro', secret: '«testing»' },
        { name: 'limited', role: 'restricted', kind: 'live', tier: 'free', secret: '«limited»', features: [] },
        { name: 'spare', role: 'entitled', kind: 'live', secret: '«spare»', expendable: { id: '7' } },
      ],
      tierOrder: ['free', 'pro'],
      grants: {},
      actors: [
        { name: 'catalogue', role: 'clean', input: { text: 'hello {{{{ who }}}} {{ nonce }}' } },
        { name: 'other', role: 'clean', schemaAt: '/data/schema' },
        { name: 'parrot', role: 'echo', input: { text: '{{nonce}}' } },
        { name: 'feeds', role: 'sources', input: { urls: ['{{source.ok}}', '{{source.ok2}}'] } },
        {
          name: 'reports',
          role: 'restricted',
          input: { a: 1 },
          entitled: 'main',
          restricted: 'limited',
          needs: { features: [], tiers: { enough: ['pro'], tooLow: ['free'] } },
        },
        {
          name: 'maps',
          role: 'restricted',
          entitled: 'main',
          restricted: 'limited',
          needs: { features: ['geo'], tiers: { enough: ['pro'], tooLow: ['free'] } },
        },
      ],
      admin: {
        path: '/v1/admin/keys',
        header: 'X-Admin-Token',
        token: '«admin-token»',
        create: { method: 'POST', path: '/v1/admin/keys', body: { tier: '{tier}' }, success: [201] },
        list: { method: 'GET', path: '/v1/admin/keys' },
        revoke: { method: 'DELETE', path: '/v1/admin/keys?key={id}&why=a%20b' },
        change: { method: 'PATCH', path: '/v1/admin/keys/{id}', body: { tier: 'free' } },
        at: { key: '/key', id: '/id', tier: '/tier', hash: '/hash' },
        tier: 'pro',
        features: ['geo'],
        featuresUnknown: true,
        environments: { live: 'live', test: 'test' },
      },
      disabled: { origin: 'http://127.0.0.1:8081', basePath: '', key: '«disabled-key»' },
      sources: { listen: '127.0.0.1', port: 0, body: '[{"token":"{{token}}"}]', contentType: 'application/json' },
      bounds: {
        timeoutMs: 3000,
        deadlineMs: 60_000,
        patienceMs: 90_000,
        maxWaitMs: 120_000,
        upstreamMs: 30_000,
        upstreamStated: false,
        revocationMs: 5000,
        maxBodyBytes: 64_000,
      },
      limits: {
        budgeted: false,
        maxRequests: 10_000,
        maxSeconds: 300,
        quick: false,
        trials: 10,
        allow: false,
        declared: { tiers: {}, tolerance: 0.1 },
      },
      headers: [
        ['X-Proxy-Auth', '«header:X-Proxy-Auth»'],
        ['X-Plain', 'b'],
      ],
      tls: { ca: '-----BEGIN CERTIFICATE-----\n', insecure: false },
      identify: false,
      strict: false,
      complete: false,
      concurrency: 4,
      digest: '',
    });
  });

  test('holds its secrets, and prints none of them', () => {
    const values = profile.keys.map(({ secret }) => Secret.reveal(secret));
    expect(values).toEqual(['vk_live_one', 'vk_test_two', 'vk_live_free', 'vk_live_spare']);
    for (const value of [...values, 'adm-three'])
      expect(inspect(profile, { depth: 9 }) + JSON.stringify(profile)).not.toContain(value);
  });

  test('has a digest that does not depend on secrets, order or place, but on what is said', () => {
    const other = read(full, { source: 'elsewhere', env: { ...env, AES_KEY: 'vk_live_new' } });
    expect(other.digest).toBe(profile.digest);
    const [first, second] = ['tiers: [free, pro]\n', 'tls: { ca: ./ca.pem }\n'];
    expect(read(full.replace(first, '').replace(second, second + first)).digest).toBe(profile.digest);
    expect(read(full.replace('timeout: 3s', 'timeout: 4s')).digest).not.toBe(profile.digest);
  });
});

const at = 'address: http://a:1\n';

test('plain secrets are taken where they open nothing of worth', () => {
  const profile = read(`${at}keys: { a: { value: vk_live_x, test: true } }\nadmin: { token: t, test: true }`);
  expect(profile.keys[0]?.name).toBe('a');
  expect(profile.admin?.token?.name).toBe('admin-token');
});

test('who may run what follows from facts, with what a tier grants; nobody whom they bar is taken for the entitled one', () => {
  const withKeys = (keys: string) =>
    read(`${at}tiers: [hobby, team, corp]
grants: { corp: [bulk] }
keys: {${keys}}
actors: { restricted: { name: vault, needs: { tier: team, features: [geo, bulk] } } }
`).actors.map(({ entitled, restricted }) => [entitled, restricted]);
  const barred = 'main: { value: vk_live_1, test: true, tier: team, features: [geo] }';
  expect(withKeys(`${barred}, top: { value: vk_live_2, test: true, tier: corp, features: [geo] }`)).toEqual([
    ['top', 'main'],
  ]);
  expect(withKeys(barred)).toEqual([[undefined, 'main']]);
});

test('an input keeps its names, whatever they are, and references in it are filled in', () => {
  const text = `${at}actors: { clean: { name: a, input: { __proto__: 1, x: "§{env:CONC} §§{env:CONC}" } } }`;
  expect(JSON.stringify(read(text).actors[0]?.input)).toBe('{"__proto__":1,"x":"4 §{env:CONC}"}'.replace('§', '$'));
});

test('JSON is a profile too', () => {
  expect(read('{\n\t"address": "http://a:1",\n\t"tiers": [\n\t\t"x"]\n}').tierOrder).toEqual(['x']);
});

test('the address of the command line wins, and its faults have no line', () => {
  expect(read('strict: true', { address: 'http://b:2' }).origin).toBe('http://b:2');
  expect(() => read(at, { address: 'b:2' })).toThrow('the command line: address: must begin with');
});

describe('the environment', () => {
  const secrets = {
    TOUCHSTONE_API_KEY: 'vk_live_1',
    TOUCHSTONE_TEST_KEY: '',
    TOUCHSTONE_RESTRICTED_KEY: 'vk_live_2',
    TOUCHSTONE_ADMIN_TOKEN: 'adm',
  };

  test('is a profile with an address', () => {
    const { keys, admin, source } = defaultProfile({ address: 'http://a:1/p', env: secrets });
    expect(keys.map(({ name, role }) => `${name} ${role}`)).toEqual(['main entitled', 'limited restricted']);
    expect(admin).toMatchObject({ path: '/v1/admin/keys', token: { name: 'admin-token' } });
    expect(source).toBe('the command line');
  });

  test('fills what a profile leaves out, and nothing else', () => {
    const filled = read(`${at}admin: { list: {} }`, { env: secrets });
    expect(filled.keys.map(({ name }) => name)).toEqual(['main', 'limited']);
    expect(filled.admin?.token?.name).toBe('admin-token');
    const own = read(`${at}keys: { mine: "§{env:AES_KEY}" }`, { env: { ...env, ...secrets } });
    expect(own.keys.map(({ name }) => name)).toEqual(['mine']);
  });
});

test('a value that is no JSON is refused by its path', () => {
  const loop: Record<string, unknown> = {};
  loop.loop = loop;
  const actors = { clean: [{ name: 'a', input: loop }] };
  const value = { address: 'http://a:1', actors, tiers: [() => 1, Number.NaN] };
  expect(() => profileFrom(value, { ...options, source: 'touchstone.ts' })).toThrow(
    /actors\.clean\[0\]\.input\.loop: contains itself\n.*tiers\[0\]: .*function\n.*tiers\[1\]: expected a finite number/,
  );
});

test('what is sent keeps its numbers as they are written; settings are numbers', () => {
  const written = `${at}concurrency: 8.0
actors:
  clean: { name: a, input: { price: 2.50, account: 9007199254740993, tiny: 1e-400, plain: 7, hex: 0x10 } }
admin: { token: "§{env:ADMIN}", create: { body: { quota: 18446744073709551615 } } }
`;
  const { actors, admin, concurrency } = read(written, { env });
  expect(JSON.stringify(actors[0]?.input)).toBe(
    '{"price":2.50,"account":9007199254740993,"tiny":1e-400,"plain":7,"hex":16}',
  );
  expect(JSON.stringify(admin?.create?.body)).toBe('{"quota":18446744073709551615}');
  expect(concurrency).toBe(8);
  const raw = (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON('0.10');
  const value = { address: 'http://a:1', actors: { clean: [{ name: 'a', input: { one: 2n ** 70n, other: raw } }] } };
  expect(JSON.stringify(profileFrom(value, { ...options, source: 'touchstone.ts' }).actors[0]?.input)).toBe(
    '{"one":1180591620717411303424,"other":0.10}',
  );
});
