/** The package as its users get it: built, packed, installed in an empty folder, run from there. */
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { type Serving, seedsOf, serve } from '../../fixtures/service/index.ts';
import packageJson from '../../package.json' with { type: 'json' };
import { ownerOf } from '../../src/target/owner.ts';
import { ownedBy } from '../../src/target/processes.ts';
import { leftOf } from '../../src/target/testing.ts';
import { version } from '../../src/version.ts';
import { matrixKeys } from '../matrix/try-on.ts';

const exec = promisify(execFile);
const root = join(import.meta.dirname, '../..');
let folder: string;
let service: Serving;

/** What vitest and npm set for their children is nobody else's business. */
const env = {
  ...Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(npm_|VITEST|NODE_ENV|NODE_OPTIONS|INIT_CWD)/i.test(name)),
  ),
  TOUCHSTONE_API_KEY: matrixKeys.entitled.key,
};

const inFolder = (command: string, ...args: string[]) => exec(command, args, { cwd: folder, env });

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'touchstone-package-'));
  await exec('npm', ['pack', '--silent', '--pack-destination', folder], { cwd: root, env });
  const tarball = readdirSync(folder).find((file) => file.endsWith('.tgz'))!;
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n');
  service = await serve({ host: '127.0.0.1', port: 0, keys: seedsOf(matrixKeys), upstreamTimeoutMs: 300 });
  await inFolder('npm', 'install', '--silent', '--prefer-offline', '--no-audit', '--no-fund', `./${tarball}`);
}, 180_000);

afterAll(async () => {
  await service?.close();
  rmSync(folder, { recursive: true, force: true });
});

const bin = 'node_modules/touchstone/bin/touchstone.cjs';
const touchstone = (...args: string[]) => inFolder(process.execPath, bin, ...args);

test('the tarball is a gate without a registry, as docs/pipelines.md shows it', async () => {
  const guide = readFileSync(join(root, 'docs/pipelines.md'), 'utf8');
  const [made = '', ready = ''] = [...guide.matchAll(/```sh\n((?:npm pack|npx )[\s\S]*?)```/g)].map(
    (match) => match[1],
  );
  expect(made).toMatch(/^npm pack \.\.\/touchstone\nnpx .* init /);
  const gate = join(folder, 'gate');
  mkdirSync(gate);
  const inGate = (script: string) => exec('sh', ['-e', '-c', script], { cwd: gate, env });
  await inGate(made.replace('../touchstone', root).replace('http://127.0.0.1:8080', service.url));
  const pipeline = readFileSync(join(gate, 'touchstone.gitlab-ci.yml'), 'utf8');
  const [, line = ''] = /^ {4}- (npx .*)$/m.exec(pipeline) ?? [];
  expect(line.startsWith(ready.trim())).toBe(true);
  expect((await inGate(`${line} --depth quick`)).stdout).toContain('CONFORMS');
  expect(readFileSync(join(gate, 'touchstone-report/junit.xml'), 'utf8')).toContain('<testsuites');
}, 120_000);

describe('the installed package', () => {
  it('says its version', async () => {
    const { stdout } = await touchstone('--version');
    expect(stdout).toBe(`${version}\n`);
    expect(packageJson.version).toBe(version);
  });

  it('checks the embedded reference service', async () => {
    const { stdout } = await touchstone('check', '--reference', '--depth', 'quick', '--quiet');
    expect(stdout).toContain('CONFORMS');
  }, 60_000);

  it('writes every report, with all that the page carries', async () => {
    const { formatNames } = await import('../../reports/index.ts');
    const formats = formatNames.filter((name) => name !== 'console' && name !== 'github').join(',');
    await touchstone('report', 'touchstone-report/run.jsonl', '--format', formats);
    const page = readFileSync(join(folder, 'touchstone-report/report.html'), 'utf8');
    expect(page).toContain("byId('data')");
    expect(page).toContain('Specification coverage');
  });

  it('ends what it started, also when it is killed itself', async () => {
    const idle = [process.execPath, '-e', 'setInterval(() => {}, 60000)', '{port}'];
    const started = inFolder(process.execPath, bin, 'check', '--target', 'command', '--', ...idle);
    const owner = ownerOf(started.child.pid!);
    // The service and its guardian.
    for (let waited = 0; waited < 200 && ownedBy(owner).length < 2; waited += 1) await sleep(50);
    expect(ownedBy(owner)).toHaveLength(2);
    started.child.kill('SIGKILL');
    await expect(started).rejects.toThrow();
    expect(await leftOf(owner)).toEqual([]);
  });

  it('says what is missing where a container is wanted', async () => {
    const said = await touchstone('check', '--target', 'container', '--', 'any').catch((error) => error);
    expect(said.stderr).toContain('npm install --save-dev testcontainers');
    expect(said.code).toBe(5);
  });

  it('explains a rule with its proof', async () => {
    const { stdout } = await touchstone('explain', 'verify.valid-key');
    expect(stdout).not.toContain('no fault in the matrix');
  });

  it('is a library with types', async () => {
    writeFileSync(
      join(folder, 'use.mjs'),
      `import { check, defineProfile, loadProfile, outcomeOf } from 'touchstone';
       console.log([check, defineProfile, loadProfile, outcomeOf].map((each) => typeof each).join());`,
    );
    const { stdout } = await inFolder(process.execPath, 'use.mjs');
    expect(stdout).toBe('function,function,function,function\n');
  });

  it('runs the examples of the docs, as the library and in vitest, with types', async () => {
    const modules = join(folder, 'node_modules');
    cpSync(join(root, 'docs/examples'), folder, { recursive: true });
    for (const name of ['vitest', '@types']) symlinkSync(join(root, 'node_modules', name), join(modules, name));
    const profile = `address: ${service.url}\nactors: { clean: { name: text-digest, input: { text: a } } }\n`;
    writeFileSync(join(folder, 'touchstone.yaml'), profile);

    const { stdout } = await inFolder(process.execPath, 'library.ts');
    expect(stdout).toMatch(/^\d+ rules in \d+ steps\nconforms: \d+ passed, \d+ untested\n$/);

    const compiler = ['--noEmit', '--strict', '--module', 'nodenext', '--types', 'node', '--skipLibCheck'];
    const tsc = join(root, 'node_modules/.bin/tsc');
    await inFolder(tsc, ...compiler, 'library.ts', 'conformance.test.ts');

    const vitest = join(root, 'node_modules/vitest/vitest.mjs');
    const results = join(folder, 'results.json');
    const quietly = ['--reporter', 'json', '--outputFile', results];
    await inFolder(process.execPath, vitest, 'run', '--root', folder, ...quietly);
    const report = JSON.parse(readFileSync(results, 'utf8')) as { success: boolean; numPassedTests: number };
    expect(report.success).toBe(true);
    expect(report.numPassedTests).toBeGreaterThan(20);
  }, 120_000);

  it('holds what it must and nothing else', () => {
    const holds = readdirSync(join(folder, 'node_modules', 'touchstone'));
    expect(holds.toSorted()).toEqual([
      'CHANGELOG.md',
      'LICENSE',
      'README.md',
      'bin',
      'dist',
      'docs',
      'load',
      'package.json',
      'proofs',
      'schema',
    ]);
    const scripts = readdirSync(join(folder, 'node_modules', 'touchstone', 'load'), { recursive: true }).map(String);
    expect(scripts).toContain('latency.ts');
    expect(scripts.filter((file) => /\.test\.|tsconfig/.test(file))).toEqual([]);
    const files = readdirSync(join(folder, 'node_modules', 'touchstone', 'dist'), { recursive: true }).map(String);
    expect(files.filter((file) => /\.test\.|testing\.|(?<!\.d)\.ts$/.test(file))).toEqual([]);
  });
});
