/** The same check a hundred times, also with both cores kept busy: the same verdicts each time. */
import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { demoProfile } from '../fixtures/profiles/demo.ts';
import { demoKeys, serve } from '../fixtures/service/index.ts';
import { checkWith } from '../src/check.ts';
import { profileFrom } from '../src/profile/parse.ts';
import { catalogue, rulesVersion } from '../suites/index.ts';
import { specification } from '../suites/specification.ts';
import type { Figure } from './measure.ts';

const times = 100;

export async function stability(): Promise<Figure[]> {
  const calm = await verdicts(1, times / 2);
  const busy = Array.from({ length: availableParallelism() }, () =>
    spawn(process.execPath, ['-e', 'const end = Date.now() + 600_000; while (Date.now() < end);'], { stdio: 'ignore' }),
  );
  try {
    const pressed = await verdicts(1001, times / 2);
    const told = [...calm, ...pressed];
    const different = new Set(told).size;
    return [
      {
        what: `${times} checks with different seeds, half of them with all cores busy`,
        value: different === 1 ? 'the same verdicts each time' : differing(told),
        goal: 'the same verdicts each time',
        reached: different === 1,
      },
    ];
  } finally {
    for (const child of busy) child.kill('SIGKILL');
  }
}

async function verdicts(from: number, count: number): Promise<string[]> {
  const keys = demoKeys('bench');
  const adminToken = 'bench-admin-token-0123456789';
  // Without limits: whether a 429 is met depends on how fast the machine is, and rules about 429s are untested without one.
  const options = {
    host: '127.0.0.1',
    port: 0,
    seed: 'bench',
    upstreamTimeoutMs: 200,
    keyLimits: false as const,
    addressLimit: false as const,
  };
  const main = await serve({ ...options, adminToken });
  const disabled = await serve(options);
  const written = demoProfile({ address: main.url, disabled: disabled.url, adminToken, keys });
  // A machine that is busy answers late; nobody is held to a bound of milliseconds here.
  const profile = profileFrom(
    { ...written, bounds: { ...written.bounds, timeout: '30s', upstream: '30s', revocation: '10s' } },
    { source: 'bench', env: {}, readFile: () => '' },
  );
  const told: string[] = [];
  for (let seed = from; seed < from + count; seed += 1) {
    const rules = { rules: catalogue, version: rulesVersion, specification };
    const run = await checkWith(rules, profile, { depth: 'quick', seed });
    told.push(run.findings.map(({ rule, verdict }) => `${rule} ${verdict}`).join('\n'));
  }
  await main.close();
  await disabled.close();
  return told;
}

/** The verdicts that not every check gave. */
function differing(told: readonly string[]): string {
  const lines = told.map((each) => each.split('\n'));
  const all = new Set(lines.flat());
  return [...all].filter((line) => lines.some((each) => !each.includes(line))).join(', ');
}
