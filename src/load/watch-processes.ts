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

/** The name is in brackets and may hold anything; what follows is numbers. */
function statOf(pid: number): readonly string[] {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

const cpuSecondsIn = (fields: readonly string[]): number => (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;

/** Undefined: there is no such process that may be looked at. */
export function cpuSecondsOf(pid: number): number | undefined {
  try {
    return cpuSecondsIn(statOf(pid));
  } catch {
    return undefined;
  }
}

export function lookAt(pid: number): ProcessState | undefined {
  try {
    const fields = statOf(pid);
    const sockets = socketsOf(pid);
    return {
      cpuSeconds: cpuSecondsIn(fields),
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

/** A process and all that it started, as far as Linux shows who started whom. */
export function familyOf(pid: number): readonly number[] {
  return [pid, ...childrenOf(pid).flatMap(familyOf)];
}

function childrenOf(pid: number): readonly number[] {
  try {
    // Each thread has children of its own.
    return readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
      [...readFileSync(`/proc/${pid}/task/${thread}/children`, 'latin1').matchAll(/\d+/g)].map(Number),
    );
  } catch {
    return [];
  }
}

export interface Watch {
  stop(): ProcessFigures;
}

/** `at` says the second of the schedule. Several processes count as one; which they are is asked each time. */
export function watchProcesses(pids: () => readonly number[], clock: Clock, at: () => number): Watch {
  const samples: ProcessSample[] = [];
  const spent = cpuMeter();
  let before = look(pids(), spent);
  let since = clock.now();
  let cancel = (): void => {};
  const again = (): void => {
    const state = look(pids(), spent);
    const now = clock.now();
    if (state !== undefined && before !== undefined && now > since) {
      const cpuCores = Math.max(0, (state.cpuSeconds - before.cpuSeconds) / ((now - since) / 1000));
      const { rssBytes, sockets } = state;
      samples.push({ at: at(), cpuCores, rssBytes, ...(sockets === undefined ? {} : { sockets }) });
    }
    before = state ?? before;
    since = now;
    cancel = clock.later(everyMs, again);
  };
  cancel = clock.later(everyMs, again);
  return {
    stop() {
      cancel();
      const last = look(pids(), spent) ?? before;
      return { cpuSeconds: last?.cpuSeconds ?? 0, samples };
    },
  };
}

/** What was spent since the first look. A process that has ended keeps what it had spent, and one that began meanwhile began with nothing. */
function cpuMeter(): (states: ReadonlyMap<number, ProcessState>) => number {
  let before: ReadonlyMap<number, ProcessState> | undefined;
  let spent = 0;
  return (states) => {
    if (before !== undefined)
      for (const [pid, { cpuSeconds }] of states) spent += Math.max(0, cpuSeconds - (before.get(pid)?.cpuSeconds ?? 0));
    before = states;
    return spent;
  };
}

function look(pids: readonly number[], spent: ReturnType<typeof cpuMeter>): ProcessState | undefined {
  const seen = new Map(
    pids.flatMap((pid) => {
      const state = lookAt(pid);
      return state === undefined ? [] : [[pid, state] as const];
    }),
  );
  if (seen.size < pids.length || seen.size === 0) return undefined;
  const states = [...seen.values()];
  const sum = (of: (state: ProcessState) => number) => states.reduce((all, state) => all + of(state), 0);
  const shown = states.every(({ sockets }) => sockets !== undefined);
  return {
    cpuSeconds: spent(seen),
    rssBytes: sum(({ rssBytes }) => rssBytes),
    ...(shown ? { sockets: sum(({ sockets }) => sockets ?? 0) } : {}),
  };
}
