/** For the tests of the command line: the program as a child process. */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

export const bin = join(import.meta.dirname, '../../bin/touchstone.cjs');

/** Other work may keep the machine busy. */
export const patience = { timeout: 60_000 };

/** A folder for one file of tests. */
export const folder = mkdtempSync(join(tmpdir(), 'touchstone-cli-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

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

export function touchstone(args: readonly string[], { env = {}, interruptAt = [] }: How = {}): Promise<Ended> {
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

export const file = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text);
  return name;
};
