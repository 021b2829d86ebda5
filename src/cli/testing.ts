/** For the tests of the command line: the program as a child process. */
import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as passing } from 'node:timers/promises';
import { afterAll, type TestContext } from 'vitest';

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

/** A program of the system. Without it a test is skipped, and says how to get it; in a pipeline it must be there. */
export function needs(context: TestContext, tool: string, argument: string, from: string): void {
  try {
    execFileSync(tool, [argument], { stdio: 'ignore' });
  } catch {
    const says = `${tool} is not here: apt-get install ${from}`;
    if ((process.env.CI ?? '') !== '') throw new Error(says);
    context.skip(says);
  }
}

export interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/**
 * A measurement by autocannon, which runs in Touchstone, is rightly invalid where other work keeps it from the processor,
 * and then says nothing about what a test is about: it is measured again.
 */
export async function unstalled<E extends Ended>(measure: () => Promise<E>): Promise<E> {
  let ended = await measure();
  for (let more = 5; more > 0 && ended.out.includes('Touchstone itself was stalled'); more -= 1)
    ended = await measure();
  return ended;
}

interface How {
  readonly env?: Record<string, string>;
  /** A folder of its own inside the place; created if missing. */
  readonly within?: string;
  /** One of the shell's, such as `ulimit -n 64`. */
  readonly limit?: string;
  /** Sent each time that its text was seen on standard error. */
  readonly interruptAt?: readonly string[];
  /** Done once its text was seen on standard error. */
  readonly when?: { readonly said: string; readonly act: (pid: number) => void };
  /** Where standard output goes instead of into `out`. */
  readonly outTo?: string;
}

function touchstone(
  place: string,
  args: readonly string[],
  { env = {}, within = '.', limit, interruptAt = [], when, outTo }: How,
): Promise<Ended> {
  const folder = join(place, within);
  mkdirSync(folder, { recursive: true });
  const words = [process.execPath, bin, ...args];
  const [program, ...rest] = limit === undefined ? words : ['/bin/sh', '-c', `${limit}; exec "$@"`, 'sh', ...words];
  const child = spawn(program!, rest, {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: folder, ...env },
    stdio: ['ignore', outTo === undefined ? 'pipe' : openSync(outTo, 'w'), 'pipe'],
  });
  let out = '';
  let err = '';
  const waiting = [...interruptAt];
  let acted = false;
  child.stdout?.on('data', (text) => {
    out += text;
  });
  child.stderr!.on('data', (text) => {
    err += text;
    if (when !== undefined && !acted && err.includes(when.said)) {
      acted = true;
      when.act(child.pid!);
    }
    while (waiting[0] !== undefined && err.includes(waiting[0])) {
      waiting.shift();
      child.kill('SIGINT');
    }
  });
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, out, err })));
}
