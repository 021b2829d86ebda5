/** The package as its users get it: built, packed, installed in an empty folder, run from there. */
import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import packageJson from './package.json' with { type: 'json' };
import { version } from './src/version.ts';

const exec = promisify(execFile);
const root = import.meta.dirname;
let folder: string;

/** What vitest and npm set for their children is nobody else's business. */
const env = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^(npm_|VITEST|NODE_ENV|NODE_OPTIONS|INIT_CWD)/i.test(name)),
);

const inFolder = (command: string, ...args: string[]) => exec(command, args, { cwd: folder, env });

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'touchstone-package-'));
  await exec('npm', ['pack', '--silent', '--pack-destination', folder], { cwd: root, env });
  const tarball = readdirSync(folder).find((file) => file.endsWith('.tgz'))!;
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n');
  await inFolder('npm', 'install', '--silent', '--prefer-offline', '--no-audit', '--no-fund', `./${tarball}`);
}, 180_000);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const touchstone = (...args: string[]) =>
  inFolder(process.execPath, 'node_modules/touchstone/bin/touchstone.cjs', ...args);

describe('the installed package', () => {
  it('says its version', async () => {
    const { stdout } = await touchstone('--version');
    expect(stdout).toBe(`${version}\n`);
    expect(packageJson.version).toBe(version);
  });

  it('checks the embedded reference service', async () => {
    const { stdout } = await touchstone('check', '--reference', '--depth', 'quick', '--quiet');
    expect(stdout).toContain('CONFORMS');
  });

  it('explains a rule with its proof', async () => {
    const { stdout } = await touchstone('explain', 'verify.valid-key');
    expect(stdout).not.toContain('no fault that the matrix knows of');
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

  it('holds what it must and nothing else', () => {
    const holds = readdirSync(join(folder, 'node_modules', 'touchstone'));
    expect(holds.toSorted()).toEqual([
      'LICENSE',
      'README.md',
      'bin',
      'dist',
      'fixtures',
      'load',
      'package.json',
      'schema',
    ]);
    const scripts = readdirSync(join(folder, 'node_modules', 'touchstone', 'load'), { recursive: true }).map(String);
    expect(scripts).toContain('latency.ts');
    expect(scripts.filter((file) => /\.test\.|tsconfig/.test(file))).toEqual([]);
    const files = readdirSync(join(folder, 'node_modules', 'touchstone', 'dist'), { recursive: true }).map(String);
    expect(files.filter((file) => /\.test\.|testing\.|(?<!\.d)\.ts$/.test(file))).toEqual([]);
  });
});
