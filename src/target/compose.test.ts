/** Services of compose files: two replicas of the reference behind Debian's proxy, and files that are wrong. */
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { demoProfile } from '../../fixtures/profiles/demo.ts';
import { demoKeys } from '../../fixtures/service/index.ts';
import { proxyImage, serviceImage } from '../../fixtures/targets/image.ts';
import { catalogue, rulesVersion } from '../../suites/index.ts';
import { specification } from '../../suites/specification.ts';
import { checkWith } from '../check.ts';
import { outcomeOf } from '../model/run.ts';
import type { Profile } from '../profile/profile.ts';
import { projectName } from './docker.ts';
import { type OpenTarget, openTarget, type TargetError } from './index.ts';
import { ownerOf, thisOwner } from './owner.ts';
import {
  calledBy,
  composeFile,
  composeMissing,
  endedBy,
  env,
  leftAnywhere,
  leftInDocker,
  leftOf,
  profileOf,
} from './testing.ts';

const missing = composeMissing();
const proxy = '/usr/sbin/nginx';
const owner = thisOwner();
const folder = mkdtempSync(join(tmpdir(), 'touchstone-compose-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let image = '';

beforeAll(() => {
  if (missing === undefined) image = serviceImage();
}, 120_000);

const tried = (name: string, work: (skip: (why: string) => void) => Promise<void>): void =>
  void test(name, { timeout: 240_000 }, async ({ skip }) => {
    if (missing !== undefined) return skip(missing);
    try {
      await work(skip);
    } finally {
      expect(leftInDocker(owner)).toEqual([]);
      expect(await leftOf(owner)).toEqual([]);
    }
  });

const openedWith = { ...process.env, ...env };

async function opened<T>(profile: Profile, work: (target: OpenTarget) => Promise<T>): Promise<T> {
  const target = await openTarget(profile, { env: openedWith });
  try {
    return await work(target);
  } finally {
    await target.close();
  }
}

const refused = async (profile: Profile, options: Parameters<typeof openTarget>[1] = {}): Promise<TargetError> =>
  openTarget(profile, { env: openedWith, ...options }).then(
    async (target) => {
      await target.close();
      throw new Error('it started');
    },
    (error: unknown) => error as TargetError,
  );

/** One service of one misbehaving program, next to what the test says about it. */
function project(
  how: string,
  more: readonly string[] = ['ports: ["8080"]'],
  target: Record<string, unknown> = {},
): Profile {
  const lines = [
    'version: "3"',
    'services:',
    '  app:',
    `    image: ${image}`,
    `    command: ["/app/fixtures/targets/misbehaving.ts", "${how}", "8080"]`,
    '    environment: [ADMIN_TOKEN]',
    ...more.map((line) => `    ${line}`),
  ];
  writeFileSync(join(folder, 'compose.yaml'), `${lines.join('\n')}\n`);
  const written = {
    compose: 'compose.yaml',
    service: 'app',
    port: 8080,
    stop: '0s',
    ready: { within: '5s' },
    ...target,
  };
  return profileOf({ target: written }, folder);
}

tried('two replicas with one store conform, with second instance, restart, store and sources', async (skip) => {
  if (!existsSync(proxy)) {
    const says = `${proxy} is not here: install nginx to run this test`;
    if ((process.env.CI ?? '') !== '') throw new Error(says);
    return skip(says);
  }
  const configuration = readFileSync(new URL('../../fixtures/targets/nginx.conf', import.meta.url), 'utf8');
  const keys = demoKeys('compose');
  const { address: _, ...written } = demoProfile({ address: '', adminToken: env.ADMIN_TOKEN, keys });
  const profile = profileOf({
    ...written,
    bounds: { timeout: '10s', upstream: '10s' },
    target: {
      compose: composeFile,
      service: 'proxy',
      port: 8080,
      env: {
        ADMIN_TOKEN: '${env:ADMIN_TOKEN}',
        SEED: 'compose',
        PORT: '{port}',
        SERVICE_IMAGE: image,
        PROXY_IMAGE: proxyImage(proxy, configuration),
      },
      restart: ['one', 'two'],
      store: { path: '/data', service: 'one' },
      stop: '1s',
    },
  });
  const rules = { rules: catalogue, version: rulesVersion, specification };
  const run = await checkWith(rules, profile, { depth: 'quick', seed: 1 });
  const verdictOf = (rule: string) => run.findings.find((finding) => finding.rule === rule)?.verdict;
  expect(run.findings.filter(({ verdict }) => ['fail', 'warn', 'error', 'inconclusive'].includes(verdict))).toEqual([]);
  expect(outcomeOf(run)).toBe('conforms');
  for (const rule of [
    'admin.survives-restart',
    'admin.store-holds-no-plaintext',
    'disabled.refuses-every-call',
    'disabled.data-interface-works',
    'partial.items-of-working-sources',
  ])
    expect([rule, verdictOf(rule)]).toEqual([rule, 'pass']);
});

describe('a project that is wrong', () => {
  tried('in its file', async () => {
    const profile = project('ends when asked', ['prots: ["8080"]']);
    const error = await refused(profile);
    expect(error.fault).toBe('usage');
    expect(error.message).toContain('compose.yaml is not a compose file that can be run');
    expect(error.message).toContain('prots');
  });

  tried('because its service dies at start', async () => {
    const error = await refused(project('dies at start'));
    expect(error.message).toContain('the service did not start');
    expect(error.message).toContain('cannot read the configuration');
    expect(error.fault).toBe('unreachable');
  });

  tried('because it answers 500', async () => {
    const error = await refused(project('answers 500'));
    expect(error.message).toContain('got 500');
    expect(error.message).toContain('the database is not there');
  });

  tried('because it publishes no port, or there is no such service', async () => {
    const unpublished = await refused(project('ends when asked', []));
    expect(unpublished.message).toContain('app of compose.yaml does not publish its port 8080');
    expect(unpublished.fault).toBe('usage');
    expect((await refused(project('ends when asked', undefined, { service: 'ap' }))).message).toContain('ap');
  });

  tried('because its port is taken', async () => {
    const { createServer } = await import('node:http');
    const server = createServer(() => {}).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as { port: number };
    try {
      const error = await refused(project('ends when asked', [`ports: ["127.0.0.1:${port}:8080"]`]));
      expect(error.fault).toBe('unreachable');
      expect(error.message).toContain('address already in use');
    } finally {
      server.close();
    }
  });

  tried('and interrupted while it becomes ready', async () => {
    const stop = new AbortController();
    setTimeout(() => stop.abort(new Error('enough')), 4000);
    const profile = project('never listens', undefined, { ready: { within: '60s' } });
    expect(await refused(profile, { signal: stop.signal })).toMatchObject({ message: 'enough' });
  });
});

tried('killed while it starts, with nobody left to tidy up but its guardian', async () => {
  project('ignores TERM', ['ports: ["8080"]', 'volumes: ["/data"]']);
  for (const moment of [2500, /asking/]) {
    const { owner: gone } = await endedBy(
      ['compose', '--', 'compose.yaml', 'app', '8080'],
      moment,
      ['SIGKILL'],
      folder,
    );
    expect(await leftAnywhere(gone)).toEqual([]);
  }
});

tried('a port that would be another after a restart: it is not restarted, and the report can say why', async () => {
  await opened(project('ends when asked'), async ({ control, pid }) => {
    expect(calledBy(pid) ?? 'ends when asked').toContain('ends when asked');
    expect(control.restart).toBeUndefined();
    expect(control.lacks?.['admin.restart']?.because).toContain('would change');
  });
});

tried('the store is what a program prints inside', async () => {
  const store = { command: ['/bin/node', '-p', '6*7'] };
  await opened(project('ends when asked', undefined, { store }), async ({ control }) => {
    expect(Buffer.from((await control.dump?.()) ?? []).toString()).toBe('42\n');
  });
  const failing = { command: ['/bin/node', '-e', 'process.exit(3)'] };
  await opened(project('ends when asked', undefined, { store: failing }), async ({ control }) => {
    await expect(control.dump?.()).rejects.toThrow('exit code 3');
  });
});

tried('what a run left that was killed with its guardian is removed by the next', async () => {
  const { spawnSync } = await import('node:child_process');
  const { pid } = spawnSync(process.execPath, ['-v']);
  const dead = projectName('left0000').replace(
    Buffer.from(owner).toString('hex'),
    Buffer.from(ownerOf(pid)).toString('hex'),
  );
  const label = `com.docker.compose.project=${dead}`;
  execFileSync('docker', ['network', 'create', '--label', label, `${dead}_default`]);
  execFileSync('docker', ['volume', 'create', '--label', label, `${dead}_keys`]);
  execFileSync('docker', ['create', '--label', label, '--name', `${dead}_app_1`, image]);
  await opened(project('ends when asked'), async () => expect(leftInDocker(ownerOf(pid))).toEqual([]));
});

describe('a machine without', () => {
  const profile = () => profileOf({ target: { compose: composeFile, service: 'proxy', port: 8080 } });
  const program = (name: string, text: string): string => {
    const own = mkdtempSync(join(folder, 'path-'));
    writeFileSync(join(own, name), `#!/bin/sh\n${text}\n`);
    chmodSync(join(own, name), 0o755);
    return own;
  };

  test.each([
    ['docker', () => ({ PATH: folder }), 'the program docker is missing'],
    [
      'a running engine',
      () => ({ PATH: program('docker', 'echo "Cannot connect to the Docker daemon at unix:///x.sock." >&2; exit 1') }),
      'no container engine answers',
    ],
    [
      'compose, because it is old',
      () => ({ PATH: program('docker', '[ "$1" = version ] && { echo 18.09; exit 0; }; echo unknown >&2; exit 1') }),
      'Docker compose is missing',
    ],
  ])('%s: said, as a tool that is missing', async (_, different, says) => {
    const error = await refused(profile(), { env: different() });
    expect(error.message).toContain(says);
    expect(error.fault).toBe('tool');
    expect(await leftOf(owner)).toEqual([]);
  });
});
