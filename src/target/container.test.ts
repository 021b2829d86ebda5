/** Services as containers, of images that are made here. */
import { execFileSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { beforeAll, describe, expect, test } from 'vitest';
import { demoProfile } from '../../fixtures/profiles/demo.ts';
import { demoKeys } from '../../fixtures/service/index.ts';
import { serviceImage } from '../../fixtures/targets/image.ts';
import { catalogue, rulesVersion } from '../../suites/index.ts';
import { specification } from '../../suites/specification.ts';
import { checkWith } from '../check.ts';
import { outcomeOf } from '../model/run.ts';
import type { Profile } from '../profile/profile.ts';
import { type OpenTarget, openTarget, TargetError } from './index.ts';
import { ownerLabel, ownerOf, thisOwner } from './owner.ts';
import { calledBy, dockerMissing, endedBy, env, leftAnywhere, leftInDocker, leftOf, profileOf } from './testing.ts';

const missing = dockerMissing();
const owner = thisOwner();
const token = '${env:ADMIN_TOKEN}';
let image = '';

beforeAll(() => {
  if (missing === undefined) image = serviceImage();
}, 120_000);

/** Skips where there is no engine; whatever happens, nothing may be left. */
const tried = (name: string, work: () => Promise<void>): void =>
  void test(name, { timeout: 120_000 }, async ({ skip }) => {
    if (missing !== undefined) return skip(missing);
    try {
      await work();
    } finally {
      expect(leftInDocker(owner)).toEqual([]);
      expect(await leftOf(owner)).toEqual([]);
    }
  });

async function opened<T>(profile: Profile, work: (target: OpenTarget) => Promise<T>): Promise<T> {
  const target = await openTarget(profile, { env: { ...process.env, ...env } });
  try {
    return await work(target);
  } finally {
    await target.close();
  }
}

const refused = async (profile: Profile, signal?: AbortSignal): Promise<unknown> =>
  openTarget(profile, { env: { ...process.env, ...env }, ...(signal && { signal }) }).then(
    async (target) => {
      await target.close();
      throw new Error('it started');
    },
    (error: unknown) => error,
  );

const misbehaving = (how: string, more: Record<string, unknown> = {}, ...words: string[]): Profile =>
  profileOf({
    target: {
      container: image,
      arguments: ['/app/fixtures/targets/misbehaving.ts', how, '8080', ...words],
      stop: '0s',
      ready: { within: '3s' },
      ...more,
    },
  });

describe('the reference service as a container', () => {
  tried('conforms, with its second instance, its restart, its store and its sources', async () => {
    const keys = demoKeys('container');
    const { address: _, ...written } = demoProfile({ address: '', adminToken: env.ADMIN_TOKEN, keys });
    const profile = profileOf({
      ...written,
      // Not a word about time: the machine is busy.
      bounds: { timeout: '10s', upstream: '10s' },
      target: {
        container: image,
        env: { ADMIN_TOKEN: token, DATABASE: '/data/keys.sqlite', SEED: 'container' },
        store: { path: '/data' },
        stop: '1s',
        memory: '512MB',
        cpus: 2,
      },
    });
    const rules = { rules: catalogue, version: rulesVersion, specification };
    const run = await checkWith(rules, profile, { depth: 'quick', seed: 1 });
    const verdictOf = (rule: string) => run.findings.find((finding) => finding.rule === rule)?.verdict;
    expect(run.findings.filter(({ verdict }) => ['fail', 'warn', 'error', 'inconclusive'].includes(verdict))).toEqual(
      [],
    );
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

  tried('has the limits that the profile says, and listens for this machine only', async () => {
    await opened(profileOf({ target: { container: image, memory: '300MB', cpus: 0.5, stop: '0s' } }), async () => {
      const [name = ''] = leftInDocker(owner);
      const [{ HostConfig }] = JSON.parse(execFileSync('docker', ['inspect', name], { encoding: 'utf8' }));
      expect([HostConfig.Memory, HostConfig.NanoCpus]).toEqual([3e8, 5e8]);
      expect(HostConfig.PortBindings['8080/tcp'][0].HostIp).toBe('127.0.0.1');
    });
  });
});

describe('a container that misbehaves', () => {
  const ways = [
    ['dies at start', 'it ended with exit code 3; its last lines:\n  | cannot read the configuration'],
    ['never listens', 'it was not ready within 3s'],
    ['answers 500', 'got 500; its last lines:\n  | the database is not there'],
  ] as const;
  for (const [how, says] of ways)
    tried(`${how}: said with its log`, async () => {
      const error = await refused(misbehaving(how));
      expect(error).toBeInstanceOf(TargetError);
      expect((error as Error).message).toContain(says);
    });

  tried('prints secrets: not shown', async () => {
    const { message } = (await refused(misbehaving('prints secrets', { env: { ADMIN_TOKEN: token } }))) as Error;
    expect(message).toContain('the token is «env:ADMIN_TOKEN», or «base64:env:ADMIN_TOKEN»');
  });

  tried('becomes ready and dies: reported on the next request', async () => {
    await opened(misbehaving('answers, then dies'), async ({ ended }) => {
      let how = await ended();
      for (let waited = 0; how === undefined && waited < 200; waited += 1) {
        await new Promise((resolve) => setTimeout(resolve, 50));
        how = await ended();
      }
      expect(how).toBe('it ended with exit code 9; its last lines:\n  | out of memory');
    });
  });

  tried('ignores being asked to end', () =>
    opened(misbehaving('ignores TERM', { stop: '1s' }), async ({ pid }) => {
      expect(calledBy(pid) ?? 'ignores TERM').toContain('ignores TERM');
    }),
  );

  tried('needs more memory than it may', async () => {
    const words = ['-e', 'const all = []; for (;;) all.push(Buffer.alloc(1 << 24, 1))'];
    const { message } = (await refused(misbehaving('', { arguments: words, memory: '64MB' }))) as Error;
    expect(message).toContain('it used more memory than allowed');
  });

  tried('reads no source of ours: what needs them is left out, and says why', async () => {
    const sources = { name: 'page-harvest', input: { urls: ['{{source.ok}}', '{{source.ok2}}'] } };
    const keys = { main: '${env:API_KEY}' };
    const { target } = misbehaving('ends when asked');
    const profile = {
      ...profileOf({ address: 'http://127.0.0.1:1', actors: { sources }, keys }),
      origin: '',
      target: target!,
    };
    await opened(profile, async ({ control, remarks }) => {
      expect(control.lacks?.sources?.because).toMatch(/reached no source at .*: a run of page-harvest got 200/);
      expect(control.lacks?.['two-sources']).toBeDefined();
      expect(remarks.join()).toContain('Rules that need sources are skipped');
    });
  });
});

describe('what is wrong before it starts', () => {
  tried('an image that is nowhere', async () => {
    const error = (await refused(profileOf({ target: { container: 'touchstone-no-such-image:1' } }))) as TargetError;
    expect(error.message).toContain(
      'the image touchstone-no-such-image:1 is not on this machine, and cannot be pulled',
    );
    expect(error.fault).toBe('usage');
  });

  tried('an image that exposes no port, or more than one', async () => {
    const none = serviceImage(['CMD ["-v"]']);
    expect(String(await refused(profileOf({ target: { container: none } })))).toContain(
      'exposes no port: set `target.port`',
    );
    const two = serviceImage(['CMD ["-v"]', 'EXPOSE 80 81']);
    expect(String(await refused(profileOf({ target: { container: two } })))).toContain('exposes 2 ports');
  });

  tried('a program that the image does not have', async () => {
    const broken = serviceImage(['ENTRYPOINT ["/no/such/program"]', 'EXPOSE 80']);
    const error = (await refused(profileOf({ target: { container: broken } }))) as TargetError;
    expect(error.fault).toBe('unreachable');
    expect(error.message).toContain('did not start');
  });

  tried('killed at any moment, with nobody left to tidy up but its guardian', async () => {
    const words = ['container', '--', image, '/app/fixtures/targets/misbehaving.ts', 'ignores TERM', '8080'];
    for (const moment of [300, 700, 1100, 1500, /asking/]) {
      const { owner: gone } = await endedBy(words, moment, ['SIGKILL'], tmpdir());
      expect(await leftAnywhere(gone)).toEqual([]);
    }
  });

  tried('interrupted while it becomes ready', async () => {
    const stop = new AbortController();
    setTimeout(() => stop.abort(new Error('enough')), 1500);
    expect(await refused(misbehaving('never listens', { ready: { within: '60s' } }), stop.signal)).toMatchObject({
      message: 'enough',
    });
  });
});

describe('its store', () => {
  const dumped = (store: unknown): Promise<number> =>
    opened(misbehaving('ends when asked', { store }), async ({ control }) => (await control.dump?.())?.length ?? -1);
  const node = (code: string) => ({ command: ['/bin/node', '-e', code] });

  tried('is a path inside, what a program prints inside, or a path here', async () => {
    expect(await dumped({ path: '/etc/passwd' })).toBeGreaterThanOrEqual(512);
    expect(await dumped(node('process.stdout.write(Buffer.alloc(100_000))'))).toBe(100_000);
    expect(await dumped({ path: import.meta.filename, here: true })).toBeGreaterThan(1000);
  });

  tried('cannot be read: nobody is accused', async () => {
    const inconclusive = (says: string) => ({ name: 'Inconclusive', message: expect.stringContaining(says) });
    await expect(dumped({ path: '/nowhere' })).rejects.toMatchObject(inconclusive('the store /nowhere does not exist'));
    await expect(dumped(node('console.error("no rights"); process.exit(2)'))).rejects.toMatchObject(
      inconclusive('exit code 2\n  | no rights'),
    );
    const flood =
      'const b = Buffer.alloc(1 << 20); const w = () => { while (process.stdout.write(b)); process.stdout.once("drain", w) }; w()';
    await expect(dumped(node(flood))).rejects.toMatchObject(inconclusive('is larger than 256 MB'));
  });
});

tried('what a run left that was killed with its guardian is removed by the next, and what lives is not', async () => {
  const leave = (whose: string): string =>
    execFileSync('docker', ['create', '--label', `${ownerLabel}=${whose}`, image], { encoding: 'utf8' }).trim();
  // A process that is sure to be gone: it was this one's own child.
  const { pid } = await import('node:child_process').then(({ spawnSync }) => spawnSync(process.execPath, ['-v']));
  const dead = leave(ownerOf(pid));
  const alive = leave(ownerOf(process.ppid));
  const foreign = leave(`elsewhere.1_${pid}_1`);
  try {
    await opened(misbehaving('ends when asked'), async () => {
      const all = execFileSync('docker', ['ps', '-a', '--no-trunc', '--format', '{{.ID}}'], { encoding: 'utf8' });
      expect(all).not.toContain(dead);
      expect(all).toContain(alive);
      expect(all).toContain(foreign);
    });
  } finally {
    execFileSync('docker', ['rm', '-f', alive, foreign]);
  }
});
