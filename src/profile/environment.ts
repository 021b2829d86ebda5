/** The variables that stand in for a profile, or for the keys that it omits. */
import type { Json } from '../model/json.ts';
import type { Environment } from './interpolate.ts';

type Members = { readonly [key: string]: Json };

const keys = [
  { name: 'main', variable: 'TOUCHSTONE_API_KEY', role: 'entitled' },
  { name: 'test', variable: 'TOUCHSTONE_TEST_KEY', role: 'entitled' },
  { name: 'limited', variable: 'TOUCHSTONE_RESTRICTED_KEY', role: 'restricted' },
] as const;

const token = 'TOUCHSTONE_ADMIN_TOKEN';

/** Adds references, not values: their values are parsed and checked like any other. */
export function fillFromEnvironment(profile: Members, env: Environment): Members {
  const has = (variable: string): boolean => (env[variable] ?? '') !== '';
  const given = keys.filter(({ variable }) => has(variable));
  const filled: Record<string, Json> = { ...profile };
  if (profile.keys === undefined && given.length > 0)
    filled.keys = Object.fromEntries(
      given.map((each) => [each.name, { value: `\${env:${each.variable}}`, role: each.role }]),
    );
  const { admin } = profile;
  if (has(token) && admin === undefined) filled.admin = { token: `\${env:${token}}` };
  if (has(token) && typeof admin === 'object' && admin !== null && !Array.isArray(admin)) {
    const members = admin as Members;
    if (members.token === undefined) filled.admin = { ...members, token: `\${env:${token}}` };
  }
  return filled;
}
