/** `import { check, loadProfile } from 'touchstone'`. */
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { clientRules, clientRulesVersion, situations } from '../suites/client/index.ts';
import { catalogue, rulesVersion } from '../suites/index.ts';
import { specification } from '../suites/specification.ts';
import { type CheckOptions, checkWith } from './check.ts';
import { type JudgeClientOptions, judgeClient } from './client/judge.ts';
import { systemClock } from './clock.ts';
import type { Run } from './model/run.ts';
import type { Waiving } from './model/waiving.ts';
import type { Profile } from './profile/profile.ts';
import { readProfile } from './profile/read.ts';
import { waivingBy } from './waivers/apply.ts';
import { readWaivers } from './waivers/read.ts';

export type { CheckOptions } from './check.ts';
export type { JudgeClientOptions } from './client/judge.ts';
export type { RunEvent } from './engine/options.ts';
export { type MistakeCode, UserError } from './mistakes.ts';
export type { Control } from './model/control.ts';
export type { Waiving } from './model/waiving.ts';
export { defineProfile, type ProfileInput } from './profile/define.ts';
export type { Profile } from './profile/profile.ts';
export { type JournalOptions, type OpenJournal, openJournal } from './runfile/journal.ts';
export { TargetError } from './target/target.ts';
export * from './vocabulary.ts';

/** Reads a profile from a file, or from the environment if there is none. */
export const loadProfile = (
  options: { readonly path?: string; readonly address?: string; readonly cwd?: string } = {},
) => readProfile({ ...options, cwd: options.cwd ?? process.cwd(), env: process.env });

/** Reads waivers from a file, or from the one next to the profile, for `check(profile, { waiving })`. */
export function loadWaivers(
  options: { readonly path?: string; readonly profile?: string; readonly cwd?: string } = {},
): Waiving {
  const today = systemClock.date().slice(0, 10);
  const place = { waivers: options.path, profile: options.profile, cwd: options.cwd ?? process.cwd() };
  return waivingBy(readWaivers(place, { rules: [...catalogue, ...clientRules], today }), today);
}

/** Checks a service by every rule, and reports the result. */
export const check = (profile: Profile, options?: CheckOptions): Promise<Run> =>
  checkWith({ rules: catalogue, version: rulesVersion, specification }, profile, options);

/** Starts a program that calls the service, as the profile's `client` says, and judges what it sends and what it says. */
export function checkClient(profile: Profile, options: JudgeClientOptions = {}): Promise<Run> {
  if (profile.client === undefined) throw new TypeError(`${profile.source} has no \`client\``);
  const client = { ...profile.client, folder: resolve(profile.folder, profile.client.folder) };
  const own = { profile: { name: profile.source, digest: profile.digest }, strict: profile.strict };
  const catalogue = { rules: clientRules, situations, version: clientRulesVersion, specification };
  const around = { env: process.env, processors: availableParallelism() };
  return judgeClient(catalogue, client, around, { ...own, ...options });
}
