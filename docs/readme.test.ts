/** The README is true: its profile is read, its commands run, its tables are the program's own. */
import { execFile, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Serving, seedsOf, serve } from '../fixtures/service/index.ts';
import { scenarioNames, scenarios } from '../load/shared/scenarios.ts';
import packageJson from '../package.json' with { type: 'json' };
import { adminToken, matrixKeys } from '../proofs/matrix/try-on.ts';
import { parseProfile } from '../src/profile/parse.ts';
import { exitCodes } from '../src/vocabulary.ts';

const exec = promisify(execFile);
const root = join(import.meta.dirname, '..');
const readme = readFileSync(join(root, 'README.md'), 'utf8');
const bin = join(root, 'bin', 'touchstone.cjs');
const blocks = (language: string): string[] =>
  [...readme.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, 'g'))].map((match) => match[1]!);

let folder: string;
let service: Serving;
let second: Serving;

const env = {
  ...process.env,
  API_KEY: matrixKeys.entitled.key,
  TEST_KEY: matrixKeys.entitledTest.key,
  LIMITED_KEY: matrixKeys.free.key,
  ADMIN_TOKEN: adminToken,
  TOUCHSTONE_API_KEY: matrixKeys.entitled.key,
};

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'touchstone-readme-'));
  const common = { host: '127.0.0.1', port: 0, keys: seedsOf(matrixKeys), upstreamTimeoutMs: 300 };
  service = await serve({ ...common, adminToken });
  second = await serve(common);
});

afterAll(async () => {
  await service.close();
  await second.close();
  rmSync(folder, { recursive: true, force: true });
});

const touchstone = (...args: string[]) =>
  exec(process.execPath, [bin, ...args], { cwd: folder, env }).then(
    ({ stdout }) => ({ code: 0, stdout }),
    (error: { code: number; stdout: string }) => ({ code: error.code, stdout: error.stdout }),
  );

describe('the README', () => {
  it('has a row for each load scenario, which says what it asks', () => {
    const rows = readme
      .match(/\n\| scenario \| asks \|\n\| --- \| --- \|\n((?:\|.*\n)+)/)![1]!
      .trim()
      .split('\n');
    expect(rows.map((row) => row.split('`')[1])).toEqual(scenarioNames);
    for (const [at, name] of scenarioNames.entries()) expect(rows[at]).toContain(`| ${scenarios[name].asks}`);
  });

  it('names the two commands', () => {
    expect(blocks('sh').map((block) => block.trim())).toEqual(
      expect.arrayContaining(['npm ci && npm start', 'npm cit']),
    );
    expect(packageJson.scripts.start).toBe('node bin/touchstone.cjs check --reference');
  });

  it('shows a profile that works as it stands, here with the addresses of this test', async () => {
    const [profile] = blocks('yaml');
    expect(parseProfile(profile!, { source: 'README.md', env, readFile: () => '' }).actors).toHaveLength(5);
    const here = profile!.replace('http://127.0.0.1:8080', service.url).replace('http://127.0.0.1:8081', second.url);
    writeFileSync(join(folder, 'touchstone.yaml'), here);
    const { code, stdout } = await touchstone('check', '--depth', 'quick', '--format', 'console,junit');
    expect(stdout).toContain('CONFORMS, as far as tested');
    expect(code).toBe(0);
    expect(readFileSync(join(folder, 'touchstone-report', 'junit.xml'), 'utf8')).toContain('<testsuites');
    rmSync(join(folder, 'touchstone.yaml'));
  });

  it('shows a first check that works with an address and a key alone', async () => {
    expect(readme).toContain('npx touchstone check http://127.0.0.1:8080');
    const checked = await touchstone('check', service.url, '--depth', 'quick');
    expect(checked.stdout).toContain('CONFORMS, as far as tested');
    // With so little most is untested, and the lines that would unlock it are there.
    expect(checked.stdout).toMatch(/actors: \{ clean/);
    expect((await touchstone('explain', 'verify.valid-key')).stdout).toContain('How to mend it');
    expect((await touchstone('report', 'touchstone-report/run.jsonl', '--verbose')).stdout).toContain(
      'verify.valid-key',
    );
    expect((await touchstone('judge', 'touchstone-report/run.jsonl')).code).toBe(0);
    expect((await touchstone('clauses')).stdout).toContain('§');
  });

  it('starts the reference service where there is no other', async () => {
    const child = spawn(process.execPath, [bin, 'serve', '--port', '0'], {
      cwd: folder,
      env: { ...env, TOUCHSTONE_API_KEY: '' },
    });
    const said = await new Promise<string>((resolve) => {
      let text = '';
      child.stdout.on('data', (bytes: Buffer) => {
        text += bytes.toString();
        if (text.includes('Check it:')) resolve(text);
      });
    });
    expect(said).toMatch(/listens at http:\/\/127\.0\.0\.1:\d+/);
    expect(said).toContain('export TOUCHSTONE_API_KEY=vk_live_');
    const ended = new Promise((resolve) => child.on('exit', resolve));
    child.kill('SIGINT');
    await ended;
  });

  it('lists the exit codes that there are', () => {
    const listed = [...readme.matchAll(/^\| (\d+) +\|/gm)].map((match) => Number(match[1]));
    expect(listed.toSorted((a, b) => a - b)).toEqual(Object.values(exitCodes).toSorted((a, b) => a - b));
  });

  it('names only scripts that there are', () => {
    const named = [...readme.matchAll(/npm run ([a-z0-9:-]+)/g)].map((match) => match[1]!);
    expect(named.filter((name) => !Object.hasOwn(packageJson.scripts, name))).toEqual([]);
    expect(named.length).toBeGreaterThan(0);
  });
});
