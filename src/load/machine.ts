/** The machine that the load came from: figures of two machines must not be compared. */
import { readFileSync } from 'node:fs';
import { availableParallelism, cpus, release, type as system, totalmem } from 'node:os';
import { version } from 'node:process';
import type { Machine } from '../model/measurement.ts';

export const thisMachine = (): Machine => ({
  cpu: cpus()[0]?.model.trim() ?? 'unknown',
  cores: availableParallelism(),
  memoryBytes: totalmem(),
  system: `${system()} ${release()}`,
  node: version,
});

/** What a container or a service manager leaves us of the processor. */
export function coresAllowed(): number {
  const cores = availableParallelism();
  try {
    const [quota, period] = readFileSync('/sys/fs/cgroup/cpu.max', 'utf8').trim().split(' ');
    return quota === 'max' ? cores : Math.min(cores, Number(quota) / Number(period));
  } catch {
    return cores;
  }
}
