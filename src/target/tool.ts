/** A program of the machine that is asked something: bounded output, a deadline, ended with the run. */
import { spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import { collect } from './output.ts';
import type { Surroundings } from './target.ts';

export interface ToolOptions {
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  readonly longestMs: number;
  /** If omitted: it may not be interrupted, because it tidies up. */
  readonly signal?: AbortSignal;
  readonly around: Pick<Surroundings, 'clock' | 'keyring'>;
}

export interface ToolOutcome {
  /** Undefined: it went well; `ENOENT` where there is no such program. */
  readonly failed?: { readonly code?: string; readonly why: string };
  /** What it printed, the beginning of it where that is much. */
  readonly out: string;
  /** Its last lines of both kinds, safe to be shown. */
  readonly said: string;
}

const keptOut = 1_000_000;

export async function runTool(command: readonly string[], options: ToolOptions): Promise<ToolOutcome> {
  const { folder, env, longestMs, signal, around } = options;
  signal?.throwIfAborted();
  const [program = '', ...args] = command;
  const child = spawn(program, args, { cwd: folder, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  const output = collect([child.stdout, child.stderr], around.keyring);
  const out = keepStart(child.stdout);
  let late = false;
  const kill = (): void => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    } catch {
      // It ended meanwhile.
    }
  };
  const cancel = around.clock.later(longestMs, () => {
    late = true;
    kill();
  });
  signal?.addEventListener('abort', kill, { once: true });
  try {
    const failed = await new Promise<ToolOutcome['failed']>((done) => {
      child.on('error', (error: NodeJS.ErrnoException) =>
        done({ ...(error.code === undefined ? {} : { code: error.code }), why: error.message }),
      );
      child.on('close', (code, by) =>
        done(
          code === 0 ? undefined : { why: late ? 'it took too long' : `it ended with ${by ?? `exit code ${code}`}` },
        ),
      );
    });
    signal?.throwIfAborted();
    return { ...(failed === undefined ? {} : { failed }), out: out(), said: output.last() };
  } finally {
    cancel();
    signal?.removeEventListener('abort', kill);
  }
}

function keepStart(stream: Readable): () => string {
  const parts: Buffer[] = [];
  let size = 0;
  stream.on('data', (chunk: Buffer) => {
    if (size < keptOut) parts.push(chunk);
    size += chunk.length;
  });
  return () => Buffer.concat(parts).toString('utf8').slice(0, keptOut);
}
