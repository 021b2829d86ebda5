/** Ending processes: a group, and every process that carries the mark of a run, in any group. */
import { readdirSync, readFileSync } from 'node:fs';
import type { Clock } from '../clock.ts';
import { guardianVariable, ownerVariable } from './owner.ts';

const pauseMs = 20;

/** Whether any process of a group is alive. A zombie is not. */
export function lives(group: number): boolean {
  if (!signalGroup(group, 0)) return false;
  const all = processes();
  return all.length === 0 || all.some(({ group: each, state }) => each === group && state !== 'Z' && state !== 'X');
}

/** As Linux lists them; empty elsewhere. */
const processes = (): { readonly group: number; readonly state: string }[] =>
  filesOf('stat').map(([, text]) => {
    // The name may hold anything; what follows its bracket may not.
    const [state = '', , group] = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return { group: Number(group), state };
  });

/** False where there is no such group any more. */
export function signalGroup(group: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(-group, signal);
    return true;
  } catch (error) {
    // macOS says EPERM of a group of zombies.
    return (error as NodeJS.ErrnoException).code !== 'ESRCH' && process.platform !== 'darwin';
  }
}

/** Processes whose environment holds the mark: those too that left their group. Only Linux shows it. */
export function marked(mark: string, strangers: ReadonlySet<number> = nobody): number[] {
  const wanted = `${ownerVariable}=${mark}\0`;
  return filesOf('environ', strangers).flatMap(([pid, text]) => (text.includes(wanted) ? [pid] : []));
}

/** Who runs before a mark is given to anybody has none: to be passed over where one looks often. */
export const runningNow = (): ReadonlySet<number> => new Set(pids());

const nobody: ReadonlySet<number> = new Set();

/** Every process that this owner's run started, and its guardian. */
export const ownedBy = (owner: string): number[] =>
  environments().flatMap(([pid, text]) =>
    text.includes(`${ownerVariable}=${owner}_`) || text.includes(`${guardianVariable}=${owner}\0`) ? [pid] : [],
  );

/** What the processes with this mark were started with: a list of words each, by their number. Only Linux shows it. */
export const commandLines = (mark: string, strangers: ReadonlySet<number>): ReadonlyMap<number, string> =>
  new Map(marked(mark, strangers).flatMap((pid) => fileOf(pid, 'cmdline')));

const environments = () => filesOf('environ');

type File = 'environ' | 'stat' | 'cmdline';

/** One file of every process but this one and those that are passed over. */
const filesOf = (file: File, but = nobody): (readonly [number, string])[] =>
  pids().flatMap((pid) => (pid === process.pid || but.has(pid) ? [] : fileOf(pid, file)));

function pids(): number[] {
  try {
    return readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? [Number(name)] : []));
  } catch {
    return [];
  }
}

function fileOf(pid: number, file: File): (readonly [number, string])[] {
  try {
    return [[pid, readFileSync(`/proc/${pid}/${file}`, 'latin1')]];
  } catch {
    return [];
  }
}

function signalAll(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal);
    } catch {
      // It ended meanwhile, which is what is wanted.
    }
  }
}

/** Asks all to end, waits as long as they may take, and kills what is left. Resolves when nothing is. */
export async function endAll(groups: readonly number[], mark: string, graceMs: number, clock: Clock): Promise<void> {
  const left = (): boolean => groups.some(lives) || marked(mark).length > 0;
  const waitFor = async (ms: number): Promise<void> => {
    const until = clock.now() + ms;
    for (let pause = 1; left() && clock.now() < until; pause = Math.min(pause * 2, pauseMs)) await clock.sleep(pause);
  };
  for (const group of groups) signalGroup(group, 'SIGTERM');
  signalAll(marked(mark), 'SIGTERM');
  await waitFor(graceMs);
  // Twice: a process may have been forking while the list was made.
  for (let again = 0; again < 5 && left(); again += 1) {
    for (const group of groups) signalGroup(group, 'SIGKILL');
    signalAll(marked(mark), 'SIGKILL');
    await waitFor(200);
  }
}
