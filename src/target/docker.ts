/** Docker as its own programs see it: which compose there is, what a container is like, what dead runs left behind. */
import { isDead, thisOwner } from './owner.ts';
import { pidOf } from './pid.ts';
import { TargetError } from './target.ts';
import { runTool, type ToolOptions } from './tool.ts';

const projectLabel = 'com.docker.compose.project';
const serviceLabel = 'com.docker.compose.service';
const prefix = 'touchstone-';

/** The name says whose the project is, because a compose file leaves no other place for it. */
export const projectName = (word: string): string => `${prefix}${Buffer.from(thisOwner()).toString('hex')}-${word}`;

const ownerOf = (project: string): string =>
  Buffer.from(/^touchstone-([0-9a-f]+)-[a-z0-9]+$/.exec(project)?.[1] ?? '', 'hex').toString();

export interface Docker {
  /** The words that compose is called with. */
  readonly compose: readonly string[];
  /** Throws a TargetError with what docker said. */
  ask(args: readonly string[]): Promise<string>;
  /** What it prints of both kinds, safe to be shown; nothing where it fails. */
  said(args: readonly string[]): Promise<string>;
}

export async function findDocker(options: ToolOptions): Promise<Docker> {
  const ask = async (args: readonly string[]): Promise<string> => {
    const { failed, out, said } = await runTool(['docker', ...args], options);
    if (failed === undefined) return out;
    if (failed.code === 'ENOENT')
      throw new TargetError('tool', 'the program docker is missing: install Docker, or put it into the PATH');
    const down = /connect to the docker daemon|error during connect|connection refused|permission denied/i.test(said);
    throw down
      ? new TargetError('tool', `no container engine answers: start Docker, or point DOCKER_HOST to one\n${said}`)
      : new TargetError('unreachable', `docker ${args[0]} failed: ${failed.why}\n${said}`);
  };
  const said = async (args: readonly string[]): Promise<string> => (await runTool(['docker', ...args], options)).said;
  await ask(['version', '--format', '{{.Server.Version}}']);
  for (const compose of [['docker', 'compose'], ['docker-compose']]) {
    const { failed } = await runTool([...compose, 'version'], options);
    if (failed === undefined) return { compose, ask, said };
  }
  throw new TargetError('tool', 'Docker compose is missing: install its plugin, or docker-compose');
}

const kinds = [
  { list: ['ps', '-a'], remove: ['rm', '-f', '-v'] },
  { list: ['network', 'ls'], remove: ['network', 'rm'] },
  { list: ['volume', 'ls'], remove: ['volume', 'rm', '-f'] },
] as const;

/** Removes the projects of runs that were killed together with their guardian. */
export async function sweepProjects({ ask }: Docker): Promise<void> {
  for (const { list, remove } of kinds) {
    const name = list[0] === 'volume' ? '{{.Name}}' : '{{.ID}}';
    const format = `${name} {{.Label "${projectLabel}"}}`;
    const listed = await ask([...list, '--filter', `label=${projectLabel}`, '--format', format]);
    const dead = listed
      .split('\n')
      .map((line) => line.split(' '))
      .flatMap(([id = '', project = '']) => (project.startsWith(prefix) && isDead(ownerOf(project)) ? [id] : []));
    if (dead.length > 0) await ask([...remove, ...dead]).catch(() => {});
  }
}

/** The containers of a project, or of one service of it, whether they run or not. By docker itself: compose takes its time. */
export async function containersOf({ ask }: Docker, project: string, service?: string): Promise<readonly string[]> {
  const filters = [`${projectLabel}=${project}`, ...(service === undefined ? [] : [`${serviceLabel}=${service}`])];
  const listed = await ask(['ps', '-a', '-q', ...filters.flatMap((each) => ['--filter', `label=${each}`])]);
  return listed.split('\n').filter((id) => id !== '');
}

/** Their last lines, in sequence. */
export async function logsOf(docker: Docker, project: string): Promise<string> {
  const parts: string[] = [];
  for (const id of await containersOf(docker, project)) parts.push(await docker.said(['logs', '--tail', '20', id]));
  return parts.filter((part) => part !== '').join('\n');
}

export interface ContainerFacts {
  readonly running: boolean;
  readonly ended: string;
  /** Where this machine sees it. */
  readonly pid?: number;
  readonly gateway?: string;
  /** Where the port is published on this machine. */
  readonly published?: { readonly host: string; readonly port: string };
  /** Whether it is the same after a restart. */
  readonly fixedPort: boolean;
}

export async function inspect({ ask }: Docker, id: string, port: number): Promise<ContainerFacts> {
  const [found] = JSON.parse(await ask(['inspect', id])) as readonly Inspected[];
  const networks = Object.values(found?.NetworkSettings?.Networks ?? {});
  const gateway = networks.map(({ Gateway = '' }) => Gateway).find((each) => each !== '');
  const published = found?.NetworkSettings?.Ports?.[`${port}/tcp`]?.[0];
  const pid = found === undefined ? undefined : pidOf(found);
  const bound = found?.HostConfig?.PortBindings?.[`${port}/tcp`]?.[0]?.HostPort ?? '';
  return {
    running: found?.State?.Running ?? false,
    ended: found?.State?.OOMKilled
      ? 'it used more memory than allowed'
      : `it ended with exit code ${found?.State?.ExitCode}`,
    ...(pid === undefined ? {} : { pid }),
    ...(gateway === undefined ? {} : { gateway }),
    ...(published?.HostPort === undefined
      ? {}
      : { published: { host: published.HostIp ?? '', port: published.HostPort } }),
    fixedPort: bound !== '' && bound !== '0',
  };
}

interface Inspected {
  readonly Id?: string;
  readonly State?: {
    readonly Pid?: number;
    readonly Running?: boolean;
    readonly ExitCode?: number;
    readonly OOMKilled?: boolean;
  };
  readonly HostConfig?: { readonly PortBindings?: Bindings };
  readonly NetworkSettings?: {
    readonly Networks?: Readonly<Record<string, { readonly Gateway?: string }>>;
    readonly Ports?: Bindings;
  };
}

type Bindings = Readonly<Record<string, readonly { readonly HostIp?: string; readonly HostPort?: string }[] | null>>;
