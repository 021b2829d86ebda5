import { spawn } from 'node:child_process';
import { afterAll, expect, test } from 'vitest';
import { systemClock } from '../clock.ts';
import { familyOf, lookAt, watchProcesses } from './watch-processes.ts';

const children: ReturnType<typeof spawn>[] = [];
afterAll(() => {
  for (const child of children) process.kill(-child.pid!, 'SIGKILL');
});

/** In a group of its own, which ends with the test. Resolves with what it says first. */
async function started(does: string): Promise<{ pid: number; said: string }> {
  const child = spawn('/bin/sh', ['-c', does], { detached: true, stdio: ['ignore', 'pipe', 'ignore'] });
  children.push(child);
  const said = await new Promise<string>((resolve) => child.stdout!.once('data', (text) => resolve(String(text))));
  return { pid: child.pid!, said };
}

const linux = process.platform === 'linux';

test.runIf(linux)('a process counts together with all that it started, however deep', async () => {
  const { pid, said } = await started('sh -c "sleep 300 & echo \\$!; wait" & wait');
  const family = familyOf(pid);
  expect(family).toHaveLength(3);
  expect(family[0]).toBe(pid);
  expect(family).toContain(Number(said));
  expect(familyOf(4_194_000)).toEqual([4_194_000]);
});

test.runIf(linux)('what a child that has ended had spent stays spent', async () => {
  const { pid: idle } = await started('echo ready; sleep 300');
  const { pid: busy } = await started('echo ready; while :; do :; done');
  let pids: readonly number[] = [idle, busy];
  const watch = watchProcesses(
    () => pids,
    systemClock,
    () => 0,
  );
  for (let waited = 0; waited < 30_000 && (lookAt(busy)?.cpuSeconds ?? 0) < 1.5; waited += 100)
    await systemClock.sleep(100);
  pids = [idle];
  await systemClock.sleep(1500);
  const { cpuSeconds, samples } = watch.stop();
  expect(cpuSeconds).toBeGreaterThan(0.2);
  expect(samples.length).toBeGreaterThan(0);
  expect(samples.every(({ cpuCores }) => cpuCores >= 0)).toBe(true);
});
