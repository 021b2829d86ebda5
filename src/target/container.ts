/** A service that is an image: one container, at a port of this machine that stays the same. */

import type { Profile } from '../profile/profile.ts';
import type { ContainerTarget } from '../profile/profile-target.ts';
import { word } from '../random.ts';
import * as runtime from './container-runtime.ts';
import { readInside } from './container-store.ts';
import { variablesOf } from './environment.ts';
import { readFrames } from './frames.ts';
import { hostFor, hostName, portsAt } from './gateway.ts';
import { shown, withOutput } from './output.ts';
import { ownerLabel, thisOwner } from './owner.ts';
import { pidOf } from './pid.ts';
import { freePort } from './ports.ts';
import { waitUntilReady } from './ready.ts';
import { readHere } from './store.ts';
import { type Instance, type Surroundings, TargetError, type Which } from './target.ts';

interface Work {
  readonly target: ContainerTarget;
  readonly which: Which;
  readonly profile: Profile;
  readonly around: Surroundings;
  readonly engine: runtime.Engine;
  /** Where the ports of containers are. */
  readonly host: string;
  readonly image: runtime.ImageFacts;
}

export async function startContainer(
  target: ContainerTarget,
  which: Which,
  profile: Profile,
  around: Surroundings,
): Promise<Instance> {
  const found = await runtime.containerRuntime();
  const engine = found.container.dockerode;
  if (which === 'service') {
    around.guard.tell({ is: 'containers', owner: thisOwner() });
    await runtime.sweepContainers(engine);
  }
  const image = await runtime.imageFor(target.image, found, engine);
  around.signal.throwIfAborted();
  const { host } = found.info.containerRuntime;
  const work = { target, which, profile, around, engine, image, host: await portsAt(host) };
  for (let attempt = 1; ; attempt += 1) {
    const name = `touchstone-${process.pid}-${word(around.random, 8)}`;
    try {
      return await begin(work, name);
    } catch (error) {
      await runtime.removeContainer(engine.getContainer(name));
      around.signal.throwIfAborted();
      // Another process may take the port between our look and the engine's; another one is as good.
      if (attempt < 3 && /port is already allocated|address already in use/i.test(String(error))) continue;
      if (error instanceof TargetError) throw error;
      throw new TargetError('unreachable', `the container of ${target.image} did not start: ${runtime.plain(error)}`);
    }
  }
}

async function begin(work: Work, name: string): Promise<Instance> {
  const { target, which, around, engine, host } = work;
  const port = await freePort();
  const container = await create(work, name, port);
  await container.start();
  const last = () => lastLines(container, around);
  const ended = async (): Promise<string | undefined> => {
    const { State } = await container.inspect();
    if (State.Running || State.Restarting) return undefined;
    const why = State.OOMKilled ? 'it used more memory than allowed' : `it ended with exit code ${State.ExitCode}`;
    return withOutput(why, await last());
  };
  const origins = [`${target.https ? 'https' : 'http'}://${host.includes(':') ? `[${host}]` : host}:${port}`];
  const untilReady = async (): Promise<string> => {
    const ready = await waitUntilReady(origins, target, { ended }, around);
    if ('origin' in ready) return ready.origin;
    const failed = ready.ended ? ready.failed : withOutput(ready.failed, await last());
    throw new TargetError('unreachable', `the ${which} did not start: ${failed}`);
  };
  const origin = await untilReady();
  const pid = pidOf(await container.inspect());
  const { store } = target;
  const stopSeconds = Math.ceil(target.stopMs / 1000);
  return {
    origin,
    ended,
    ...(pid === undefined ? {} : { pid }),
    host: await hostOf(container),
    ...(target.restart === false
      ? { whyNoRestart: 'the profile forbids a restart' }
      : {
          restart: async () => {
            try {
              await container.restart({ t: stopSeconds });
              await untilReady();
            } catch (error) {
              throw error instanceof TargetError ? error : new TargetError('unreachable', runtime.plain(error));
            }
          },
        }),
    ...(store === undefined
      ? {}
      : {
          dump: () =>
            store.here
              ? readHere(store.from, {
                  folder: around.folder,
                  env: variablesOf(target, which, work.profile, undefined).set,
                  around,
                })
              : readInside(container, store.from, around),
        }),
    stop: async () => {
      await container.stop({ t: stopSeconds }).catch(() => {});
      await runtime.removeContainer(engine.getContainer(name)).catch(() => {});
    },
  };
}

async function create(work: Work, name: string, port: number): Promise<runtime.Container> {
  const { target, which, profile, engine, host } = work;
  const inside = `${target.port ?? exposedPort(target.image, work.image)}/tcp`;
  const { set } = variablesOf(target, which, profile, Number.parseInt(inside, 10));
  // Only this machine, where the engine is on it.
  const HostIp = host === '127.0.0.1' ? { HostIp: host } : {};
  return engine.createContainer({
    name,
    Image: target.image,
    ...(target.arguments === undefined ? {} : { Cmd: [...target.arguments] }),
    Env: Object.entries(set).map(([variable, value]) => `${variable}=${value}`),
    Labels: { [ownerLabel]: thisOwner() },
    ExposedPorts: { [inside]: {} },
    HostConfig: {
      PortBindings: { [inside]: [{ ...HostIp, HostPort: String(port) }] },
      ...((await knowsHostGateway(engine)) ? { ExtraHosts: [`${hostName}:host-gateway`] } : {}),
      ...(target.memoryBytes === undefined ? {} : { Memory: target.memoryBytes, MemorySwap: target.memoryBytes }),
      ...(target.cpus === undefined ? {} : { NanoCpus: Math.round(target.cpus * 1e9) }),
    },
  });
}

/** Since Docker 20.10; an older one takes no container with it. */
async function knowsHostGateway(engine: runtime.Engine): Promise<boolean> {
  const { ApiVersion = '' } = await engine.version();
  const [major = 0, minor = 0] = ApiVersion.split('.').map(Number);
  return major > 1 || minor >= 41;
}

function exposedPort(name: string, { Config }: runtime.ImageFacts): number {
  const ports = Object.keys(Config?.ExposedPorts ?? {}).filter((each) => !each.endsWith('/udp'));
  if (ports.length === 1) return Number.parseInt(ports[0]!, 10);
  const says = ports.length === 0 ? 'exposes no port' : `exposes ${ports.length} ports`;
  throw new TargetError(
    'usage',
    `the image ${name} ${says}: set \`target.port\` to the one that the service listens on`,
  );
}

async function hostOf(container: runtime.Container) {
  const { NetworkSettings } = await container.inspect();
  return hostFor(Object.values(NetworkSettings.Networks)[0]?.Gateway);
}

async function lastLines(container: runtime.Container, { keyring }: Surroundings): Promise<string> {
  try {
    const bytes = (await container.logs({ stdout: true, stderr: true, tail: 100 })) as unknown as Buffer;
    const { out, err } = readFrames().add(bytes);
    return shown(Buffer.concat([out, err]).toString('latin1'), false, keyring);
  } catch {
    return '';
  }
}
