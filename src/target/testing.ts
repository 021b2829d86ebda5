/** For the tests of targets: profiles from a few lines, what is left of a run, and whether Docker is here. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { profileFrom } from '../profile/parse.ts';
import type { Profile } from '../profile/profile.ts';
import { ownerLabel } from './owner.ts';
import { ownedBy } from './processes.ts';

const fixtures = join(import.meta.dirname, '../../fixtures/targets');
export const misbehaving = join(fixtures, 'misbehaving.ts');
export const referenceService = join(fixtures, 'service.ts');
export const composeFile = join(fixtures, 'compose.yaml');

export const env = { ADMIN_TOKEN: 'the-admin-token-0123', API_KEY: 'vk_live_0123456789abcdef' };

export const profileOf = (written: Record<string, unknown>, folder = fixtures): Profile =>
  profileFrom(written, { source: 'the test', env, folder, readFile: () => '' });

/** A misbehaving service as a command. */
export const misbehavingTarget = (how: string, more: Record<string, unknown> = {}, ...words: string[]): Profile =>
  profileOf({ target: { command: [process.execPath, misbehaving, how, '{port}', ...words], stop: '300ms', ...more } });

/** Waits, because ending takes a moment; returns what is left all the same. */
export async function leftOf(owner: string, longestMs = 20_000): Promise<number[]> {
  for (let waited = 0; waited < longestMs && ownedBy(owner).length > 0; waited += 50) await sleep(50);
  return ownedBy(owner);
}

const docker = (...args: string[]): string => execFileSync('docker', args, { encoding: 'utf8', stdio: 'pipe' });

/** Containers, networks and volumes of this owner, whether a container target or a compose project made them. */
export function leftInDocker(owner: string): string[] {
  const project = `touchstone-${Buffer.from(owner).toString('hex')}-`;
  const listed = [
    docker('ps', '-a', '--filter', `label=${ownerLabel}=${owner}`, '--format', '{{.Names}}'),
    docker('ps', '-a', '--filter', `name=${project}`, '--format', '{{.Names}}'),
    docker('network', 'ls', '--filter', `name=${project}`, '--format', '{{.Name}}'),
    docker('volume', 'ls', '--filter', `name=${project}`, '--format', '{{.Name}}'),
  ];
  return listed.flatMap((text) => text.split('\n').filter((line) => line !== ''));
}

/** Undefined: it is here. On a person's machine its absence skips a test, in CI it fails it. */
function missing(says: string, ...calls: readonly (readonly [string, ...string[]])[]): string | undefined {
  for (const [program, ...args] of calls) {
    try {
      execFileSync(program, args, { stdio: 'pipe' });
      return undefined;
    } catch {
      // The next may be there.
    }
  }
  if ((process.env.CI ?? '') !== '') throw new Error(says);
  return says;
}

export const dockerMissing = (): string | undefined =>
  missing('no Docker engine answers: install one and start it to run these tests', ['docker', 'version']);

export const composeMissing = (): string | undefined =>
  dockerMissing() ??
  missing(
    'Docker has no compose here: install docker-compose to run these tests',
    ['docker', 'compose', 'version'],
    ['docker-compose', 'version'],
  );
