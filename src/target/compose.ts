/** A service of a compose file: a project of its own, so that two can run side by side, and nothing of it stays. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Profile } from '../profile/profile.ts';
import type { ComposeTarget } from '../profile/profile-target.ts';
import { word } from '../random.ts';
import {
  type ContainerFacts,
  containersOf,
  type Docker,
  findDocker,
  inspect,
  logsOf,
  projectName,
  sweepProjects,
} from './docker.ts';
import { inherited, mentionsPort, variablesOf } from './environment.ts';
import { hostFor } from './gateway.ts';
import { withOutput } from './output.ts';
import { ownerVariable, thisOwner } from './owner.ts';
import { freePort } from './ports.ts';
import { waitUntilReady } from './ready.ts';
import { readHere } from './store.ts';
import { type Instance, type Surroundings, TargetError, type Which } from './target.ts';
import { runTool, type ToolOutcome } from './tool.ts';

/** An image may have to be pulled or built first. */
const longest = { up: 900_000, other: 120_000 };

export async function startCompose(
  target: ComposeTarget,
  which: Which,
  profile: Profile,
  around: Surroundings,
): Promise<Instance> {
  const file = resolve(around.folder, target.file);
  if (!existsSync(file)) throw new TargetError('usage', `the compose file ${target.file} does not exist`);
  for (let attempt = 1; ; attempt += 1) {
    const project = new Project(target, which, profile, around, file, await freePort());
    try {
      return await project.start(which === 'service');
    } catch (error) {
      await project.end();
      around.signal.throwIfAborted();
      if (attempt < 3 && /port is already allocated|address already in use/i.test(String(error)) && project.takesPort)
        continue;
      throw error;
    }
  }
}

class Project {
  readonly #target: ComposeTarget;
  readonly #which: Which;
  readonly #around: Surroundings;
  readonly #name: string;
  readonly #file: string;
  readonly #env: Readonly<Record<string, string>>;
  readonly takesPort: boolean;
  #docker: Docker | undefined;
  /** Whether there may be anything to take down. */
  #begun = false;

  constructor(target: ComposeTarget, which: Which, profile: Profile, around: Surroundings, file: string, port: number) {
    this.#target = target;
    this.#which = which;
    this.#around = around;
    this.#file = file;
    const random = word(around.random, 8);
    this.#name = projectName(random);
    const mark = `${thisOwner()}_${random}`;
    const variables = variablesOf(target, which, profile, port);
    this.takesPort = Object.values(target.env).some((value) => value !== null && mentionsPort(value));
    this.#env = { ...inherited(around.env, variables, which, profile), [ownerVariable]: mark };
    around.guard.tell({ is: 'mark', mark, graceMs: 0 });
  }

  async start(first: boolean): Promise<Instance> {
    const docker = await findDocker(this.#toolOptions(longest.other));
    this.#docker = docker;
    if (first) await sweepProjects(docker);
    const { folder, guard } = this.#around;
    this.#begun = true;
    guard.tell({ is: 'program', name: this.#name, command: this.#down(docker, 0), env: this.#env, folder });
    await this.#must(['up', '-d'], 'did not start', longest.up);
    const { service, port, store, restart } = this.#target;
    const id = await this.#idOf(service);
    const facts = await inspect(docker, id, port);
    const origin = await this.#untilReady(await this.#published(facts), id);
    return {
      origin,
      ended: () => this.#ended(id),
      host: await hostFor(facts.gateway),
      ...(facts.pid === undefined ? {} : { pid: facts.pid }),
      ...(restart === false
        ? { whyNoRestart: 'the profile forbids a restart' }
        : facts.fixedPort
          ? { restart: () => this.#restart(origin, id) }
          : { whyNoRestart: `the published port of ${service} would change` }),
      ...(store === undefined ? {} : { dump: () => this.#dump(store) }),
      stop: () => this.end(),
    };
  }

  async end(): Promise<void> {
    if (!this.#begun) return;
    const seconds = Math.ceil(this.#target.stopMs / 1000);
    const { signal: _, ...options } = this.#toolOptions(longest.other + this.#target.stopMs);
    const { failed } = await runTool(this.#down(this.#engine, seconds), options);
    // Otherwise the guardian tries again.
    if (failed === undefined) this.#around.guard.tell({ is: 'program-done', name: this.#name });
  }

  get #engine(): Docker {
    if (this.#docker === undefined) throw new Error('a project that was never started');
    return this.#docker;
  }

  #down({ compose }: Docker, seconds: number): readonly string[] {
    return [...compose, ...this.#place(), 'down', '-v', '--remove-orphans', '-t', String(seconds)];
  }

  #place(): readonly string[] {
    return ['-p', this.#name, '-f', this.#file];
  }

  #toolOptions(longestMs: number) {
    const { folder, signal } = this.#around;
    return { folder, env: this.#env, longestMs, signal, around: this.#around };
  }

  #compose(args: readonly string[], longestMs: number = longest.other): Promise<ToolOutcome> {
    return runTool([...(this.#docker?.compose ?? []), ...this.#place(), ...args], this.#toolOptions(longestMs));
  }

  async #must(args: readonly string[], what: string, longestMs?: number): Promise<string> {
    const { failed, out, said } = await this.#compose(args, longestMs);
    if (failed === undefined) return out;
    const broken = await this.#compose(['config', '-q']);
    if (broken.failed !== undefined) {
      // What compose cannot read it has not started, and cannot take down either.
      this.#begun = false;
      this.#around.guard.tell({ is: 'program-done', name: this.#name });
      throw new TargetError(
        'usage',
        withOutput(`${this.#target.file} is not a compose file that can be run`, broken.said),
      );
    }
    throw new TargetError('unreachable', withOutput(`the ${this.#which} ${what}: ${failed.why}`, said));
  }

  /** The first of its replicas. */
  async #idOf(service: string): Promise<string> {
    const [id] = await containersOf(this.#engine, this.#name, service);
    if (id !== undefined) return id;
    throw new TargetError('usage', `${this.#target.file} has no service ${service}`);
  }

  async #published(facts: ContainerFacts): Promise<string> {
    const { service, port, file, https } = this.#target;
    if (!facts.running)
      throw new TargetError(
        'unreachable',
        withOutput(`the ${this.#which} did not start: ${facts.ended}`, await this.#logs()),
      );
    if (facts.published === undefined)
      throw new TargetError(
        'usage',
        `${service} of ${file} does not publish its port ${port}: add  ports: ["${port}"]  to it`,
      );
    const { host, port: number } = facts.published;
    const everywhere = host === '' || host === '0.0.0.0' || host === '::';
    return `${https ? 'https' : 'http'}://${everywhere ? this.#engineHost() : host}:${number}`;
  }

  /** An engine that is elsewhere publishes there. */
  #engineHost(): string {
    return /^(?:tcp|ssh):\/\/(?:[^@/]*@)?([^:/]+)/.exec(this.#env.DOCKER_HOST ?? '')?.[1] ?? '127.0.0.1';
  }

  async #untilReady(origin: string, id: string): Promise<string> {
    const ready = await waitUntilReady([origin], this.#target, { ended: () => this.#ended(id) }, this.#around);
    if ('origin' in ready) return ready.origin;
    const failed = ready.ended ? ready.failed : withOutput(ready.failed, await this.#logs());
    throw new TargetError('unreachable', `the ${this.#which} did not start: ${failed}`);
  }

  async #ended(id: string): Promise<string | undefined> {
    const { running, ended } = await inspect(this.#engine, id, this.#target.port);
    return running ? undefined : withOutput(ended, await this.#logs());
  }

  #logs(): Promise<string> {
    return logsOf(this.#engine, this.#name);
  }

  async #restart(origin: string, id: string): Promise<void> {
    const { restart, stopMs } = this.#target;
    const services = typeof restart === 'boolean' ? [] : restart;
    await this.#must(['restart', '-t', String(Math.ceil(stopMs / 1000)), ...services], 'could not be restarted');
    await this.#untilReady(origin, id);
  }

  async #dump({
    from,
    service = this.#target.service,
    here,
  }: NonNullable<ComposeTarget['store']>): Promise<Uint8Array> {
    const reading = { folder: this.#around.folder, env: this.#env, around: this.#around };
    if (here) return readHere(from, reading);
    const id = await this.#idOf(service);
    return 'path' in from
      ? readHere({ command: ['docker', 'cp', `${id}:${from.path}`, '-'] }, { ...reading, called: from.path })
      : readHere({ command: ['docker', 'exec', id, ...from.command] }, { ...reading, called: from.command[0] ?? '' });
  }
}
