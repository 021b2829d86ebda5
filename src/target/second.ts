/** The second instance: the same service without an admin token. Tried before the rules rely on it. */
import type { Lacks } from '../model/control.ts';
import { Secret } from '../model/secret.ts';
import type { Profile } from '../profile/profile.ts';
import { takesPort } from './command.ts';
import { holdersOfToken } from './environment.ts';
import { type Instance, type Surroundings, TargetError } from './target.ts';

export interface Second {
  readonly disabled?: NonNullable<Profile['disabled']>;
  readonly lacks: Lacks;
  readonly remarks: readonly string[];
}

const patienceMs = 10_000;
const addToken =
  'target: { env: { ADMIN_TOKEN: "${env:ADMIN_TOKEN}" } }, by the name that the service reads, or target: { second: { env: { … } } }';

export async function startSecond(
  profile: Profile,
  start: () => Promise<Instance>,
  around: Surroundings,
): Promise<Second> {
  const { target, disabled } = profile;
  if (target === undefined || disabled !== undefined) return { ...(disabled && { disabled }), lacks: {}, remarks: [] };
  const none = whyNone(profile, around);
  if (none !== undefined) return { lacks: { disabled: none }, remarks: [] };
  try {
    const instance = await start();
    const knows = await knowsToken(instance, profile, around);
    if (knows) {
      await instance.stop();
      throw new TargetError(
        'usage',
        'the second instance accepts the admin token although its environment does not contain it: set in `target.second.env` what starts it without one, or set `target.second: false`',
      );
    }
    return { disabled: await described(instance, profile, around), lacks: {}, remarks: [] };
  } catch (error) {
    // One that nobody asked for explicitly may be missing; the rest of the run need not be.
    if (!(error instanceof TargetError) || target.second !== undefined) throw error;
    const because = error.message.split('\n')[0] ?? '';
    return {
      lacks: { disabled: { because, add: 'target: { second: { env: { … } } }' } },
      remarks: [`No second instance: ${error.message}`],
    };
  }
}

function whyNone(profile: Profile, around: Surroundings): { because: string; add: string } | undefined {
  const { target } = profile;
  if (target?.second === false)
    return { because: 'the profile excludes a second instance', add: 'target: { second: { env: { … } } }' };
  if (target?.kind === 'command' && target.portInOutput === undefined && !takesPort(target))
    return {
      because: 'the second instance would listen on the port of the first',
      add: 'target: { command: [ …, "{port}" ] }',
    };
  if (target?.second !== undefined) return undefined;
  const env = target?.kind === 'container' ? target.env : { ...around.env, ...target?.env };
  if (holdersOfToken(env, profile).length > 0) return undefined;
  return {
    because: 'no variable of the target holds the admin token, so Touchstone cannot start an instance without it',
    add: addToken,
  };
}

type Headers = readonly (readonly [string, string])[];

const send = (instance: Instance, method: string, path: string, headers: Headers, around: Surroundings) =>
  around.transport.send(
    { method, target: `${around.basePath}${path}`, headers: [...around.headers, ...headers] },
    { origin: instance.origin },
    { timeoutMs: patienceMs, maxBodyBytes: 64 * 1024, signal: around.signal },
  );

/** It takes the right token and refuses a wrong one. One that takes any has none, and is the rules' matter. */
async function knowsToken(instance: Instance, { admin }: Profile, around: Surroundings): Promise<boolean> {
  if (admin?.token === undefined) return false;
  const { token, header } = admin;
  const { method, path } = admin.list ?? { method: 'GET', path: admin.path };
  const takes = async (value: string): Promise<boolean> => {
    const { response } = await send(instance, method, path, [[header, value]], around);
    return response !== undefined && response.status >= 200 && response.status < 300;
  };
  const right = Secret.reveal(token);
  return (await takes(right)) && !(await takes('no-such-token')) && !(await takes(almost(right)));
}

/** Who takes this one too compares no token: it only looks at its form. */
function almost(token: string): string {
  const at = Math.floor(token.length / 2);
  return `${token.slice(0, at)}${token[at] === 'a' ? 'b' : 'a'}${token.slice(at + 1)}`;
}

/** With the first key of the profile that it knows, or the remark that it knows none. */
async function described(
  instance: Instance,
  { keys }: Profile,
  around: Surroundings,
): Promise<NonNullable<Profile['disabled']>> {
  const place = { origin: instance.origin, basePath: around.basePath };
  for (const { role, secret } of keys) {
    if (role !== 'entitled') continue;
    const { response } = await send(instance, 'GET', '/v1/auth/verify', [['X-API-Key', Secret.reveal(secret)]], around);
    // Any other answer is not about the key, and whether it may come is for the rules to say.
    if (response?.status !== 401) return { ...place, key: secret };
  }
  return { ...place, strange: true };
}
