/** `init` and `doctor` as people meet them, on services that are what they should be, and on others. */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Serving, seedsOf, serve } from '../../fixtures/service/index.ts';
import { adminToken, matrixKeys } from '../../proofs/matrix/try-on.ts';
import { cachedK6 } from '../load/k6/cache.ts';
import { bin, patience, place } from './testing.ts';

const { folder, touchstone } = place();
const started: { close(): unknown }[] = [];
let service: Serving;
let throttled: Serving;

const key = { TOUCHSTONE_API_KEY: matrixKeys.entitled.key };
const everything = {
  ...key,
  TOUCHSTONE_TEST_KEY: matrixKeys.entitledTest.key,
  TOUCHSTONE_RESTRICTED_KEY: matrixKeys.free.key,
  TOUCHSTONE_ADMIN_TOKEN: adminToken,
};

const read = (within: string, name = 'touchstone.yaml'): string => readFileSync(join(folder, within, name), 'utf8');

beforeAll(async () => {
  const common = { host: '127.0.0.1', port: 0, keys: seedsOf(matrixKeys), adminToken, upstreamTimeoutMs: 5000 };
  const one = { burst: 1, perSecond: 1 };
  service = await serve(common);
  throttled = await serve({ ...common, keyLimits: { pro: one }, addressLimit: one });
  started.push(service, throttled);
});
afterAll(async () => {
  for (const each of started) await each.close();
});

async function listening(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  started.push(server);
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Writes down what passes through on its way to the service. */
async function watched(): Promise<{ readonly url: string; readonly asked: string[] }> {
  const asked: string[] = [];
  const server = createServer((incoming, outgoing) => {
    asked.push(`${incoming.method} ${incoming.url}`);
    const { host: _, ...headers } = incoming.headers;
    const onward = request(service.url + incoming.url, { method: incoming.method ?? 'GET', headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(outgoing);
    });
    incoming.pipe(onward);
  });
  return { url: await listening(server), asked };
}

describe.concurrent('init', patience, () => {
  test('finds out what actors are good for; the profile passes doctor, and check takes it', async () => {
    const actors = 'text-digest,message-relay,page-harvest,market-scan,none-of-this-name';
    const how = { env: everything, within: 'whole' };
    const args = ['--yes', '--actor', actors, '--run', '--pipeline', 'github'];
    const made = await touchstone(['init', service.url, ...args], how);
    expect(made.err).toBe('');
    expect(made.out).toContain('Key main (TOUCHSTONE_API_KEY): works, tier pro.');
    expect(made.out).toContain('Actor page-harvest: reads the addresses in its input.');
    expect(made.out).toContain('refuses the key limited');
    expect(made.out).toContain('Actor none-of-this-name: not usable: 404');
    expect(made.out).toMatch(
      /Error codes: 401 unauthorized, .*404 unknown_actor.*\nAdmin interface: the token opens it\.\nRate limits: not near\./,
    );
    expect(made.code).toBe(0);
    const profile = read('whole');
    expect(profile).toContain('- { name: "message-relay", input: {"message":"{{nonce}}"} }');
    expect(profile).toContain('"urls":["{{source.ok}}","{{source.ok2}}"]');
    for (const secret of Object.values(everything)) expect(profile + made.out).not.toContain(secret);
    expect(read('whole', '.github/workflows/touchstone.yml')).toContain('secrets.TOUCHSTONE_RESTRICTED_KEY');

    const [examined, checked] = await Promise.all([
      touchstone(['doctor'], how),
      touchstone(['check', '--depth', 'quick', '--skip', 'partial,upstream,error'], how),
    ]);
    expect(examined).toMatchObject({ code: 0, err: '' });
    expect(examined.out).toContain('the token opens the admin interface');
    expect(examined.out).toContain('the service reaches our sources');
    expect(checked.out).toContain('CONFORMS, as far as tested');
    expect(checked.code).toBe(0);
  });

  test('reads only, where nobody said otherwise; what was not tried stays a comment', async () => {
    const { url, asked } = await watched();
    const { code, out } = await touchstone(['init', url, '--actor', 'text-digest', '--yes'], {
      env: key,
      within: 'reads',
    });
    expect(code).toBe(0);
    expect(out).toContain('a valid input was made from its schema, but not tried');
    expect(asked.length).toBeGreaterThan(4);
    expect(asked.filter((each) => !each.startsWith('GET '))).toEqual([]);
    expect(read('reads')).toContain('#   clean: { name: "text-digest"');
    expect((await touchstone(['doctor'], { env: key, within: 'reads' })).code).toBe(0);
  });

  test('without a key: a profile that waits for one, which doctor says', async () => {
    const { code, out } = await touchstone(['init', service.url, '--yes'], { within: 'keyless' });
    expect(out).toContain('read -rs TOUCHSTONE_API_KEY && export TOUCHSTONE_API_KEY');
    expect(code).toBe(0);
    const examined = await touchstone(['doctor', '--json'], { within: 'keyless' });
    expect(examined.code).toBe(3);
    const found = JSON.parse(examined.out);
    expect(found.points).toContainEqual(expect.objectContaining({ name: 'keys', state: 'problem' }));
    expect(found.areas.find((row: { area: string }) => row.area === 'verify').can).toEqual([]);
    // The variable alone is enough from here on.
    expect((await touchstone(['doctor'], { within: 'keyless', env: key })).code).toBe(0);
  });

  test('with a key that is refused: said, and not written as if it worked', async () => {
    const env = { MY_KEY: 'vk_live_00000000000000000000000000000000' };
    const { code, out } = await touchstone(['init', service.url, '--yes', '--key-env', 'MY_KEY'], {
      env,
      within: 'refused',
    });
    expect(out).toContain('Key main (MY_KEY): refused: 401');
    expect(read('refused')).toMatch(/^ {2}# main: .*MY_KEY.*# refused: 401/m);
    expect(code).toBe(0);
  });

  test('on a service with one request a second: waits for Retry-After, and reports that limits are near', async () => {
    const how = { env: key, within: 'throttled' };
    const { code, err, out } = await touchstone(['init', throttled.url, '--yes', '--actor', 'message-relay'], how);
    expect(err).toContain('rate-limited: waiting');
    expect(out).toMatch(/Rate limits: near; this run waited \d/);
    expect(read('throttled')).toMatch(/^concurrency: 1$/m);
    expect(code).toBe(0);
  });

  test('interrupted: exit code 130, nothing written', async () => {
    const how = { env: key, within: 'interrupted', interruptAt: ['rate-limited'] };
    const { code, err } = await touchstone(['init', throttled.url, '--yes'], how);
    expect(err).toContain('Interrupted: nothing was written.');
    expect(code).toBe(130);
    expect(readdirSync(join(folder, 'interrupted'))).toEqual([]);
  });

  test('against something that is no such service: asks it little, writes nothing', async () => {
    const asked: string[] = [];
    const page = '<html>\u001b]0;owned\u0007 hello</html>';
    const url = await listening(
      createServer((incoming, outgoing) => {
        asked.push(`${incoming.url}`);
        outgoing.writeHead(200, { 'content-type': 'text/html' }).end(page);
      }),
    );
    const { code, err } = await touchstone(['init', url, '--yes'], { env: key, within: 'strange' });
    expect(err).toContain('does not look like an Actor Execution Service: GET /v1/auth/verify got 200, text/html');
    expect(err).toMatch(/Next: .* \[no-such-service\]\n$/);
    expect(code).toBe(2);
    expect(asked.length).toBeLessThan(5);
    expect(readdirSync(join(folder, 'strange'))).toEqual([]);
  });

  test('a service that says to come back in an hour: said as what it is, exit code 3', async () => {
    const url = await listening(
      createServer((_, outgoing) => {
        const headers = { 'content-type': 'application/json', 'retry-after': '3600' };
        outgoing.writeHead(429, headers).end('{"error":"rate_limited","detail":"Not now.","actor":""}');
      }),
    );
    const { code, err } = await touchstone(['init', url, '--yes'], { env: key, within: 'later' });
    expect(err).toContain('[too-limited]');
    expect(code).toBe(3);
    const examined = await touchstone(['doctor', url], { env: key });
    expect(examined.out).toMatch(/✗ key main +verifying it got/);
    expect(examined.code).toBe(3);
  });

  test('against nobody: exit code 4', async () => {
    const { code, err } = await touchstone(['init', 'http://127.0.0.1:9', '--yes'], { within: 'nobody' });
    expect(err).toContain('[not-reachable]');
    expect(code).toBe(4);
  });

  test('where it cannot write, it asks nobody anything', async () => {
    const { url, asked } = await watched();
    // Not even root writes there.
    const child = spawn(process.execPath, [bin, 'init', url, '--yes'], { cwd: '/proc/self', env: key });
    let err = '';
    child.stderr.on('data', (text) => {
      err += text;
    });
    expect(await new Promise((resolve) => child.on('close', resolve))).toBe(2);
    expect(err).toContain('[cannot-write]');
    expect(asked).toEqual([]);
  });

  test('overwrites nothing: not a profile, and not what else is there', async () => {
    await touchstone(['doctor'], { within: 'there' });
    writeFileSync(join(folder, 'there/touchstone.waivers.yaml'), 'mine');
    const first = await touchstone(['init', service.url, '--yes'], { env: key, within: 'there' });
    expect(first.out).toContain('touchstone.waivers.yaml exists and stays unchanged.');
    expect(read('there', 'touchstone.waivers.yaml')).toBe('mine');
    const before = read('there');
    const second = await touchstone(['init', service.url, '--yes'], { env: key, within: 'there' });
    expect(second.err).toContain('[profile-exists]');
    expect(second.code).toBe(2);
    // A gate is added to the profile that is there, and nobody needs a key for that.
    const gate = await touchstone(['init', service.url, '--yes', '--pipeline', 'github'], { within: 'there' });
    expect([gate.code, gate.err]).toEqual([0, '']);
    expect(gate.out).toContain('Wrote .github/workflows/touchstone.yml.');
    expect(read('there', '.github/workflows/touchstone.yml')).toContain('secrets.TOUCHSTONE_API_KEY');
    expect(read('there')).toBe(before);
    const wrong = ['init', service.url, '--pipeline', 'gitlab', '--package', '$(touch pwned)'];
    expect(await touchstone(wrong, { within: 'there' })).toMatchObject({
      code: 2,
      err: expect.stringContaining('cannot be a package for npm'),
    });
  });
});

describe.concurrent('doctor', patience, () => {
  const profileIn = async (within: string, text: string): Promise<string> => {
    await touchstone(['--version'], { within });
    writeFileSync(join(folder, within, 'touchstone.yaml'), text);
    return within;
  };

  test('the exit code is that of the heaviest problem', async () => {
    const wrongKey = `address: ${service.url}\nkeys: { main: { value: vk_live_nothing_of_worth, test: true } }\n`;
    const [nobody, refused, none] = await Promise.all([
      touchstone(['doctor', 'http://127.0.0.1:9'], { env: key }),
      touchstone(['doctor'], { within: await profileIn('wrong-key', wrongKey) }),
      touchstone(['doctor'], { within: 'empty' }),
    ]);
    expect(nobody.code).toBe(4);
    expect(nobody.out).toMatch(/✗ service +http:\/\/127\.0\.0\.1:9/);
    expect(nobody.out, 'the table is there all the same').toMatch(/^verify +\d/m);
    expect(refused.code).toBe(2);
    expect(refused.out).toMatch(/✗ key main +it is refused: 401/);
    expect(none).toMatchObject({ code: 2, out: '' });
    expect(none.err).toContain('[no-address]');
  });

  test('sources that the service cannot reach, a token that opens nothing, an actor that is not there', async () => {
    const text = `address: ${service.url}
keys: { main: "\${env:TOUCHSTONE_API_KEY}" }
actors:
  clean: { name: nowhere, input: {} }
  sources: { name: page-harvest, input: { urls: ["{{source.ok}}"] } }
admin: { token: wrong, test: true, list: { method: GET } }
disabled: { address: "http://127.0.0.1:9" }
sources: { advertise: "127.0.0.1:9" }
`;
    const { code, out: told } = await touchstone(['doctor'], { env: key, within: await profileIn('sourceless', text) });
    // Lines are broken between words.
    const out = told.replaceAll(/\s+/g, ' ');
    expect(out).toMatch(/✗ sources +a run of page-harvest got 50[24].* never read our source/);
    expect(out).toMatch(/✗ admin +listing keys with the token got 401/);
    expect(out).toMatch(/✗ disabled +the second instance: /);
    expect(out).toMatch(/✗ actor nowhere +reading it got 404/);
    expect(out).toContain('→ Set sources: { listen: 0.0.0.0, advertise: … }');
    expect(code).toBe(2);
  });

  test('a second instance that accepts admin calls is not one without a token', async () => {
    const profile = (disabled: string): string => `address: ${service.url}
keys: { main: "\${env:TOUCHSTONE_API_KEY}" }
admin: { token: "\${env:TOUCHSTONE_ADMIN_TOKEN}", list: { method: GET } }
disabled: { address: "${disabled}" }
`;
    const bare = await serve({ host: '127.0.0.1', port: 0, keys: seedsOf(matrixKeys) });
    const open = await serve({ host: '127.0.0.1', port: 0, keys: seedsOf(matrixKeys), adminToken });
    started.push(bare, open);
    const [taking, other, none] = await Promise.all([
      touchstone(['doctor'], { env: everything, within: await profileIn('open', profile(open.url)) }),
      touchstone(['doctor'], { env: everything, within: await profileIn('other', profile(bare.url)) }),
      touchstone(['doctor', bare.url], { env: key }),
    ]);
    expect(taking.out).toMatch(/! disabled +the second instance accepts admin calls/);
    expect(other.out).toMatch(/✓ disabled +the second instance answers, and accepts no admin calls/);
    expect(none.out.replaceAll(/\s+/g, ' ')).toContain('from outside it looks disabled');
    expect([taking.code, other.code, none.code]).toEqual([0, 0, 0]);
  });

  test('programs that are there, are not there, and do not answer; variables that ask for a proxy', async () => {
    const programs = async (within: string, scripts: Record<string, string>, cached?: string) => {
      await touchstone(['--version'], { within });
      const path = join(folder, within);
      const home = join(path, 'home');
      if (cached !== undefined) {
        const k6 = cachedK6({ env: {}, home });
        mkdirSync(dirname(k6), { recursive: true });
        writeFileSync(k6, `#!/bin/sh\n${cached}\n`, { mode: 0o755 });
      }
      for (const [name, script] of Object.entries(scripts))
        writeFileSync(join(path, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
      const { out } = await touchstone(['doctor', service.url, '--json'], {
        env: { ...key, HOME: home, PATH: `${path}:/bin`, HTTPS_PROXY: 'http://127.0.0.1:9' },
      });
      const { points } = JSON.parse(out) as { points: { name: string; state: string; says: string }[] };
      return Object.fromEntries(points.map(({ name, state, says }) => [name, `${state}: ${says}`]));
    };
    const [all, broken, cached] = await Promise.all([
      programs('with-all', { k6: 'echo "k6 v2.2.0 (go1.25)"', docker: 'echo 20.10.24', firefox: 'exit 1' }),
      programs('with-broken', { k6: 'exit 1', docker: 'echo "Cannot connect" >&2; exit 1' }),
      programs('with-cached', { docker: 'exit 1' }, 'echo "k6 v2.2.0 (go1.25)"'),
    ]);
    expect(all).toMatchObject({
      k6: 'ok: 2.2.0, on the path',
      docker: 'ok: engine 20.10.24',
      browser: expect.stringMatching(/^ok: /),
    });
    expect(all.proxies).toContain('note: HTTPS_PROXY: set, but not used');
    expect(broken).toMatchObject({
      k6: expect.stringMatching(/^note: .*k6: it does not run, or does not answer/),
      docker: 'note: its engine does not answer',
    });
    expect(cached).toMatchObject({ k6: 'ok: 2.2.0, cache' });
  });

  test('a member under a former name, and what it is called now', async () => {
    const text = `address: ${service.url}\nlimits: { address: { requests: 5, per: 1s } }\n`;
    const { out } = await touchstone(['doctor'], { env: key, within: await profileIn('former', text) });
    expect(out).toMatch(/! profile limits\.address +a former name.*\n +→ Write limits\.documented\.address/);
  });

  test('the line that unlocks most comes first; rules are named on demand', async () => {
    const [short, long] = await Promise.all([
      touchstone(['doctor', service.url], { env: key }),
      touchstone(['doctor', service.url, '--verbose'], { env: key }),
    ]);
    const counts = [...short.out.matchAll(/^ *(\d+) rules? {2}\w+: \{/gm)].map((match) => Number(match[1]));
    expect(counts).toHaveLength(8);
    expect(short.out).toMatch(/^\d+ more lines for \d+ rules$/m);
    expect(counts).toEqual(counts.toSorted((a, b) => b - a));
    expect(short.out).not.toContain('limit.exists');
    expect(long.out).toContain('limit.exists');
    expect(long.out).not.toContain('more line');
  });

  test('interrupted: exit code 130', async () => {
    const { code, err } = await touchstone(['doctor', throttled.url], { env: key, interruptAt: ['rate-limited'] });
    expect(err).toContain('Interrupted: there is no result.');
    expect(code).toBe(130);
  });

  test('says for each rule that cannot run the line that would unlock it', async () => {
    const { out } = await touchstone(['doctor', service.url, '--json'], { env: key });
    const { areas } = JSON.parse(out) as { areas: { area: string; cannot: { add?: string; rules: string[] }[] }[] };
    const locked = areas.flatMap(({ cannot }) => cannot);
    expect(locked.find(({ rules }) => rules.includes('partial.status'))?.add).toContain('{{source.ok}}');
    expect(locked.filter(({ add }) => add === undefined)).toEqual([]);
  });
});

const terminal = existsSync('/usr/bin/script');

test.skipIf(!terminal && process.env.CI !== 'true')(
  'init on a terminal: three answers, and the key is never shown',
  patience,
  async () => {
    const within = 'asked';
    await touchstone(['--version'], { within });
    const words = [process.execPath, bin, 'init', service.url].map((word) => `'${word}'`).join(' ');
    const command = `stty cols 120 rows 40; ${words}`;
    const child = spawn('script', ['-qec', command, '/dev/null'], {
      cwd: join(folder, within),
      env: { PATH: process.env.PATH, HOME: folder, TERM: 'xterm' },
    });
    const answers: [string, string][] = [
      ['An API key of the service', `${matrixKeys.entitled.key}\r`],
      ['Names of actors', 'text-digest\r'],
      ['a few times', 'y\r'],
    ];
    let said = '';
    child.stdout.on('data', (bytes: Buffer) => {
      said += bytes.toString();
      if (answers[0] !== undefined && said.includes(answers[0][0])) child.stdin.write(answers.shift()![1]);
    });
    const code = await new Promise((resolve) => child.on('close', resolve));
    expect(said).toContain('Wrote touchstone.yaml.');
    expect(said).not.toContain(matrixKeys.entitled.key);
    expect(answers).toEqual([]);
    expect(code).toBe(0);
    expect(read(within)).toContain('echo: { name: "text-digest"');
    expect(read(within)).not.toContain(matrixKeys.entitled.key);
  },
);
