/** What a process costs, from /proc. Where the system shows nothing, there are no samples. */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import type { Clock } from '../clock.ts';
import type { ProcessFigures, ProcessSample } from '../model/measurement.ts';

const ticksPerSecond = 100;
const pageBytes = 4096;
const everyMs = 1000;

export interface ProcessState {
  readonly cpuSeconds: number;
  readonly rssBytes: number;
  readonly sockets?: number;
}

export function lookAt(pid: number): ProcessState | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name stands in brackets and may hold anything; what follows is numbers.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const sockets = socketsOf(pid);
    return {
      cpuSeconds: (Number(fields[11]) + Number(fields[12])) / ticksPerSecond,
      rssBytes: Number(fields[21]) * pageBytes,
      ...(sockets === undefined ? {} : { sockets }),
    };
  } catch {
    return undefined;
  }
}

function socketsOf(pid: number): number | undefined {
  const folder = `/proc/${pid}/fd`;
  try {
    return readdirSync(folder).filter((each) => isSocket(`${folder}/${each}`)).length;
  } catch {
    return undefined;
  }
}

function isSocket(path: string): boolean {
  try {
    return readlinkSync(path).startsWith('socket:');
  } catch {
    return false;
  }
}

export interface Watch {
  stop(): ProcessFigures;
}

/** `at` says the second of the schedule. Several processes count as one. */
export function watchProcesses(pids: readonly number[], clock: Clock, at: () => number): Watch {
  const samples: ProcessSample[] = [];
  let before = total(pids);
  const first = before?.cpuSeconds ?? 0;
  let since = clock.now();
  let cancel = (): void => {};
  const look = (): void => {
    const state = total(pids);
    const now = clock.now();
    if (state !== undefined && before !== undefined && now > since) {
      const cpuCores = Math.max(0, (state.cpuSeconds - before.cpuSeconds) / ((now - since) / 1000));
      const { rssBytes, sockets } = state;
      samples.push({ at: at(), cpuCores, rssBytes, ...(sockets === undefined ? {} : { sockets }) });
    }
    before = state ?? before;
    since = now;
    cancel = clock.later(everyMs, look);
  };
  cancel = clock.later(everyMs, look);
  return {
    stop() {
      cancel();
      const last = total(pids) ?? before;
      return { cpuSeconds: Math.max(0, (last?.cpuSeconds ?? first) - first), samples };
    },
  };
}

function total(pids: readonly number[]): ProcessState | undefined {
  const states = pids.flatMap((pid) => lookAt(pid) ?? []);
  if (states.length < pids.length || states.length === 0) return undefined;
  const sum = (of: (state: ProcessState) => number) => states.reduce((all, state) => all + of(state), 0);
  const shown = states.every(({ sockets }) => sockets !== undefined);
  return {
    cpuSeconds: sum(({ cpuSeconds }) => cpuSeconds),
    rssBytes: sum(({ rssBytes }) => rssBytes),
    ...(shown ? { sockets: sum(({ sockets }) => sockets ?? 0) } : {}),
  };
}
