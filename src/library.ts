/** `import { check, loadProfile } from 'touchstone'`. */
import { catalogue, rulesVersion } from '../suites/index.ts';
import { specification } from '../suites/specification.ts';
import { type CheckOptions, checkWith } from './check.ts';
import { systemClock } from './clock.ts';
import type { Run } from './model/run.ts';
import type { Waiving } from './model/waiving.ts';
import type { Profile } from './profile/profile.ts';
import { readProfile } from './profile/read.ts';
import { waivingBy } from './waivers/apply.ts';
import { readWaivers } from './waivers/read.ts';

export type { CheckOptions } from './check.ts';
export type { RunEvent } from './engine/options.ts';
export { type MistakeCode, UserError } from './mistakes.ts';
export type { Control } from './model/control.ts';
export type { Waiving } from './model/waiving.ts';
export { defineProfile, type ProfileInput } from './profile/define.ts';
export type { Profile } from './profile/profile.ts';
export { type JournalOptions, type OpenJournal, openJournal } from './runfile/journal.ts';
export { TargetError } from './target/target.ts';
export * from './vocabulary.ts';

/** Reads a profile from a file, or from what the environment says where there is none. */
export const loadProfile = (
  options: { readonly path?: string; readonly address?: string; readonly cwd?: string } = {},
) => readProfile({ ...options, cwd: options.cwd ?? process.cwd(), env: process.env });

/** Reads waivers from a file, or from the one beside the profile, for `check(profile, { waiving })`. */
export function loadWaivers(
  options: { readonly path?: string; readonly profile?: string; readonly cwd?: string } = {},
): Waiving {
  const today = systemClock.date().slice(0, 10);
  const place = { waivers: options.path, profile: options.profile, cwd: options.cwd ?? process.cwd() };
  return waivingBy(readWaivers(place, { rules: catalogue, today }), today);
}

/** Asks a service by every rule, and says what came of it. */
export const check = (profile: Profile, options?: CheckOptions): Promise<Run> =>
  checkWith({ rules: catalogue, version: rulesVersion, specification }, profile, options);
