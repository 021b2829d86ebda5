/** The vitest door, tried with a real `vitest run` in a folder of its own. */
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { demoProfile } from '../fixtures/profiles/demo.ts';
import { demoKeys, type Overlay, type Serving, serve } from '../fixtures/service/index.ts';

const root = join(import.meta.dirname, '..');
const keys = demoKeys('door');
const adminToken = 'door-admin-token-0123456789';
const opened: Serving[] = [];
let folder: string;

beforeAll(() => {
  mkdirSync(join(root, 'touchstone-report'), { recursive: true });
  folder = mkdtempSync(join(root, 'touchstone-report', 'door-'));
});

afterAll(async () => {
  for (const service of opened) await service.close();
  rmSync(folder, { recursive: true, force: true });
});

interface Told {
  readonly code: number | null;
  readonly tests: ReadonlyMap<string, { readonly status: string; readonly text: string }>;
}

async function vitestOn(
  name: string,
  options: { lie?: Overlay; complete?: boolean; waivers?: string; only: string[] },
): Promise<Told> {
  const common = { host: '127.0.0.1', port: 0, seed: 'door', upstreamTimeoutMs: 200 };
  const service = await serve({
    ...common,
    adminToken,
    ...(options.lie === undefined ? {} : { decisions: options.lie }),
  });
  opened.push(service);
  const own = join(folder, name);
  mkdirSync(own);
  writeFileSync(join(own, 'profile.json'), JSON.stringify(demoProfile({ address: service.url, adminToken, keys })));
  if (options.waivers !== undefined) writeFileSync(join(own, 'touchstone.waivers.yaml'), options.waivers);
  writeFileSync(join(own, 'vitest.config.mjs'), 'export default { test: { include: ["*.check.ts"] } };\n');
  writeFileSync(
    join(own, 'conformance.check.ts'),
    `import { conformance } from '${join(root, 'src', 'vitest.ts')}';
conformance('profile.json', {
  depth: 'quick',
  seed: 1,
  selected: new Set(${JSON.stringify(options.only)}),
  ${options.complete === undefined ? '' : `complete: ${options.complete},`}
});
`,
  );
  const output = join(own, 'result.json');
  const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
  const code = await new Promise<number | null>((resolve, reject) => {
    const child = spawn(process.execPath, [vitest, 'run', '--reporter=json', `--outputFile=${output}`], {
      cwd: own,
      stdio: 'ignore',
      env: { ...process.env, VITEST: undefined, NODE_OPTIONS: undefined },
    });
    child.on('error', reject);
    child.on('exit', resolve);
  });
  const result = JSON.parse(readFileSync(output, 'utf8')) as {
    testResults: { assertionResults: { title: string; status: string; failureMessages: string[] }[] }[];
  };
  const tests = result.testResults.flatMap((file) => file.assertionResults);
  return {
    code,
    tests: new Map(
      tests.map(({ title, status, failureMessages }) => [
        title.split(' ')[0]!,
        { status, text: failureMessages.join('\n') },
      ]),
    ),
  };
}

describe('conformance()', () => {
  it('registers a test for each rule, and passes on the reference', async () => {
    const only = ['verify.valid-key', 'run.success-shape', 'run.status-values', 'disabled.refuses-every-call'];
    const { code, tests } = await vitestOn('reference', { only });
    expect(Object.fromEntries([...tests].map(([rule, { status }]) => [rule, status]))).toEqual({
      'verify.valid-key': 'passed',
      'run.success-shape': 'passed',
      'run.status-values': 'passed',
      // The profile names no second instance: a skip that says so, and no pass.
      'disabled.refuses-every-call': 'skipped',
    });
    expect(code).toBe(0);
  });

  it('fails with what was expected and the exchange that shows it', async () => {
    const lie: Overlay = () => ({ verifyBody: () => ({ valid: 'yes', tier: 'pro' }) });
    const { code, tests } = await vitestOn('faulty', { lie, only: ['verify.valid-key', 'verify.missing-key'] });
    expect(code).toBe(1);
    expect(tests.get('verify.missing-key')?.status).toBe('passed');
    expect(tests.get('verify.valid-key')?.status).toBe('failed');
    expect(tests.get('verify.valid-key')?.text).toContain('`valid` to be true');
    expect(tests.get('verify.valid-key')?.text).toContain('GET /v1/auth/verify');
    expect(tests.get('verify.valid-key')?.text).not.toContain(keys.entitled.key);
  });

  it('skips what is waived beside the profile, and fails where a waiver has rotted', async () => {
    const soon = new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10);
    const waiver = (rule: string): string =>
      `  - { rule: ${rule}, expectation: fail, reason: fixed in 2.1, owner: keys@acme, expires: ${soon} }\n`;
    const only = ['verify.valid-key', 'verify.missing-key'];
    const lie: Overlay = () => ({ verifyBody: () => ({ valid: 'yes', tier: 'pro' }) });
    const held = await vitestOn('waived', { lie, only, waivers: `waivers:\n${waiver('verify.valid-key')}` });
    expect(held.tests.get('verify.valid-key')?.status).toBe('skipped');
    expect(held.code).toBe(0);
    const both = `waivers:\n${waiver('verify.valid-key')}${waiver('verify.missing-key')}`;
    const rotten = await vitestOn('rotten', { lie, only, waivers: both });
    expect(rotten.tests.get('verify.missing-key')?.status).toBe('passed');
    expect(rotten.code).toBe(1);
  });

  it('fails what could not be tested where the profile wants it complete', async () => {
    const { code, tests } = await vitestOn('complete', { complete: true, only: ['disabled.refuses-every-call'] });
    expect(code).toBe(1);
    expect(tests.get('disabled.refuses-every-call')?.text).toContain('disabled: { address');
  });
});
