/** Starts what the profile says, and the second instance next to it; everything that was started is stopped again. */

import type { Clock } from '../clock.ts';
import { systemClock } from '../clock.ts';
import { createTransport } from '../http/undici-transport.ts';
import { Inconclusive } from '../model/ask.ts';
import type { Control, Lacks } from '../model/control.ts';
import type { Profile } from '../profile/profile.ts';
import type { ProfileTarget } from '../profile/profile-target.ts';
import { freshSeed, seeded } from '../random.ts';
import { Keyring } from '../secrets/keyring.ts';
import { openedHeaders, secretsOf } from './environment.ts';
import { startGuard } from './guard.ts';
import { listens } from './ports.ts';
import { reachSources } from './reach.ts';
import { type Second, startSecond } from './second.ts';
import { StoreError } from './store.ts';
import { type Instance, type Surroundings, TargetError, type Which } from './target.ts';

export { TargetError } from './target.ts';

export interface OpenOptions {
  readonly clock?: Clock;
  /** Aborted: what was started is stopped, and `openTarget` rejects. */
  readonly signal?: AbortSignal;
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** The service alone: no second instance, and no test whether it reaches sources. */
  readonly alone?: true;
}

export interface OpenTarget {
  /** With the address of what was started, and without the target. */
  readonly profile: Profile;
  readonly control: Control;
  /** What the person should know: what was omitted, and why. */
  readonly remarks: readonly string[];
  /** The first process of the service, where this machine sees it. */
  readonly pid?: number;
  /** Undefined: it runs; otherwise how the service ended by itself. */
  ended(): Promise<string | undefined>;
  /** Stops everything. May be called again. */
  close(): Promise<void>;
}

export async function openTarget(profile: Profile, options: OpenOptions = {}): Promise<OpenTarget> {
  const { target } = profile;
  if (target === undefined)
    return { profile, control: {}, remarks: [], ended: async () => undefined, close: async () => {} };
  if (process.platform === 'win32')
    throw new TargetError(
      'tool',
      'targets work on Linux and macOS only: start the service yourself, and pass its address',
    );
  const { clock = systemClock, signal = new AbortController().signal, env = process.env } = options;
  const keyring = new Keyring();
  for (const secret of secretsOf(profile)) keyring.register(secret);
  const transport = createTransport({ clock, tls: profile.tls });
  const guard = startGuard(env);
  const running: Instance[] = [];
  const around: Surroundings = {
    clock,
    transport,
    guard,
    keyring,
    random: seeded(freshSeed()),
    folder: profile.folder,
    basePath: profile.basePath,
    headers: openedHeaders(profile),
    env,
    signal,
  };
  let closing: Promise<void> | undefined;
  const close = (): Promise<void> => {
    closing ??= (async () => {
      await Promise.all(running.map((instance) => instance.stop()));
      await Promise.all([guard.release(), transport.close()]);
    })();
    return closing;
  };
  const start = async (which: Which): Promise<Instance> => {
    const instance = await starterOf(target, which, profile, around);
    running.push(instance);
    return instance;
  };
  try {
    const main = remembering(await start('service'), clock);
    if (options.alone) {
      const { target: _, ...rest } = profile;
      return { profile: { ...rest, origin: main.origin }, control: {}, remarks: [], ...lifeOf(main), close };
    }
    const second = await startSecond(profile, () => start('second instance'), around);
    return await opened(profile, target, main, second, around, close);
  } catch (error) {
    await close();
    throw error;
  }
}

async function starterOf(
  target: ProfileTarget,
  which: Which,
  profile: Profile,
  around: Surroundings,
): Promise<Instance> {
  switch (target.kind) {
    case 'command':
      return (await import('./command.ts')).startCommand(target, which, profile, around);
    case 'container':
      return (await import('./container.ts')).startContainer(target, which, profile, around);
    case 'compose':
      return (await import('./compose.ts')).startCompose(target, which, profile, around);
  }
}

async function opened(
  profile: Profile,
  target: ProfileTarget,
  main: Instance,
  second: Second,
  around: Surroundings,
  close: () => Promise<void>,
): Promise<OpenTarget> {
  const { target: _, ...rest } = profile;
  const started: Profile = {
    ...rest,
    origin: main.origin,
    ...(second.disabled === undefined ? {} : { disabled: second.disabled }),
  };
  const sources = await reachSources(started, main, around);
  const { restart, dump } = main;
  const lacks: Lacks = {
    ...second.lacks,
    ...sources.lacks,
    ...(restart === undefined
      ? {
          'admin.restart': {
            because: `the service can't be restarted: ${main.whyNoRestart}`,
            add: addRestart[target.kind],
          },
        }
      : {}),
    ...(dump === undefined
      ? {
          'admin.dump': {
            because: 'the target does not say where it stores the keys',
            add: 'target: { store: { path: … } }, or { command: […] }',
          },
        }
      : {}),
  };
  return {
    profile: { ...started, sources: sources.sources },
    control: {
      lacks,
      ...(restart === undefined
        ? {}
        : { restart: () => orInconclusive(restart(), 'the service could not be restarted') }),
      ...(dump === undefined ? {} : { dump: () => orInconclusive(dump(), 'the store could not be read') }),
    },
    remarks: [...second.remarks, ...sources.remarks],
    ...lifeOf(main),
    close,
  };
}

/** A process releases its port a moment before its end is reported. */
const endIsToldMs = 1000;

/** A service that died by itself and was restarted by us is alive, and did not live as long as the run. */
function remembering(main: Instance, clock: Clock): Instance {
  const { restart } = main;
  let died: string | undefined;
  const ended = async (): Promise<string | undefined> => {
    const until = clock.now() + endIsToldMs;
    for (;;) {
      died ??= await main.ended();
      if (died !== undefined || clock.now() >= until || (await listens(main.origin))) return died;
      await clock.sleep(20);
    }
  };
  if (restart === undefined) return { ...main, ended };
  return {
    ...main,
    ended,
    restart: async () => {
      await ended().catch(() => undefined);
      await restart();
    },
  };
}

const lifeOf = (main: Instance): Pick<OpenTarget, 'pid' | 'ended'> => ({
  ...(main.pid === undefined ? {} : { pid: main.pid }),
  ended: () => main.ended().catch(() => 'its container engine no longer answers'),
});

const addRestart: Readonly<Record<ProfileTarget['kind'], string>> = {
  command: 'target: { restart: true } with {port} in the command',
  container: 'target: { restart: true }',
  compose:
    'a published port that stays the same: target: { env: { PORT: "{port}" } } with "${PORT}:8080" in the compose file',
};

/** What went wrong on this side accuses nobody. */
async function orInconclusive<T>(work: Promise<T>, what: string): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof TargetError || error instanceof StoreError)
      throw new Inconclusive(`${what}: ${error.message}`);
    throw error;
  }
}
