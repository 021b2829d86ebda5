/** Services as programs: good ones, and all that can be wrong with one. Nothing of any is left afterwards. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { type OpenTarget, openTarget, TargetError } from './index.ts';
import { thisOwner } from './owner.ts';
import { env, leftOf, misbehaving, misbehavingTarget, profileOf, referenceService } from './testing.ts';

const folder = mkdtempSync(join(tmpdir(), 'touchstone-target-'));
const everyOwner = thisOwner();

afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  expect(await leftOf(everyOwner)).toEqual([]);
});

const status = async (url: string, headers: Record<string, string> = {}): Promise<number> =>
  (await fetch(url, { headers })).status;

async function opened<T>(
  profile: Parameters<typeof openTarget>[0],
  work: (target: OpenTarget) => Promise<T>,
): Promise<T> {
  const target = await openTarget(profile, { env: { ...process.env, ...env } });
  try {
    return await work(target);
  } finally {
    await target.close();
    await expect(fetch(target.profile.origin)).rejects.toThrow();
  }
}

/** What is said where it does not start. */
async function refused(profile: Parameters<typeof openTarget>[0]): Promise<TargetError> {
  const error = await openTarget(profile, { env: { ...process.env, ...env } }).then(
    async (target) => {
      await target.close();
      throw new Error('it started');
    },
    (rejected: unknown) => rejected,
  );
  expect(error).toBeInstanceOf(TargetError);
  expect(await leftOf(everyOwner)).toEqual([]);
  return error as TargetError;
}

const token = '${env:ADMIN_TOKEN}';
const reference = (more: Record<string, unknown> = {}, around: Record<string, unknown> = {}) =>
  profileOf({
    target: { command: [process.execPath, referenceService, '--port', '{port}'], env: { ADMIN_TOKEN: token }, ...more },
    admin: { token, create: { body: { tier: 'pro' }, id: '/id' }, list: {} },
    ...around,
  });

describe('the reference service as a command', () => {
  test('is started, and beside it one without the admin token', async () => {
    await opened(reference(), async ({ profile, control, remarks }) => {
      const headers = { 'x-admin-token': env.ADMIN_TOKEN };
      expect(profile.target).toBeUndefined();
      expect(await status(`${profile.origin}/v1/admin/keys`, headers)).toBe(200);
      expect(await status(`${profile.disabled?.origin}/v1/admin/keys`, headers)).not.toBe(200);
      // Its only key is nobody's here, so none of ours is known to it.
      expect(profile.disabled?.strange).toBe(true);
      expect(Object.keys(control.lacks ?? {})).toEqual(['admin.dump']);
      expect(remarks).toEqual([]);
    });
  });

  test('comes back at the same address, with what its database holds', async () => {
    const database = join(folder, 'keys.sqlite');
    const profile = reference({ env: { ADMIN_TOKEN: token, DATABASE: database }, store: { path: database } });
    await opened(profile, async ({ profile: { origin }, control }) => {
      const made = await fetch(`${origin}/v1/admin/keys`, {
        method: 'POST',
        headers: { 'x-admin-token': env.ADMIN_TOKEN, 'content-type': 'application/json' },
        body: '{"tier":"pro"}',
      });
      const { key, hash } = (await made.json()) as { key: string; hash: string };
      await control.restart?.();
      expect(await status(`${origin}/v1/auth/verify`, { 'x-api-key': key })).toBe(200);
      const dump = Buffer.from((await control.dump?.()) ?? []).toString('latin1');
      expect(dump).toContain(hash);
      expect(dump).not.toContain(key);
    });
  });

  test('an address of the profile for the second instance wins', async () => {
    const disabled = { address: 'http://127.0.0.1:9' };
    await opened(reference({}, { disabled }), async ({ profile }) => {
      expect(profile.disabled?.origin).toBe('http://127.0.0.1:9');
    });
  });

  test('without a variable that holds the token there is no second one, and the report can say why', async () => {
    const profile = profileOf({ target: { command: [process.execPath, referenceService, '--port', '{port}'] } });
    await opened(profile, async ({ profile: { disabled }, control }) => {
      expect(disabled).toBeUndefined();
      expect(control.lacks?.disabled?.because).toContain('no variable of the target holds the admin token');
    });
  });
});

describe('a service that misbehaves', () => {
  test.each([
    ['dies at start', 'it ended with exit code 3; its last lines:\n  | cannot read the configuration'],
    ['never listens', 'it was not ready within 500ms: nothing listened; it wrote nothing'],
    ['never answers', 'it was not ready within 4s: GET /v1/auth/verify'],
    ['answers 500', 'got 500; its last lines:\n  | the database is not there'],
    ['listens at another port', 'nothing listened'],
  ])('%s: said with its last lines', async (how, says) => {
    const { message, fault } = await refused(
      misbehavingTarget(how, { ready: { within: how.includes('listens') ? '500ms' : '4s' } }, '0'),
    );
    expect(message).toContain(`the service did not start: ${how === 'dies at start' ? says : ''}`);
    expect(message).toContain(says);
    expect(fault).toBe('unreachable');
  });

  test('prints secrets and commands for the terminal: neither is shown', async () => {
    const { message } = await refused(misbehavingTarget('prints secrets', { env: { ADMIN_TOKEN: token } }));
    expect(message).toContain('the token is «env:ADMIN_TOKEN», or «base64:env:ADMIN_TOKEN»');
    expect(message).toContain('| red and  a zero');
    expect(message).not.toContain(env.ADMIN_TOKEN);
  });

  test('prints ten megabytes: the last lines are shown', async () => {
    const { message } = await refused(misbehavingTarget('prints much'));
    expect(message).toContain('line 99999 ');
    expect(message.split('\n')).toHaveLength(21);
  });

  test('becomes ready and dies: reported on the next request', async () => {
    await opened(misbehavingTarget('answers, then dies'), async ({ ended, profile }) => {
      let how = await ended();
      for (let waited = 0; how === undefined && waited < 200; waited += 1) {
        await new Promise((resolve) => setTimeout(resolve, 50));
        how = await ended();
      }
      expect(how).toBe('it ended with exit code 9; its last lines:\n  | out of memory');
      expect(profile.origin).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    });
  });

  test('dies and is restarted: alive again, and that it died is not forgotten', async () => {
    await opened(misbehavingTarget('answers, then dies'), async ({ ended, control }) => {
      for (let waited = 0; (await ended()) === undefined && waited < 200; waited += 1)
        await new Promise((resolve) => setTimeout(resolve, 50));
      await control.restart?.();
      expect(await ended()).toContain('it ended with exit code 9');
    });
    await opened(misbehavingTarget('ends when asked'), async ({ ended, control }) => {
      await control.restart?.();
      expect(await ended()).toBeUndefined();
    });
  });

  test.each(['ends when asked', 'ignores TERM', 'forks'])('%s: nothing of it is left', async (how) => {
    await opened(misbehavingTarget(how), async ({ ended }) => expect(await ended()).toBeUndefined());
    expect(await leftOf(everyOwner)).toEqual([]);
  });

  test('goes away and leaves a daemon: not taken for started, and the daemon goes too', async () => {
    const { message } = await refused(misbehavingTarget('leaves and lets its child serve'));
    expect(message).toContain('it ended with exit code 0');
  });

  test('is asked to be restarted and does not come back: no verdict, but the reason', async () => {
    const profile = misbehavingTarget('answers, then dies');
    await opened(profile, async ({ control }) => {
      await expect(control.restart?.().then(() => control.restart?.())).resolves.toBeUndefined();
    });
    const once = join(folder, 'once.mjs');
    writeFileSync(
      once,
      `import { existsSync, writeFileSync } from 'node:fs';
       if (existsSync('was-here')) process.exit(4);
       writeFileSync('was-here', '');
       await import('node:http').then(({ createServer }) => createServer((_, r) => r.end()).listen(process.argv[2]));`,
    );
    const second = profileOf({ target: { command: [process.execPath, once, '{port}'], stop: '100ms' } }, folder);
    await opened(second, async ({ control }) => {
      await expect(control.restart?.()).rejects.toThrow(/could not be restarted: .*exit code 4/);
    });
  });

  test('leaves somebody who holds its port for a moment: it is started once the port is free', async () => {
    const held = join(folder, 'held.mjs');
    writeFileSync(
      held,
      `import { spawn } from 'node:child_process';
       import { createServer } from 'node:http';
       const [, , port, holds] = process.argv;
       const answer = (request, response) => (holds ? request.destroy() : response.end());
       const server = createServer(answer).listen(port, '127.0.0.1', () => {
         if (holds === undefined) return;
         process.send('holds');
         process.disconnect();
         setTimeout(() => process.exit(), 300);
       });
       process.on('SIGTERM', () => {
         server.close(() => {
           const stdio = ['ignore', 'ignore', 'ignore', 'ipc'];
           const other = spawn(process.execPath, [process.argv[1], port, 'holds'], { detached: true, env: {}, stdio });
           other.on('message', () => process.exit());
         });
         server.closeAllConnections();
       });`,
    );
    const profile = profileOf({ target: { command: [process.execPath, held, '{port}'], stop: '5s' } }, folder);
    await opened(profile, async ({ control, ended }) => {
      await control.restart?.();
      expect(await ended()).toBeUndefined();
    });
  });
});

describe('where it listens', () => {
  test('the port may stand in its output', async () => {
    const command = [process.execPath, misbehaving, 'says its port'];
    const profile = profileOf({ target: { command, port_in_output: 'localhost:(\\d+)', stop: '100ms' } });
    await opened(profile, async ({ profile: { origin }, control }) => {
      expect(await status(origin)).toBe(200);
      expect(control.restart).toBeUndefined();
      expect(control.lacks?.['admin.restart']?.because).toContain('it chooses its port itself');
    });
  });

  test('or never stand there', async () => {
    const command = [process.execPath, misbehaving, 'ends when asked', '0'];
    const profile = profileOf({
      target: { command, port_in_output: 'localhost:(\\d+)', stop: '100ms', ready: { within: '300ms' } },
    });
    expect((await refused(profile)).message).toContain('its output contains no port that /localhost:(\\d+)/ finds');
  });

  test('a port that is taken is not asked, however well its owner answers', async () => {
    const server = createServer((_, response) => response.end('{}'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    try {
      const command = [process.execPath, misbehaving, 'ends when asked', String(port)];
      const { message } = await refused(profileOf({ target: { command, port } }));
      expect(message).toContain(`something already listens on port ${port} and would be judged instead`);
    } finally {
      server.close();
    }
  });

  test('a shell may start it, and is ended with it', async () => {
    const command = `cd / && '${process.execPath}' '${misbehaving}' 'ignores TERM' {port}; exit 7`;
    await opened(profileOf({ target: { command, shell: true, stop: '100ms' } }), async ({ profile }) => {
      expect(await status(profile.origin)).toBe(200);
    });
    expect(await leftOf(everyOwner)).toEqual([]);
  });

  test.each([
    [['/no/such/program', '{port}'], {}, 'there is no such program'],
    [[misbehaving, '{port}'], {}, 'permission denied'],
    [[process.execPath, '{port}'], { folder: 'no-such-folder' }, 'no such folder'],
  ])('what cannot be started: %s', async (command, more, says) => {
    expect((await refused(profileOf({ target: { command, ...more } }))).message).toContain(says);
  });
});

describe('the second instance', () => {
  const admin = { token, list: {} };
  const withSecond = (how: string, second?: unknown) =>
    profileOf({
      target: {
        command: [process.execPath, misbehaving, how, '{port}', env.ADMIN_TOKEN],
        env: { ADMIN_TOKEN: token },
        stop: '100ms',
        ...(second === undefined ? {} : { second }),
      },
      admin,
    });

  test('that accepts the token anyway is not used, and nobody is accused', async () => {
    await opened(withSecond('knows the token by itself'), async ({ profile, control, remarks }) => {
      expect(profile.disabled).toBeUndefined();
      expect(control.lacks?.disabled?.because).toContain('the second instance accepts the admin token');
      expect(remarks.join()).toContain('No second instance');
    });
    const { fault, message } = await refused(withSecond('knows the token by itself', { env: { MODE: 'none' } }));
    expect(fault).toBe('usage');
    expect(message).toContain('target.second');
  });

  test.each(['takes every token', 'takes every token of that length'])(
    'that %s has none: the rules shall see it',
    async (how) => {
      await opened(withSecond(how), async ({ profile }) => expect(profile.disabled).toBeDefined());
    },
  );

  test('is not started where the profile says so', async () => {
    await opened(withSecond('takes every token', false), async ({ profile, control }) => {
      expect(profile.disabled).toBeUndefined();
      expect(control.lacks?.disabled?.because).toContain('the profile excludes');
    });
  });
});

describe('the store', () => {
  const withStore = (store: unknown) =>
    profileOf(
      { target: { command: [process.execPath, misbehaving, 'ends when asked', '{port}'], store, stop: '100ms' } },
      folder,
    );
  const dumped = (store: unknown): Promise<string> =>
    opened(withStore(store), async ({ control }) => Buffer.from((await control.dump?.()) ?? []).toString('latin1'));
  const node = (code: string) => ({ command: [process.execPath, '-e', code] });

  test('is a file, a folder with all that is below it, or what a program prints', async () => {
    mkdirSync(join(folder, 'store/deep'), { recursive: true });
    writeFileSync(join(folder, 'store/one'), 'first\0');
    writeFileSync(join(folder, 'store/deep/two'), 'second');
    expect(await dumped({ path: 'store/one' })).toBe('first\0');
    expect((await dumped({ path: 'store' })).length).toBe('first\0second'.length);
    expect(await dumped(node('process.stdout.write("printed")'))).toBe('printed');
  });

  test.each([
    ['is not there', { path: 'nowhere' }, 'the store nowhere cannot be read: it does not exist'],
    ['is a device', { path: '/dev/zero' }, 'neither a file nor a folder'],
    ['fails', node('console.error("no rights"); process.exit(2)'), 'it ended with exit code 2\n  | no rights'],
    ['is no program', { command: ['/no/such/dump'] }, 'there is no program /no/such/dump'],
    [
      'prints a gigabyte',
      node(
        'const b = Buffer.alloc(1 << 20); const w = () => { while (process.stdout.write(b)); process.stdout.once("drain", w) }; w()',
      ),
      'is larger than 256 MB',
    ],
  ])('that %s accuses nobody', async (_, store, says) => {
    await expect(dumped(store)).rejects.toMatchObject({ name: 'Inconclusive', message: expect.stringContaining(says) });
    expect(await leftOf(everyOwner)).toEqual([]);
  });
});
