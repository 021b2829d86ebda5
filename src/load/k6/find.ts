/** Where k6 is: what was named, then what the environment names, PATH, what was built here, and an image that is here. Nothing is ever downloaded. */
import { execFile } from 'node:child_process';
import { delimiter, join } from 'node:path';
import { cachedK6, isExecutable, type Surroundings } from './cache.ts';
import { k6OutOf, usualImages } from './image.ts';
import { fitnessOf, versionIn } from './version.ts';

/** One place that was looked at. */
export interface Candidate {
  readonly from: '--k6' | 'TOUCHSTONE_K6' | 'PATH' | 'cache' | `image ${string}`;
  readonly path: string;
  readonly version?: string;
  readonly warning?: string;
  /** Why it is not used; omitted for one that can be. */
  readonly wrong?: string;
}

export interface Found {
  readonly path: string;
  readonly version: string;
  readonly major: number;
  readonly warning?: string;
}

/** A named one is the only candidate. */
export async function candidates(around: Surroundings): Promise<readonly Candidate[]> {
  const { env, named } = around;
  if (named !== undefined) return [await tried('--k6', named)];
  const variable = env.TOUCHSTONE_K6 ?? '';
  if (variable !== '') return [await tried('TOUCHSTONE_K6', variable)];
  const image = env.TOUCHSTONE_K6_IMAGE ?? '';
  if (image !== '') return [await triedImage(image, around)];
  const onPath = (env.PATH ?? '')
    .split(delimiter)
    .filter((folder) => folder.startsWith('/'))
    .map((folder) => join(folder, 'k6'))
    .find(isExecutable);
  const found = onPath === undefined ? [] : [await tried('PATH', onPath)];
  const cached = cachedK6(around);
  const own = [...found, ...(isExecutable(cached) ? [await tried('cache', cached)] : [])];
  if (own.some(({ wrong }) => wrong === undefined)) return own;
  // An image that nobody named, and that is not here, is no place that was looked at in vain.
  for (const each of usualImages) {
    const inside = await triedImage(each, around);
    if (inside.wrong === undefined) return [...own, inside];
  }
  return own;
}

async function triedImage(image: string, around: Surroundings): Promise<Candidate> {
  const found = await k6OutOf(image, around);
  return 'path' in found ? tried(`image ${image}`, found.path) : { from: `image ${image}`, path: image, ...found };
}

export async function findK6(around: Surroundings): Promise<Found | undefined> {
  for (const { path, version, warning, wrong } of await candidates(around)) {
    if (wrong !== undefined || version === undefined) continue;
    return { path, version, major: Number(version.split('.')[0]), ...(warning === undefined ? {} : { warning }) };
  }
  return undefined;
}

async function tried(from: Candidate['from'], path: string): Promise<Candidate> {
  if (!isExecutable(path)) return { from, path, wrong: 'there is no such program' };
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
  'TOUCHSTONE_K6_IMAGE=name          an image with it that this machine has; grafana/k6 is found automatically',
];
