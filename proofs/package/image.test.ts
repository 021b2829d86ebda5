/**
 * The image of Touchstone. Nothing can be pulled where this runs, so the base is made from scratch: the pinned node and the libraries
 * that it needs. What the Dockerfile says is done as it says it: the commands of its first stage here, its last stage by Docker.
 */
import { execFile } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Serving, seedsOf, serve } from '../../fixtures/service/index.ts';
import { version } from '../../src/version.ts';
import { matrixKeys } from '../matrix/try-on.ts';

const exec = promisify(execFile);
const root = join(import.meta.dirname, '../..');
const dockerfile = readFileSync(join(root, 'Dockerfile'), 'utf8');
const [, buildStage = '', lastStage = ''] = dockerfile.split(/^FROM .*$/m);

const engine = await exec('docker', ['version', '--format', '{{.Server.Version}}'], { timeout: 10_000 }).then(
  () => true,
  () => false,
);
/** Where CI says so, a missing engine is a failure and no excuse. */
const skipped = !engine && process.env.CI !== 'true';
if (skipped) process.stderr.write('image.test.ts: skipped, because no Docker engine answers\n');

const env = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^(npm_|VITEST|NODE_ENV|NODE_OPTIONS|INIT_CWD)/i.test(name)),
);
const tag = `touchstone-image-test:${process.pid}`;
const baseTag = `touchstone-image-test-base:${process.pid}`;
let folder: string;
let service: Serving;

describe('the Dockerfile', () => {
  test('runs as nobody in particular, and runs nothing in its last stage', () => {
    expect(lastStage).toMatch(/^USER [1-9]\d*:[1-9]\d*$/m);
    expect(lastStage).not.toMatch(/^(RUN|ADD)\b/m);
    expect(lastStage).toMatch(/^ENTRYPOINT \[/m);
    expect(dockerfile.match(/^FROM /gm)).toHaveLength(2);
  });
});

describe.skipIf(skipped)('the image', () => {
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'touchstone-image-'));
    service = await serve({ host: '127.0.0.1', port: 0, keys: seedsOf(matrixKeys), upstreamTimeoutMs: 300 });
    await buildPackage();
    await buildBase();
    const context = join(folder, 'context');
    const stage = lastStage.replace('COPY --from=build /opt/touchstone', 'COPY opt/touchstone');
    writeFileSync(join(context, 'Dockerfile'), `FROM ${baseTag}\n${stage}`);
    await exec('docker', ['build', '--quiet', '--tag', tag, context], { timeout: 120_000 });
  }, 240_000);

  afterAll(async () => {
    for (const each of [tag, baseTag]) await exec('docker', ['rmi', '--force', each]).catch(() => {});
    await service?.close();
    rmSync(folder, { recursive: true, force: true });
  }, 60_000);

  /** The commands of the first stage, in a copy of this folder; its dependencies are here already. */
  async function buildPackage(): Promise<void> {
    const copy = join(folder, 'build');
    const left = new Set(readFileSync(join(root, '.dockerignore'), 'utf8').trim().split('\n'));
    cpSync(root, copy, {
      recursive: true,
      filter: (path) => dirname(path) !== root || !(left.has(basename(path)) || path.endsWith('.tgz')),
    });
    symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
    const commands = [...buildStage.matchAll(/^RUN (.*)$/gm)].map((match) => match[1]!);
    expect(commands[0]).toMatch(/^npm ci\b/);
    const places = { CONTEXT: join(folder, 'context'), SPARE: folder };
    const quiet = { npm_config_prefer_offline: 'true', npm_config_audit: 'false', npm_config_fund: 'false' };
    for (const command of commands.slice(1)) {
      const here = command.replaceAll('/packed', '$SPARE/packed').replaceAll('/opt/', '$CONTEXT/opt/');
      expect(here, 'what is written into a folder of this machine').not.toMatch(/\s\//);
      await exec('sh', ['-c', here], { cwd: copy, env: { ...env, ...places, ...quiet } });
    }
  }

  async function buildBase(): Promise<void> {
    const context = join(folder, 'base');
    const node = realpathSync(process.execPath);
    const { stdout } = await exec('ldd', [node]);
    const libraries = [...stdout.matchAll(/(?:=> )?(\/\S+) \(0x/g)].map((match) => match[1]!);
    const put = (from: string, to: string): void => {
      mkdirSync(join(context, dirname(to)), { recursive: true });
      cpSync(realpathSync(from), join(context, to));
    };
    put(node, '/usr/local/bin/node');
    for (const library of libraries) put(library, library);
    mkdirSync(join(context, 'tmp'));
    writeFileSync(join(context, 'Dockerfile'), 'FROM scratch\nCOPY . /\nENV PATH=/usr/local/bin\n');
    await exec('docker', ['build', '--quiet', '--tag', baseTag, context], { timeout: 120_000 });
  }

  const run = (options: readonly string[], ...args: readonly string[]) =>
    exec('docker', ['run', '--rm', '--read-only', '--network', 'host', ...options, tag, ...args], {
      timeout: 120_000,
      env: { ...env, TOUCHSTONE_API_KEY: matrixKeys.entitled.key },
    }).then(
      ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
      (error: { code: number; stdout: string; stderr: string }) => error,
    );

  test('prints its version, and help without arguments', async () => {
    expect((await run([], '--version')).stdout).toBe(`${version}\n`);
    expect((await run([])).stdout).toContain('Usage: touchstone');
  });

  test('checks a service of this machine, as nobody, on a file system that cannot be written to', async () => {
    const work = join(folder, 'work');
    mkdirSync(work);
    const mine = [
      '--user',
      `${process.getuid!()}:${process.getgid!()}`,
      '-v',
      `${work}:/work`,
      '-e',
      'TOUCHSTONE_API_KEY',
    ];
    const args = ['check', service.url, '--depth', 'quick', '--format', 'console,junit'];
    const { code, stdout, stderr } = await run(mine, ...args);
    expect(stderr).not.toMatch(/EROFS|read-only/);
    expect(stdout).toContain('CONFORMS');
    expect(code).toBe(0);
    expect(readFileSync(join(work, 'touchstone-report/junit.xml'), 'utf8')).toContain('<testsuites');
  });

  test('a working folder that cannot be written to: one sentence, exit code 2', async () => {
    const { code, stderr } = await run(['-e', 'TOUCHSTONE_API_KEY'], 'check', service.url);
    expect(stderr).toMatch(/the output folder .* cannot be made: .*\nNext: .*--output.* \[cannot-write\]/);
    expect(code).toBe(2);
  });
});
