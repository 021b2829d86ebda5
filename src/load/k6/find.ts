/** Where k6 is: what was named, then what the environment names, PATH, and what was built here. Nothing is ever downloaded. */
import { execFile } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import { arch, platform } from 'node:os';
import { delimiter, join } from 'node:path';
import { fitnessOf, versionIn, wantedVersion } from './version.ts';

export interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  /** What `--k6` said. */
  readonly named?: string;
}

/** One place that was looked at. */
export interface Candidate {
  readonly from: '--k6' | 'TOUCHSTONE_K6' | 'PATH' | 'cache';
  readonly path: string;
  readonly version?: string;
  readonly warning?: string;
  /** Why it is not used; left out for one that can be. */
  readonly wrong?: string;
}

export interface Found {
  readonly path: string;
  readonly version: string;
  readonly major: number;
  readonly warning?: string;
}

export const cacheFolder = ({ env, home }: Surroundings): string =>
  join(env.XDG_CACHE_HOME?.startsWith('/') ? env.XDG_CACHE_HOME : join(home, '.cache'), 'touchstone');

export const cachedK6 = (around: Surroundings): string =>
  join(
    cacheFolder(around),
    'k6',
    `v${wantedVersion}-${platform()}-${arch()}`,
    platform() === 'win32' ? 'k6.exe' : 'k6',
  );

/** Whoever names one means that one: nothing else is looked at then. */
export async function candidates(around: Surroundings): Promise<readonly Candidate[]> {
  const { env, named } = around;
  if (named !== undefined) return [await tried('--k6', named)];
  const variable = env.TOUCHSTONE_K6 ?? '';
  if (variable !== '') return [await tried('TOUCHSTONE_K6', variable)];
  const onPath = (env.PATH ?? '')
    .split(delimiter)
    .filter((folder) => folder.startsWith('/'))
    .map((folder) => join(folder, 'k6'))
    .find(isExecutable);
  const found = onPath === undefined ? [] : [await tried('PATH', onPath)];
  const cached = cachedK6(around);
  return [...found, ...(isExecutable(cached) ? [await tried('cache', cached)] : [])];
}

export async function findK6(around: Surroundings): Promise<Found | undefined> {
  for (const { path, version, warning, wrong } of await candidates(around)) {
    if (wrong !== undefined || version === undefined) continue;
    return { path, version, major: Number(version.split('.')[0]), ...(warning === undefined ? {} : { warning }) };
  }
  return undefined;
}

export function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

async function tried(from: Candidate['from'], path: string): Promise<Candidate> {
  if (!isExecutable(path)) return { from, path, wrong: 'there is no program of that name' };
  // 2.x knows --json; 1.x refuses it, and says its version without.
  const said = (await outputOf(path, ['version', '--json'])) ?? (await outputOf(path, ['version']));
  if (said === undefined) return { from, path, wrong: 'it does not run, or does not answer' };
  const version = versionIn(said);
  const fitness = fitnessOf(version);
  return {
    from,
    path,
    ...(version === undefined ? {} : { version: version.text }),
    ...(fitness.usable ? (fitness.warning === undefined ? {} : { warning: fitness.warning }) : { wrong: fitness.why }),
  };
}

const outputOf = (path: string, args: readonly string[]): Promise<string | undefined> =>
  new Promise((resolve) => {
    const options = { timeout: 10_000, killSignal: 'SIGKILL', env: { K6_NO_USAGE_REPORT: 'true' } } as const;
    execFile(path, [...args], options, (error, stdout) => resolve(error === null ? stdout : undefined));
  });

export const advice: readonly string[] = [
  'touchstone tools install k6     builds it here, with an installed Go toolchain (1.25 or newer)',
  "from your system's packages, or from the k6 project, onto PATH (2.x)",
  '--k6 /path/to/k6, or TOUCHSTONE_K6=/path/to/k6',
];
