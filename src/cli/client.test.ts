/** `touchstone client` as its users run it: from the command line, with a profile, and through vitest. */
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { clientRules } from '../../suites/client/index.ts';

const exec = promisify(execFile);
const root = join(import.meta.dirname, '../..');
const bin = join(root, 'bin/touchstone.cjs');
const program = join(root, 'fixtures/clients/client.mjs');
let folder: string;

beforeAll(() => {
  mkdirSync(join(root, 'touchstone-report'), { recursive: true });
  folder = mkdtempSync(join(root, 'touchstone-report', 'client-'));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const run = (file: string, ...args: string[]) =>
  exec(process.execPath, [file, ...args], { cwd: folder, env: { ...process.env, CI: '' } }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    (error: { code: number; stdout: string; stderr: string }) => error,
  );

const touchstone = (...args: string[]) => run(bin, ...args);

const profile = (fault: string, more = ''): string => {
  const path = join(folder, `${fault}.yaml`);
  writeFileSync(
    path,
    `client:
  command: [${process.execPath}, ${program}]
  env: { BASE_URL: "{base}", API_KEY: "{key}", ACTOR: "{actor}", INPUT: "{input}", FAULT: ${fault} }
  says:
    complete: { exit: 0, output: '"outcome":"complete"' }
    partial: { exit: 2 }
    failed: { exit: 1 }
${more}`,
  );
  return path;
};

describe('touchstone client', { timeout: 120_000 }, () => {
  it('judges a command that stands after --, for programs too, and its run can be judged again', async () => {
    const { code, stdout } = await touchstone('client', '--depth', 'quick', '--json', '--', process.execPath, program);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ outcome: 'conforms' });
    const again = await touchstone('judge', 'touchstone-report/run.jsonl');
    expect(again.stdout).toContain(`${clientRules.length} verdicts derived again: all as written.`);
    expect(again.code).toBe(0);
  });

  it('judges what a profile says, fails where a required rule is broken, and shows what it saw', async () => {
    const path = profile('does-not-look-at-status');
    const { code, stdout } = await touchstone('client', '-p', path, '--depth', 'quick', '--only', 'client.checks-*');
    expect(code).toBe(1);
    expect(stdout).toContain('FAIL client.checks-status');
    expect(stdout).toMatch(/0\.00 s {2}started/);
  });

  it('puts up with what a waiver names', async () => {
    const path = profile('wraps-the-input');
    const waivers = join(folder, 'waivers.yaml');
    const soon = new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10);
    writeFileSync(
      waivers,
      `waivers:
  - { rule: client.sends-the-input, expectation: fail, reason: the old endpoint took it so, owner: sdk, expires: ${soon} }
`,
    );
    const { code, stdout } = await touchstone('client', '-p', path, '-w', waivers, '--depth', 'quick', '--quiet');
    expect(stdout).toContain('WAIVED');
    expect(code).toBe(0);
  });

  it.each([
    ['nothing to judge', ['client'], 2, 'no-client'],
    [
      'a program that needs a variable',
      ['client', '--', 'sh', '-c', 'echo "KeyError: SDK_KEY"; exit 1'],
      4,
      '`client.env`',
    ],
    ['a program that there is not', ['client', '--', './no-such-program'], 4, 'there is no program'],
    ['a rule that there is not', ['client', '--only', 'client.wait-as-told', '--', 'x'], 2, 'client.waits-as-told'],
  ])('says what is wrong: %s', async (_, args, code, says) => {
    const told = await touchstone(...args);
    expect(told.code).toBe(code);
    expect(told.stdout + told.stderr).toContain(says);
  });

  it('refuses a service check of a profile that has a client and no address', async () => {
    const told = await touchstone('check', '-p', profile('nothing'));
    expect([told.code, told.stderr]).toEqual([2, expect.stringContaining('no-address')]);
  });

  it('is one vitest test a rule', async () => {
    const path = profile('says-form');
    writeFileSync(join(folder, 'vitest.config.mjs'), 'export default { test: { include: ["*.check.ts"] } };\n');
    writeFileSync(
      join(folder, 'client.check.ts'),
      `import { clientConformance } from '${join(root, 'src/vitest.ts')}';
clientConformance('${path}', { depth: 'quick', selected: new Set(['client.says-json', 'client.sends-the-key']) });
`,
    );
    const output = join(folder, 'result.json');
    const vitest = join(root, 'node_modules/vitest/vitest.mjs');
    const { code } = await run(vitest, 'run', '--reporter=json', `--outputFile=${output}`);
    const { testResults } = JSON.parse(readFileSync(output, 'utf8'));
    const states = testResults[0].assertionResults.map((each: { title: string; status: string }) => [
      each.title.split(' ')[0],
      each.status,
    ]);
    expect(states).toEqual([
      ['client.says-json', 'failed'],
      ['client.sends-the-key', 'passed'],
    ]);
    expect(code).toBe(1);
  });
});
