/** For the tests of the command line: the program as a child process. */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as passing } from 'node:timers/promises';
import { afterAll } from 'vitest';

export const bin = join(import.meta.dirname, '../../bin/touchstone.cjs');

/** Other work may keep the machine busy. */
export const patience = { timeout: 60_000 };

/** Whether it becomes true within ten seconds. */
export async function soon(what: () => boolean): Promise<boolean> {
  for (let tries = 0; tries < 200; tries += 1) {
    if (what()) return true;
    await passing(50);
  }
  return false;
}

/** What nobody has buried yet runs no more. */
export function isRunning(pid: number): boolean {
  try {
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

/** A folder for one file of tests, and what is done in it. To be asked for once a file, because it ends with the file. */
export function place() {
  const folder = mkdtempSync(join(tmpdir(), 'touchstone-cli-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return {
    folder,
    touchstone: (args: readonly string[], how: How = {}): Promise<Ended> => touchstone(folder, args, how),
    file: (name: string, text: string): string => {
      writeFileSync(join(folder, name), text);
      return name;
    },
  };
}

export interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

interface How {
  readonly env?: Record<string, string>;
  /** Sent each time that its text was seen on standard error. */
  readonly interruptAt?: readonly string[];
}

function touchstone(folder: string, args: readonly string[], { env = {}, interruptAt = [] }: How): Promise<Ended> {
  const child = spawn(process.execPath, [bin, ...args], {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: folder, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let out = '';
  let err = '';
  const waiting = [...interruptAt];
  child.stdout.on('data', (text) => {
    out += text;
  });
  child.stderr.on('data', (text) => {
    err += text;
    while (waiting[0] !== undefined && err.includes(waiting[0])) {
      waiting.shift();
      child.kill('SIGINT');
    }
  });
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, out, err })));
}
