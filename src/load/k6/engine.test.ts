/** The engine with programs in the place of k6 that a command line test would wait too long for. */
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { scenarios } from '../../../load/shared/scenarios.ts';
import { type Clock, systemClock } from '../../clock.ts';
import { Secret } from '../../model/secret.ts';
import { measure } from '../measure.ts';
import type { LoadPlan } from '../plan.ts';
import { k6Engine } from './engine.ts';

const folder = mkdtempSync(join(tmpdir(), 'touchstone-engine-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function engine(does: string) {
  const path = join(folder, 'k6');
  writeFileSync(path, `#!/bin/sh\n${does}\n`);
  chmodSync(path, 0o755);
  return k6Engine({ path, version: '2.2.0', major: 2 }, folder, process.env.PATH);
}

const settings = {
  perSecond: 50,
  seconds: 2,
  warmUpSeconds: 1,
  limitPerSecond: 5,
  quietPerSecond: 5,
  keys: 1,
  restSeconds: 1,
};
const plan: LoadPlan = {
  id: 'latency',
  scenario: 'latency',
  target: 'http://127.0.0.1:1',
  seed: 7,
  settings,
  phases: scenarios.latency.phases(settings),
  keys: [new Secret('main', 'vk_live_0123456789')],
  operations: [{ kind: 'run', actor: 'relay', input: '{}', weight: 1 }],
  timeoutMs: 1000,
  slowestMs: 2000,
  mostVus: 100,
  workers: 1,
  headers: [],
  tls: { insecure: false },
  limits: {},
  thresholds: [],
};

/** Half a minute passes in half a second. */
const hasty: Clock = { ...systemClock, later: (ms, call) => systemClock.later(ms > 5000 ? 500 : ms, call) };
const never = new AbortController().signal;

test('one that hangs is ended, and that is what is said', async () => {
  const measured = await measure(plan, engine('exec sleep 300'), { clock: hasty, signal: never });
  expect(measured.generator.failure).toMatch(/^k6 hung/);
  expect(measured.validity.verdict).toBe('invalid');
});

test('workers that end before they were started are not waited for', async () => {
  const measured = await measure({ ...plan, workers: 3 }, engine('echo "port is taken" >&2; exit 106'), {
    clock: systemClock,
    signal: never,
  });
  expect(measured.generator.failure).toBe('k6 could not listen at its control address: port is taken');
  expect(measured.achieved.begun).toBe(0);
});

test('one that cannot be started at all', async () => {
  const nothing = k6Engine({ path: join(folder, 'none'), version: '2.2.0', major: 2 }, folder);
  const measured = await measure(plan, nothing, { clock: systemClock, signal: never });
  expect(measured.generator.failure).toMatch(/k6 did not start: .*ENOENT/);
});
