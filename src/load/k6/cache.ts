/** Where a k6 lies that was built or copied here. */
import { accessSync, constants, statSync } from 'node:fs';
import { arch, platform } from 'node:os';
import { join } from 'node:path';
import { wantedVersion } from './version.ts';

export interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  /** What `--k6` said. */
  readonly named?: string;
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

export function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
