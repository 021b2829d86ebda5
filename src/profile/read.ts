/** Finds and reads the profile's file. The edge: files and imports; what they mean is parse.ts's matter. */
import { existsSync, statSync } from 'node:fs';
import { dirname, extname, isAbsolute, join, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Json } from '../model/json.ts';
import { readBounded } from './bounded.ts';
import { type Environment, whyNot } from './interpolate.ts';
import { defaultProfile, parseProfile, profileFrom } from './parse.ts';
import { ProfileError } from './problems.ts';
import type { Profile } from './profile.ts';
import { decoded, NotUtf8 } from './utf8.ts';

export interface ReadOptions {
  /** If omitted: looked for upward from `cwd`. */
  readonly path?: string | undefined;
  /** Wins over the profile's. */
  readonly address?: string | undefined;
  /** Wins over the profile's, and over its address. */
  readonly target?: Json | undefined;
  /** A program that calls the service is what is asked for: no address is needed. */
  readonly client?: true;
  readonly env: Environment;
  readonly cwd: string;
}

export const profileNames = ['yaml', 'yml', 'json', 'ts', 'mts', 'js', 'mjs'].map((ending) => `touchstone.${ending}`);

/** The nearest profile in this folder or above it, not beyond the folder that has `.git`. */
export function findProfile(cwd: string): string | undefined {
  for (let folder = resolve(cwd); ; folder = dirname(folder)) {
    for (const name of profileNames) {
      const path = join(folder, name);
      if (statSync(path, { throwIfNoEntry: false })?.isFile()) return path;
    }
    if (existsSync(join(folder, '.git')) || folder === dirname(folder)) return undefined;
  }
}

export async function readProfile({ path: given, address, target, client, env, cwd }: ReadOptions): Promise<Profile> {
  const path = given === undefined ? findProfile(cwd) : resolve(cwd, given);
  if (path === undefined) {
    if (address !== undefined || target !== undefined) return defaultProfile({ address, target, env, folder: cwd });
    if (client)
      throw new ProfileError('touchstone', [
        {
          path: '',
          message: `no profile and no command: there is no touchstone.yaml in ${cwd} or above it, and no command after --`,
          mistake: 'no-client',
        },
      ]);
    const message = `no profile and no address: there is no touchstone.yaml in ${cwd} or above it`;
    throw new ProfileError('touchstone', [{ path: '', message, mistake: 'no-address' }]);
  }
  const source = shown(path, cwd);
  const options = {
    source,
    address,
    target,
    folder: dirname(path),
    env,
    readFile: (name: string) => textOf(resolve(dirname(path), name)),
  };
  if (isCode.test(extname(path))) return profileFrom(await exported(path, source), options);
  let text: string;
  try {
    text = textOf(path);
  } catch (error) {
    if (error instanceof NotUtf8)
      throw new ProfileError(source, [{ path: '', mistake: 'profile-syntax', ...error.place, message: error.message }]);
    throw unreadable(source, `the profile cannot be read: ${whyNot(error)}`);
  }
  return parseProfile(text, options);
}

/** More than any profile, and any file that it names. */
const largest = 4_000_000;

const textOf = (path: string): string => decoded(readBounded(path, largest));

const unreadable = (source: string, message: string): ProfileError => new ProfileError(source, [{ path: '', message }]);

const isCode = /^\.[cm]?[jt]s$/;

const shown = (path: string, cwd: string): string => {
  const short = relative(cwd, path);
  return short === '' || short.startsWith('..') || isAbsolute(short) ? path : short;
};

async function exported(path: string, source: string): Promise<unknown> {
  let module: { readonly default?: unknown };
  try {
    if (!existsSync(path)) throw Object.assign(new Error(path), { code: 'ENOENT' });
    module = await import(pathToFileURL(path).href);
  } catch (error) {
    throw unreadable(source, `the profile cannot be read: ${whyNot(error)}`);
  }
  if (module.default === undefined) throw unreadable(source, 'must `export default defineProfile({ … })`');
  return module.default;
}
