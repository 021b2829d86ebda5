/**
 * k6 out of a container image that this machine has. The program is copied out of it and runs as any other does: no container of its own, so
 * loopback, addresses, signals and the figures of its process are what they are elsewhere, and keys need no other way. Nothing is pulled.
 */
import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { arch, platform } from 'node:os';
import { dirname, join } from 'node:path';
import { cacheFolder, isExecutable, type Surroundings } from './cache.ts';
import { wantedVersion } from './version.ts';

/** Those that a person is likely to have, where none is named. */
export const usualImages: readonly string[] = [`grafana/k6:${wantedVersion}`, 'grafana/k6:latest'];

export type OutOfImage = { readonly path: string } | { readonly wrong: string };

const longestMs = { question: 15_000, copy: 120_000 };
/** Where images of k6 keep it. */
const places = ['/usr/bin/k6', '/usr/local/bin/k6', '/bin/k6', '/k6'];

export async function k6OutOf(image: string, around: Surroundings): Promise<OutOfImage> {
  if (platform() !== 'linux') return { wrong: 'what is in an image runs on Linux only' };
  const docker = dockerOf(around);
  const seen = await docker(['image', 'inspect', '--format', '{{.Id}} {{.Os}}/{{.Architecture}}', image]);
  if (seen.out === undefined) return { wrong: whyUnseen(seen) };
  const [id = '', system] = seen.out.trim().split(' ');
  if (system !== `linux/${architecture()}`)
    return { wrong: `it is for ${system}, and this is linux/${architecture()}` };
  const goal = join(cacheFolder(around), 'k6', `image-${id.replace('sha256:', '').slice(0, 20)}`, 'k6');
  if (isExecutable(goal)) return { path: goal };
  const made = await docker(['create', '--pull', 'never', '--network', 'none', '--entrypoint', 'k6', image]);
  const container = made.out?.trim();
  if (container === undefined) return { wrong: `it cannot be copied out of it: ${made.said}` };
  try {
    return await copied(docker, container, goal);
  } finally {
    await docker(['rm', '-f', '-v', container]);
  }
}

async function copied(docker: Docker, container: string, goal: string): Promise<OutOfImage> {
  let work: string;
  try {
    mkdirSync(dirname(goal), { recursive: true });
    work = mkdtempSync(join(dirname(goal), '.copying-'));
  } catch (error) {
    return { wrong: `it cannot be copied: ${error instanceof Error ? error.message : String(error)}` };
  }
  try {
    const copy = join(work, 'k6');
    for (const place of places) {
      const { out } = await docker(['cp', '-L', `${container}:${place}`, copy], longestMs.copy);
      if (out === undefined) continue;
      chmodSync(copy, 0o755);
      // In one step: nobody ever finds half of it.
      renameSync(copy, goal);
      return { path: goal };
    }
    return { wrong: `it has no k6 at ${places.join(', ')}` };
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

interface Told {
  /** Undefined: it failed. */
  readonly out?: string;
  readonly said: string;
  readonly missing: boolean;
}

type Docker = (args: readonly string[], ms?: number) => Promise<Told>;

/** Keys are nothing that docker needs. */
function dockerOf({ env, home }: Surroundings): Docker {
  const needed = ['PATH', 'DOCKER_HOST', 'DOCKER_CONTEXT', 'DOCKER_CONFIG', 'DOCKER_CERT_PATH', 'DOCKER_TLS_VERIFY'];
  const own = Object.fromEntries(needed.map((name) => [name, env[name]]).filter(([, value]) => value !== undefined));
  return (args, ms = longestMs.question) =>
    new Promise((resolve) => {
      const options = { timeout: ms, killSignal: 'SIGKILL', env: { HOME: home, ...own } } as const;
      execFile('docker', [...args], options, (error, stdout, stderr) => {
        const said = (stderr.trim().split('\n')[0] ?? '').slice(0, 200);
        if (error === null) resolve({ out: stdout, said, missing: false });
        else resolve({ said: said === '' ? error.message.slice(0, 200) : said, missing: error.code === 'ENOENT' });
      });
    });
}

const whyUnseen = ({ missing, said }: Told): string =>
  missing || /connect to the docker daemon|error during connect|connection refused|permission denied/i.test(said)
    ? 'no container engine answers'
    : 'this machine does not have that image, and Touchstone never pulls one';

/** As images call it. */
const architecture = (): string => ({ x64: 'amd64', arm: 'arm', arm64: 'arm64' })[arch() as string] ?? arch();
