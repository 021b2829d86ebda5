/**
 * A process of its own, which waits at the end of a pipe: when the run that holds the other end is gone, however it went, what it had
 * started is ended. It gets a line for each thing to clean up; after `done`, it has nothing to do.
 */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { systemClock } from '../clock.ts';
import type { Duty } from './guard.ts';
import { endAll } from './processes.ts';

type Program = Extract<Duty, { is: 'program' }>;

const longestMs = 120_000;
const marks: Extract<Duty, { is: 'mark' }>[] = [];
const groups = new Map<number, { readonly mark: string; readonly graceMs: number }>();
const programs = new Map<string, Program>();
const owners = new Set<string>();
let done = false;

/** If somebody ends processes one by one, the run ends, and what it started ends then. */
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});

function take(duty: Duty): void {
  if (duty.is === 'group') groups.set(duty.group, duty);
  else if (duty.is === 'group-ended') groups.delete(duty.group);
  else if (duty.is === 'program') programs.set(duty.name, duty);
  else if (duty.is === 'program-done') programs.delete(duty.name);
  else if (duty.is === 'containers') owners.add(duty.owner);
  else if (duty.is === 'mark') marks.push(duty);
  else done = true;
}

const run = ({ command, env, folder }: Program): Promise<void> =>
  new Promise((resolve) => {
    const [program = '', ...args] = command;
    const child = spawn(program, args, { cwd: folder, env, stdio: 'ignore' });
    child.on('error', () => resolve());
    child.on('close', () => resolve());
  });

/** An engine finishes a creation that was asked for before its asker went. */
async function twice(program: Program): Promise<void> {
  await run(program);
  await systemClock.sleep(1000);
  await run(program);
}

async function cleanUp(): Promise<void> {
  const removeContainers = async (): Promise<void> => {
    if (owners.size === 0) return;
    const { removeOwned } = await import('./container-runtime.ts');
    for (const owner of owners) await removeOwned(owner);
  };
  // First the processes that could still start more.
  await Promise.allSettled(
    marks.map(({ mark, graceMs }) =>
      endAll(
        [...groups].filter(([, each]) => each.mark === mark).map(([group]) => group),
        mark,
        graceMs,
        systemClock,
      ),
    ),
  );
  await Promise.allSettled([...[...programs.values()].map(twice), removeContainers()]);
}

const lines = createInterface({ input: process.stdin });
lines.on('line', (line) => take(JSON.parse(line) as Duty));
lines.on('close', () => {
  if (done) {
    marks.length = 0;
    owners.clear();
  }
  // A Docker that hangs must not keep this process for ever.
  systemClock.later(longestMs, () => process.exit(1));
  void cleanUp().finally(() => process.exit(0));
});
