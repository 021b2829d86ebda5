/** For the tests of targets: profiles from a few lines, what is left of a run, and whether Docker is here. */
import { execFileSync, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { profileFrom } from '../profile/parse.ts';
import type { Profile } from '../profile/profile.ts';
import { ownerLabel, ownerOf } from './owner.ts';
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

/** What a process of this machine was called by; of a target that is undefined if its engine is elsewhere, which none in CI is. */
export function calledBy(pid: number | undefined): string | undefined {
  if (pid === undefined && (process.env.CI ?? '') === '') return undefined;
  return readFileSync(`/proc/${pid}/cmdline`, 'latin1').replaceAll('\0', ' ');
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

/** Runs a check as a process, and ends it when it has said something, or after some milliseconds. */
export function endedBy(
  words: readonly string[],
  when: RegExp | number,
  signals: readonly NodeJS.Signals[],
  folder: string,
  variables: Readonly<Record<string, string>> = {},
): Promise<{ readonly owner: string; readonly code: number | null }> {
  const child = spawn(process.execPath, [bin, 'check', '--target', ...words], {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: folder, ...variables },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const owner = ownerOf(child.pid!);
  let err = '';
  let begun = false;
  const act = async (): Promise<void> => {
    if (begun) return;
    begun = true;
    for (const signal of signals) {
      child.kill(signal);
      await sleep(30);
    }
  };
  child.stderr.on('data', (text) => {
    err += text;
    if (when instanceof RegExp && when.test(err)) void act();
  });
  if (typeof when === 'number') void sleep(when).then(act);
  return new Promise((resolve) => child.on('exit', (code) => resolve({ owner, code })));
}

const bin = join(import.meta.dirname, '../../bin/touchstone.cjs');

/** Until nothing is left, because a guardian waits for the engine; returns what is left all the same. */
export async function leftAnywhere(owner: string): Promise<readonly (string | number)[]> {
  const processes = await leftOf(owner, 60_000);
  return [...processes, ...leftInDocker(owner)];
}
