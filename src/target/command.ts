/** A service that is a program on this machine: in a process group of its own, watched, and ended with all that it started. */
import { type ChildProcess, spawn } from 'node:child_process';
import { resolve } from 'node:path';
import type { Profile } from '../profile/profile.ts';
import type { CommandTarget } from '../profile/profile-target.ts';
import { filled, inherited, mentionsPort, variablesOf } from './environment.ts';
import { collect, type Output, withOutput } from './output.ts';
import { ownerVariable, thisOwner } from './owner.ts';
import { freePort, isFree, isTaken } from './ports.ts';
import { endAll, lives } from './processes.ts';
import { waitUntilReady } from './ready.ts';
import { readHere } from './store.ts';
import { type Instance, type Surroundings, TargetError, type Which } from './target.ts';

const longestHeldMs = 5000;

interface Place {
  /** Undefined: it says so itself. */
  readonly port: number | undefined;
  readonly ours: boolean;
}

export async function startCommand(
  target: CommandTarget,
  which: Which,
  profile: Profile,
  around: Surroundings,
): Promise<Instance> {
  const place = await placeOf(target, which);
  // Another process may take a port between our look and its start; a second one is as good.
  const attempts = place.ours ? 2 : 1;
  for (let attempt = 1; ; attempt += 1) {
    const port = attempt === 1 ? place.port : await freePort();
    const program = new Program(target, which, profile, around, port);
    try {
      return await program.start();
    } catch (error) {
      await program.end();
      if (attempt === attempts || !/EADDRINUSE|address already in use/i.test(String(error))) throw error;
    }
  }
}

async function placeOf(target: CommandTarget, which: Which): Promise<Place> {
  const { port, portInOutput } = target;
  if (portInOutput !== undefined) return { port: undefined, ours: false };
  // The second instance cannot have the port of the first.
  if (port === undefined || which === 'second instance') return { port: await freePort(), ours: true };
  if (await isTaken(port)) {
    throw new TargetError(
      'unreachable',
      `something already listens on port ${port} and would be judged instead of the target: end it, or ${takesPort(target) ? 'remove `target.port`' : 'let the command use {port}'}`,
    );
  }
  return { port, ours: false };
}

/** Whether it can be given a port. */
export const takesPort = ({ command, env, second }: CommandTarget): boolean =>
  [...command, ...Object.values(env), ...Object.values(second ? second.env : {})].some(
    (each) => each !== null && mentionsPort(each),
  );

class Program {
  readonly #target: CommandTarget;
  readonly #which: Which;
  readonly #around: Surroundings;
  readonly #env: Readonly<Record<string, string>>;
  readonly #mark: string;
  readonly #groups = new Set<number>();
  readonly #port: number | undefined;
  #child: ChildProcess | undefined;
  #output: Output | undefined;
  /** Of the process that runs now: an earlier one may end after it has begun. */
  #life: { ended?: string } = {};
  #origin = '';

  constructor(target: CommandTarget, which: Which, profile: Profile, around: Surroundings, port: number | undefined) {
    this.#target = target;
    this.#which = which;
    this.#around = around;
    this.#port = port;
    this.#mark = `${thisOwner()}_${Math.floor(around.random() * 2 ** 40).toString(36)}`;
    const env = inherited(around.env, variablesOf(target, which, profile, port), which, profile);
    this.#env = { ...env, [ownerVariable]: this.#mark };
    around.guard.tell({ is: 'mark', mark: this.#mark, graceMs: target.stopMs });
  }

  async start(): Promise<Instance> {
    await this.#begin();
    const { store, restart, portInOutput } = this.#target;
    const { folder } = this.#around;
    const base = this.#folder;
    const pid = this.#child?.pid;
    return {
      origin: this.#origin,
      ...(pid === undefined ? {} : { pid }),
      ended: async () => (this.#life.ended === undefined ? undefined : withOutput(this.#life.ended, this.#said())),
      ...(restart === false
        ? { whyNoRestart: 'the profile forbids a restart' }
        : portInOutput !== undefined
          ? { whyNoRestart: 'it chooses its port itself and would get another one' }
          : { restart: () => this.#again() }),
      ...(store === undefined
        ? {}
        : {
            dump: () =>
              readHere(store.from, {
                folder: 'path' in store.from ? base : folder,
                env: this.#env,
                around: this.#around,
              }),
          }),
      stop: () => this.end(),
    };
  }

  get #folder(): string {
    return resolve(this.#around.folder, this.#target.folder ?? '.');
  }

  async #begin(): Promise<void> {
    const child = this.#spawn();
    const output = collect([child.stdout, child.stderr], this.#around.keyring);
    this.#output = output;
    const { port } = await this.#portOf(output);
    const scheme = this.#target.https ? 'https' : 'http';
    const origins =
      this.#origin === '' ? [`${scheme}://127.0.0.1:${port}`, `${scheme}://[::1]:${port}`] : [this.#origin];
    const ready = await waitUntilReady(origins, this.#target, { ended: async () => this.#life.ended }, this.#around);
    if ('failed' in ready) throw this.#failure(ready.failed);
    this.#origin = ready.origin;
  }

  #spawn(): ChildProcess {
    const [program = '', ...args] = this.#target.command.map((word) => filled(word, this.#port));
    const child = spawn(program, args, {
      cwd: this.#folder,
      env: this.#env,
      detached: true,
      shell: this.#target.shell ? '/bin/sh' : false,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const life: { ended?: string } = {};
    const group = child.pid;
    if (group !== undefined) {
      this.#groups.add(group);
      this.#around.guard.tell({ is: 'group', group, mark: this.#mark, graceMs: this.#target.stopMs });
    }
    child.on('error', (error: NodeJS.ErrnoException) => {
      life.ended = `${program} cannot be started: ${whyNoStart(error, this.#folder)}`;
    });
    child.on('exit', (code, signal) => {
      life.ended ??= signal === null ? `it ended with exit code ${code}` : `it was ended by ${signal}`;
      if (group !== undefined && !lives(group)) this.#forget(group);
    });
    this.#child = child;
    this.#life = life;
    return child;
  }

  /** Where a group is empty its number may come to belong to another. */
  #forget(group: number): void {
    this.#groups.delete(group);
    this.#around.guard.tell({ is: 'group-ended', group });
  }

  async #portOf(output: Output): Promise<{ readonly port: number }> {
    if (this.#port !== undefined) return { port: this.#port };
    const { clock, signal } = this.#around;
    const pattern = new RegExp(this.#target.portInOutput ?? '');
    let found: number | undefined;
    const done = output.onLine((line) => {
      const number = Number(pattern.exec(line)?.[1]);
      if (number >= 1 && number <= 65535) found ??= number;
    });
    const until = clock.now() + this.#target.ready.withinMs;
    try {
      while (found === undefined) {
        // What it wrote before it ended may still be on its way here.
        if (this.#life.ended !== undefined) throw this.#failure(this.#life.ended);
        if (clock.now() >= until) throw this.#failure(`its output contains no port that ${pattern} finds`);
        await clock.sleep(5, signal);
      }
      return { port: found };
    } finally {
      done();
    }
  }

  /** A program that there is not has written nothing either, which needs no saying. */
  #failure(why: string): TargetError {
    const what = `the ${this.#which} did not start: ${why}`;
    return new TargetError('unreachable', this.#child?.pid === undefined ? what : withOutput(what, this.#said()));
  }

  #said(): string {
    return this.#output?.last() ?? '';
  }

  async #again(): Promise<void> {
    await this.#endProcesses();
    await this.#portIsFree();
    await this.#begin();
  }

  /** What was ended holds its port a moment longer: of a program with many threads, the last one lets go of it. */
  async #portIsFree(): Promise<void> {
    const { clock, signal } = this.#around;
    const until = clock.now() + longestHeldMs;
    while (this.#port !== undefined && clock.now() < until && !(await isFree(this.#port)))
      await clock.sleep(10, signal);
  }

  async #endProcesses(): Promise<void> {
    await endAll([...this.#groups], this.#mark, this.#target.stopMs, this.#around.clock);
    for (const group of this.#groups) this.#forget(group);
    // A process that still holds the pipes was killed, or is not ours: it must not keep this process alive.
    this.#child?.stdout?.destroy();
    this.#child?.stderr?.destroy();
  }

  async end(): Promise<void> {
    await this.#endProcesses();
  }
}

function whyNoStart(error: NodeJS.ErrnoException, folder: string): string {
  if (error.code === 'ENOENT') return `there is no such program (or no such folder as ${folder})`;
  if (error.code === 'EACCES') return 'permission denied: is it executable?';
  return error.message;
}
