/**
 * Whose a thing is that was left behind, and whether its owner still lives: the machine, the process and when it began. Runs in
 * other containers look dead from here, so only what this very machine owns is ever taken for left behind.
 */
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

/** The label of containers, and the variable of processes, that says who started them. */
export const ownerLabel = 'touchstone.owner';
export const ownerVariable = 'TOUCHSTONE_TARGET';
/** Whose guardian a process is. */
export const guardianVariable = 'TOUCHSTONE_GUARDIAN';

const machine = (): string => {
  let namespace = '';
  try {
    namespace = readlinkSync('/proc/self/ns/pid').replaceAll(/\D/g, '');
  } catch {
    // Not Linux: the name of the machine has to do.
  }
  return `${hostname().replaceAll(/[^\w.-]/g, '')}.${namespace}`;
};

/** When a process began, in ticks since the machine did: a process identifier comes back, this does not. */
function begun(pid: number): string | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return text.slice(text.lastIndexOf(')') + 2).split(' ')[19];
  } catch {
    return undefined;
  }
}

export const ownerOf = (pid: number): string => `${machine()}_${pid}_${begun(pid) ?? ''}`;

export const thisOwner = (): string => ownerOf(process.pid);

/** An owner of this machine whose process goes on. */
export function isAlive(owner: string): boolean {
  const match = /^.*_(\d+)_\d*$/.exec(owner);
  return match !== null && ownerOf(Number(match[1])) === owner && !isDead(owner);
}

/** True only where it is sure: an owner of this machine whose process is gone. */
export function isDead(owner: string): boolean {
  const match = /^(.*)_(\d+)_(\d*)$/.exec(owner);
  if (match === null || match[1] !== machine()) return false;
  const pid = Number(match[2]);
  try {
    process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
  return match[3] !== '' && begun(pid) !== match[3];
}
