/** The one file that knows testcontainers: it finds the container engine, and is there only where somebody wants one. */
import { systemClock } from '../clock.ts';
import { isDead, ownerLabel } from './owner.ts';
import { TargetError } from './target.ts';

type Testcontainers = typeof import('testcontainers');
export type Runtime = Awaited<ReturnType<Testcontainers['getContainerRuntimeClient']>>;
export type Engine = Runtime['container']['dockerode'];
export type Container = ReturnType<Engine['getContainer']>;

async function load(): Promise<Testcontainers> {
  try {
    return await import('testcontainers');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new TargetError('tool', 'the package testcontainers is missing: npm install --save-dev testcontainers');
  }
}

export async function containerRuntime(): Promise<Runtime> {
  const { getContainerRuntimeClient } = await load();
  const wanted = process.env.DOCKER_HOST ?? '';
  const runtime = await getContainerRuntimeClient().catch(() => undefined);
  // It looks elsewhere if there is none; a named engine excludes all others.
  if (wanted !== '' && (runtime === undefined || !isAt(runtime.container.dockerode, wanted)))
    throw new TargetError(
      'tool',
      `no container engine answers at ${wanted}, as DOCKER_HOST says: start it, or unset DOCKER_HOST`,
    );
  if (runtime === undefined)
    throw new TargetError('tool', 'no container engine answers: start Docker, or point DOCKER_HOST to one');
  return runtime;
}

function isAt({ modem }: Engine, wanted: string): boolean {
  const { socketPath, host } = modem as { readonly socketPath?: string; readonly host?: string };
  return URL.canParse(wanted) && [socketPath, host].includes(new URL(wanted).hostname || new URL(wanted).pathname);
}

/** Pulls the image where this machine does not have it. */
export async function imageFor(name: string, { image }: Runtime, engine: Engine): Promise<ImageFacts> {
  const { ImageName } = await load();
  let why = 'the registry does not have it or cannot be reached';
  try {
    await image.pull(ImageName.fromString(name));
  } catch (error) {
    why = plain(error);
  }
  try {
    return await engine.getImage(name).inspect();
  } catch {
    throw new TargetError('usage', `the image ${name} is not on this machine, and cannot be pulled: ${why}`);
  }
}

export interface ImageFacts {
  readonly Config?: { readonly ExposedPorts?: Readonly<Record<string, unknown>> };
}

/** The first line of what an engine said. */
export const plain = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).split('\n')[0]!.trim().replace(/\.$/, '').slice(0, 400);

export const statusOf = (error: unknown): number | undefined =>
  typeof error === 'object' && error !== null && 'statusCode' in error ? Number(error.statusCode) : undefined;

/** With the volumes that it made for itself. That somebody else removes it is as well. */
export async function removeContainer(container: Container): Promise<void> {
  try {
    await container.remove({ force: true, v: true });
  } catch (error) {
    if (statusOf(error) !== 404 && statusOf(error) !== 409) throw error;
  }
}

/**
 * For the guardian of a run that is gone: removes what the run had started. More than once, because an engine finishes a creation that
 * was asked for before its asker went.
 */
export async function removeOwned(owner: string): Promise<void> {
  const { container } = await containerRuntime();
  for (let again = 0; again < 4; again += 1) {
    if (again > 0) await systemClock.sleep(500);
    await removeAll(container.dockerode, (each) => each === owner);
  }
}

/** Removes what runs left behind that were killed together with their guardian. Never what another machine may own. */
export const sweepContainers = (engine: Engine): Promise<void> => removeAll(engine, isDead);

async function removeAll(engine: Engine, whether: (owner: string) => boolean): Promise<void> {
  const found = await engine.listContainers({ all: true, filters: { label: [ownerLabel] } });
  const wanted = found.filter(({ Labels }) => whether(Labels[ownerLabel] ?? ''));
  await Promise.all(wanted.map(({ Id }) => removeContainer(engine.getContainer(Id))));
}
