/** The README is true: its commands run, its tables are the program's own. `guides.test.ts` checks what all guides share. */
import { execFile, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Serving, seedsOf, serve } from '../fixtures/service/index.ts';
import packageJson from '../package.json' with { type: 'json' };
import { adminToken, matrixKeys } from '../proofs/matrix/try-on.ts';
import { parseProfile } from '../src/profile/parse.ts';
import { exitCodes } from '../src/vocabulary.ts';

const exec = promisify(execFile);
const root = join(import.meta.dirname, '..');
const readme = readFileSync(join(root, 'README.md'), 'utf8');
const bin = join(root, 'bin', 'touchstone.cjs');
const blocks = (language: string, page = readme): string[] =>
  [...page.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, 'g'))].map((match) => match[1]!);

let folder: string;
let service: Serving;
let second: Serving;

const env = {
  ...process.env,
  API_KEY: matrixKeys.entitled.key,
  TEST_KEY: matrixKeys.entitledTest.key,
  SPARE_KEY: matrixKeys.spare.key,
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
  it('names the two commands', () => {
    expect(blocks('sh').map((block) => block.trim())).toEqual(
      expect.arrayContaining(['npm ci && npm start', 'npm cit']),
    );
    expect(packageJson.scripts.start).toBe('node bin/touchstone.cjs check --reference');
  });

  it('shows a profile that works; this test replaces the addresses', async () => {
    const [profile] = blocks('yaml', readFileSync(join(root, 'docs/profile.md'), 'utf8'));
    expect(parseProfile(profile!, { source: 'docs/profile.md', env, readFile: () => '' }).actors).toHaveLength(7);
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
    expect((await touchstone('explain', 'verify.valid-key')).stdout).toContain('How to fix it');
    expect((await touchstone('report', 'touchstone-report/run.jsonl', '--verbose')).stdout).toContain(
      'verify.valid-key',
    );
    expect((await touchstone('judge', 'touchstone-report/run.jsonl')).code).toBe(0);
    expect((await touchstone('clauses')).stdout).toContain('§');
  });

  it('shows how to enter a key that is not printed', async () => {
    const line = /^read -rs .*$/m.exec(readme)?.[0].replace(/#.*/, '');
    const running = exec('bash', ['-c', `${line}; printf %s "$TOUCHSTONE_API_KEY" | wc -c`]);
    running.child.stdin?.end('vk_live_1\n');
    expect((await running).stdout.trim()).toBe('9');
  });

  it('starts the reference service', async () => {
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
});
