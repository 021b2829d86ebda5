/** From the text of a profile, or a value, to the profile: pure, and every problem at once. */
import { isObject, type Json } from '../model/json.ts';
import { check } from './checks.ts';
import { checkAdmin } from './checks-admin.ts';
import { checkTarget } from './checks-target.ts';
import { digestOf } from './digest.ts';
import { readDocument } from './document.ts';
import { fillFromEnvironment } from './environment.ts';
import { explain } from './explain.ts';
import { formerMembersOf } from './former.ts';
import { type Environment, interpolate, type Outside, whyNot } from './interpolate.ts';
import { plain } from './plain.ts';
import { type Locate, Problems, ProfileError } from './problems.ts';
import type { Profile } from './profile.ts';
import { resolve } from './resolve.ts';
import { checkSecrets } from './secrets.ts';
import { profileShape } from './shape.ts';

export interface ParseOptions extends Outside {
  /** What messages call it. */
  readonly source: string;
  /** From the command line: wins over the profile's. */
  readonly address?: string | undefined;
  /** From the command line: wins over the profile's, and over its address. */
  readonly target?: Json | undefined;
  /** Where relative paths begin; if omitted: where the process is. */
  readonly folder?: string | undefined;
}

const commandLine = 'the command line';

export function parseProfile(text: string, options: ParseOptions): Profile {
  const { value, locate } = readDocument(text, options.source, undefined, true);
  return profileFrom(value, options, locate);
}

/** The same for a value, as a TypeScript profile exports it. */
export function profileFrom(given: unknown, options: ParseOptions, locate: Locate = () => undefined): Profile {
  const { source } = options;
  const problems = new Problems(locate, ([member]) => {
    const isGiven =
      member === 'address' ? options.address !== undefined : member === 'target' && options.target !== undefined;
    return isGiven ? commandLine : undefined;
  });
  const members = sections(plain(given, problems), options, problems);
  problems.stage = 'profile-reference';
  const { address, target } = options;
  const kept = fillFromEnvironment(withoutOverruled(members, options), options.env);
  const { value: put, raw } = interpolate(kept, options, problems);
  const value: Json = {
    ...(put as typeof members),
    ...(address === undefined ? {} : { address }),
    ...(target === undefined ? {} : { target }),
  };
  problems.stage = 'profile-secret';
  checkSecrets(value, raw, problems);
  problems.stage = 'profile-form';
  const shaped = profileShape.safeParse(value);
  if (!shaped.success) explain(shaped.error.issues, { value, raw }, problems);
  problems.stage = 'profile-contradiction';
  check(value, problems);
  checkAdmin(value, problems);
  checkTarget(value, raw, problems);
  problems.stage = 'profile-reference';
  const ca = authority(value, options, problems);
  problems.throwIfAny(source);
  if (!shaped.success)
    throw new ProfileError(source, [{ path: '', message: 'the profile has the wrong form', mistake: 'profile-form' }]);
  const resolved = resolve(shaped.data, source, raw, ca, options.folder ?? '.');
  const former = formerMembersOf(value);
  return { ...resolved, digest: digestOf(resolved), ...(former.length === 0 ? {} : { former }) };
}

/** A given address is the one to check, and a given target the one to start. */
function withoutOverruled(members: { readonly [key: string]: Json }, { address, target }: ParseOptions) {
  const overruled = target !== undefined ? ['target', 'address'] : address !== undefined ? ['target'] : [];
  return Object.fromEntries(Object.entries(members).filter(([name]) => !overruled.includes(name)));
}

/** Without a file: an address, and the keys that the environment holds. */
export const defaultProfile = (
  options: Pick<ParseOptions, 'address' | 'target' | 'folder'> & { readonly env: Environment },
): Profile =>
  profileFrom(
    {},
    {
      ...options,
      source: commandLine,
      readFile: () => {
        throw new Error('there is no profile next to which it could be');
      },
    },
  );

/** The mapping that a profile is. A section whose lines are all commented out is null, and means what it looks like. */
function sections(
  value: Json | undefined,
  options: ParseOptions,
  problems: Problems,
): { readonly [key: string]: Json } {
  const { address, target } = options;
  if ((value === null || value === undefined) && address === undefined && target === undefined)
    problems.at(undefined, 'the profile is empty: it needs at least `address`');
  else if (value !== null && value !== undefined && !isObject(value))
    problems.at(
      undefined,
      `a profile is a mapping (\`address: …\` and so on), got ${Array.isArray(value) ? 'a list' : `a ${typeof value}`}`,
    );
  problems.throwIfAny(options.source);
  return Object.fromEntries(Object.entries(value ?? {}).filter(([, section]) => section !== null));
}

/** The certificate authority, read: who connects must not look for files. */
function authority(value: Json, { readFile }: ParseOptions, problems: Problems): string | undefined {
  const tls = isObject(value) && isObject(value.tls) ? value.tls : {};
  if (typeof tls.ca !== 'string' || tls.ca === '' || problems.isSettled(['tls', 'ca'])) return undefined;
  if (tls.ca.startsWith('-----BEGIN')) return tls.ca;
  try {
    const text = readFile(tls.ca);
    if (!text.includes('-----BEGIN')) problems.add(['tls', 'ca'], `${tls.ca} is not a PEM file`);
    return text;
  } catch (error) {
    problems.add(['tls', 'ca'], `the file ${tls.ca} cannot be read: ${whyNot(error)}`);
    return undefined;
  }
}
