/** Ending processes: a group of them, and whatever carries the mark of a run, wherever it has gone. */
import { readdirSync, readFileSync } from 'node:fs';
import type { Clock } from '../clock.ts';
import { guardianVariable, ownerVariable } from './owner.ts';

const pauseMs = 20;

/** Whether any of a group lives. Who has ended and waits for its parent to hear of it does not. */
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
export function marked(mark: string): number[] {
  const wanted = `${ownerVariable}=${mark}\0`;
  return environments().flatMap(([pid, text]) => (text.includes(wanted) ? [pid] : []));
}

/** Every process that this owner's run started, and its guardian. */
export const ownedBy = (owner: string): number[] =>
  environments().flatMap(([pid, text]) =>
    text.includes(`${ownerVariable}=${owner}_`) || text.includes(`${guardianVariable}=${owner}\0`) ? [pid] : [],
  );

/** What the processes with this mark were started with: a list of words each, by their number. Only Linux shows it. */
export function commandLines(mark: string): ReadonlyMap<number, string> {
  const own = new Set(marked(mark));
  return new Map(filesOf('cmdline').filter(([pid]) => own.has(pid)));
}

const environments = () => filesOf('environ');

/** One file of every process but this one. */
function filesOf(file: 'environ' | 'stat' | 'cmdline'): (readonly [number, string])[] {
  let names: string[];
  try {
    names = readdirSync('/proc');
  } catch {
    return [];
  }
  return names.flatMap((name) => {
    if (!/^\d+$/.test(name) || Number(name) === process.pid) return [];
    try {
      return [[Number(name), readFileSync(`/proc/${name}/${file}`, 'latin1')] as const];
    } catch {
      return [];
    }
  });
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
