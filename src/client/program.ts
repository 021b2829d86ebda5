/** One start of a client: in a process group of its own, read, watched, and ended with all that it started. */
import { type ChildProcess, spawn } from 'node:child_process';
import type { Clock } from '../clock.ts';
import type { Guard } from '../target/guard.ts';
import { ownerVariable } from '../target/owner.ts';
import { commandLines, endAll, lives, marked } from '../target/processes.ts';

export interface Start {
  readonly command: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly folder: string;
  readonly stdin: string | undefined;
  readonly mark: string;
  /** Processes that it did not start. */
  readonly strangers: ReadonlySet<number>;
}

export interface Spoken {
  readonly output: string;
  readonly errors: string;
}

export interface Program {
  /** Resolves when it has ended and all that it wrote is here. */
  readonly ended: Promise<{ readonly exit?: number; readonly signal?: string; readonly notStarted?: string }>;
  said(): Spoken;
  /** The arguments of processes that it started, one text a process. */
  children(): readonly string[];
  /** Ends what is left, and says how many processes that were. */
  end(graceMs: number): Promise<number>;
}

const mostKept = 512 * 1024;
/** What was written before the end may still be on its way here, on a busy machine for long. */
const lastWordsMs = 10_000;
/** A process that holds the pipes open after the end of its parent must not hold us. */
const childrenMs = 300;
/** A process that is on its way out when the program ends is not left behind. */
const windingUpMs = 1000;

export function startProgram(start: Start, clock: Clock, guard: Guard): Program {
  const [name = '', ...words] = start.command;
  const env = { ...start.env, [ownerVariable]: start.mark };
  guard.tell({ is: 'mark', mark: start.mark, graceMs: 500 });
  const child = spawn(name, words, { cwd: start.folder, env, detached: true, stdio: ['pipe', 'pipe', 'pipe'] });
  const group = child.pid;
  if (group !== undefined) guard.tell({ is: 'group', group, mark: start.mark, graceMs: 500 });
  const output = collect(child.stdout);
  const errors = collect(child.stderr);
  child.stdin.on('error', () => {});
  child.stdin.end(start.stdin ?? '');
  let done = false;
  const isLeft = (): boolean => marked(start.mark, start.strangers).length > 0 || (group !== undefined && lives(group));
  return {
    ended: endOf(child, clock, start, () => isLeft()),
    said: () => ({ output: output(), errors: errors() }),
    children: () =>
      [...commandLines(start.mark, start.strangers)].flatMap(([pid, line]) => (pid === group ? [] : [line])),
    async end(graceMs) {
      if (done) return 0;
      done = true;
      const groups = group === undefined ? [] : [group];
      const left = (): number => Math.max(marked(start.mark, start.strangers).length, groups.some(lives) ? 1 : 0);
      const until = clock.now() + windingUpMs;
      let count = left();
      while (count > 0 && clock.now() < until) {
        await clock.sleep(20);
        count = left();
      }
      if (count > 0) await endAll(groups, start.mark, graceMs, clock);
      child.stdout.destroy();
      child.stderr.destroy();
      if (group !== undefined) guard.tell({ is: 'group-ended', group });
      return count;
    },
  };
}

function endOf(child: ChildProcess, clock: Clock, start: Start, isLeft: () => boolean): Program['ended'] {
  const [name = ''] = start.command;
  return new Promise((resolve) => {
    child.on('error', (error: NodeJS.ErrnoException) => resolve({ notStarted: whyNot(error, name, start.folder) }));
    child.on('exit', (code, signal) => {
      const how = signal === null ? { exit: code ?? 0 } : { signal };
      const cancel = [
        clock.later(childrenMs, () => {
          if (isLeft()) resolve(how);
        }),
        clock.later(lastWordsMs, () => resolve(how)),
      ];
      child.on('close', () => {
        for (const each of cancel) each();
        resolve(how);
      });
    });
  });
}

function whyNot(error: NodeJS.ErrnoException, name: string, folder: string): string {
  if (error.code === 'ENOENT') return `there is no program \`${name}\` (or no folder ${folder})`;
  if (error.code === 'EACCES') return `\`${name}\` may not be executed`;
  return error.message;
}

/** The beginning and the end of a stream: what is between them, of a program that writes without end, nobody reads. */
function collect(stream: NodeJS.ReadableStream): () => string {
  let parts: Buffer[] = [];
  let length = 0;
  stream.on('data', (part: Buffer) => {
    parts.push(part);
    length += part.length;
    if (length < 2 * mostKept) return;
    const all = Buffer.concat(parts);
    parts = [all.subarray(0, mostKept / 2), Buffer.from('\n…\n'), all.subarray(-mostKept / 2)];
    length = mostKept;
  });
  stream.on('error', () => {});
  return () => Buffer.concat(parts).toString('utf8');
}
