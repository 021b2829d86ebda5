/** The near end of the guardian's pipe. */
import { type ChildProcess, spawn } from 'node:child_process';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { guardianVariable, thisOwner } from './owner.ts';

/** What is to be ended when the run is gone. */
export type Duty =
  | { readonly is: 'mark'; readonly mark: string; readonly graceMs: number }
  | { readonly is: 'group'; readonly group: number; readonly mark: string; readonly graceMs: number }
  | { readonly is: 'group-ended'; readonly group: number }
  | {
      readonly is: 'program';
      readonly name: string;
      readonly command: readonly string[];
      readonly env: Readonly<Record<string, string>>;
      readonly folder: string;
    }
  | { readonly is: 'program-done'; readonly name: string }
  | { readonly is: 'containers'; readonly owner: string }
  | { readonly is: 'done' };

export interface Guard {
  tell(duty: Duty): void;
  /** Everything has ended, except programs that were not marked as done: the guardian runs those before it exits. */
  release(): Promise<void>;
}

/** It is started first and informed before anything starts, so that somebody would clean up at every moment. */
export function startGuard(env: Readonly<Record<string, string | undefined>>): Guard {
  const path = fileURLToPath(new URL(`./guardian${extname(import.meta.filename)}`, import.meta.url));
  // In a session of its own: what ends the run's terminal or process group does not end it.
  const child: ChildProcess = spawn(process.execPath, [path], {
    detached: true,
    cwd: '/',
    env: { ...env, NODE_OPTIONS: '', [guardianVariable]: thisOwner() },
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  const ended = new Promise<void>((resolve) => {
    child.on('error', () => resolve());
    child.on('exit', () => resolve());
  });
  child.stdin?.on('error', () => {});
  child.unref();
  return {
    tell: (duty) => {
      child.stdin?.write(`${JSON.stringify(duty)}\n`);
    },
    async release() {
      child.ref();
      child.stdin?.end(`${JSON.stringify({ is: 'done' } satisfies Duty)}\n`);
      await ended;
    },
  };
}
