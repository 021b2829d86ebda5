/** The variables that a service is started with. The one place where they are opened. */
import { existsSync } from 'node:fs';
import { isAbsolute, sep } from 'node:path';
import { Secret } from '../model/secret.ts';
import type { Profile } from '../profile/profile.ts';
import type { ProfileTarget } from '../profile/profile-target.ts';
import type { Which } from './target.ts';

type Plain = Record<string, string>;

/** `taken`: those that must not be there, where something below would set them. */
export interface Variables {
  readonly set: Readonly<Plain>;
  readonly taken: readonly string[];
}

/** What the profile says, for the first instance or the second, with the port in its place. */
export function variablesOf(
  target: ProfileTarget,
  which: Which,
  profile: Pick<Profile, 'admin'>,
  port: number | undefined,
): Variables {
  const written = { ...target.env, ...(which === 'second instance' && target.second ? target.second.env : {}) };
  const token = which === 'second instance' ? tokenOf(profile) : undefined;
  const set: Plain = {};
  const taken: string[] = [];
  for (const [name, value] of Object.entries(written)) {
    const text = value === null ? undefined : filled(Secret.reveal(value), port);
    if (text === undefined || text === token) taken.push(name);
    else set[name] = text;
  }
  return { set, taken };
}

export const mentionsPort = (text: Secret | string): boolean => Secret.reveal(text).includes('{port}');

export const filled = (text: string, port: number | undefined): string =>
  port === undefined ? text : text.replaceAll('{port}', String(port));

/** Our environment for the service, without removed variables, and for the second instance without those that hold the token. */
export function inherited(
  env: Readonly<Record<string, string | undefined>>,
  { set, taken }: Variables,
  which: Which,
  profile: Pick<Profile, 'admin'>,
): Plain {
  const token = which === 'second instance' ? tokenOf(profile) : undefined;
  const kept = Object.entries(env).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && entry[1] !== token && !taken.includes(entry[0]),
  );
  return { ...Object.fromEntries(kept), ...set };
}

/** Names of the variables that hold the admin token: without one, leaving them out makes no second instance. */
export function holdersOfToken(
  env: Readonly<Record<string, Secret | string | null | undefined>>,
  profile: Pick<Profile, 'admin'>,
): readonly string[] {
  const token = tokenOf(profile);
  if (token === undefined) return [];
  return Object.entries(env).flatMap(([name, value]) =>
    value !== undefined && value !== null && Secret.reveal(value) === token ? [name] : [],
  );
}

const tokenOf = ({ admin }: Pick<Profile, 'admin'>): string | undefined =>
  admin?.token === undefined ? undefined : Secret.reveal(admin.token);

/** The headers that the profile adds, as they stand on the wire. */
export const openedHeaders = ({ headers }: Pick<Profile, 'headers'>): [string, string][] =>
  headers.map(([name, value]) => [name, Secret.reveal(value)]);

/** Everything that must not be seen in what a service prints. */
export function secretsOf(profile: Profile): Secret[] {
  const { keys, admin, disabled, headers, target } = profile;
  const second = target?.second ? Object.values(target.second.env) : [];
  const variables = [...Object.values(target?.env ?? {}), ...second].filter((each) => each instanceof Secret);
  return [
    ...keys.map(({ secret }) => secret),
    admin?.token,
    disabled?.key,
    ...headers.map(([, value]) => value),
    ...variables.filter((each) => !isPlace(Secret.reveal(each), target)),
  ].filter((each) => each instanceof Secret);
}

/**
 * A file or folder is no secret, be it still to be made: where a service keeps its data, the path of a report would be masked too.
 * A token may begin with a slash, but hardly with a folder of this machine.
 */
function isPlace(value: string, target: ProfileTarget | undefined): boolean {
  const from = target?.store?.from;
  const [, top = ''] = value.split(sep);
  return (
    (isAbsolute(value) && top !== '' && existsSync(sep + top)) ||
    (from !== undefined && 'path' in from && from.path === value)
  );
}
