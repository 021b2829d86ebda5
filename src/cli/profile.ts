/** The profile of a command, whose secrets are kept out of everything that is written from then on. */

import type { Profile } from '../profile/profile.ts';
import { type ReadOptions, readProfile } from '../profile/read.ts';
import { Keyring } from '../secrets/keyring.ts';
import { secretsOf } from '../target/environment.ts';
import { UsageError } from './errors.ts';
import { hide } from './output.ts';

export async function profileOf(options: Omit<ReadOptions, 'env' | 'cwd'>): Promise<Profile> {
  const profile = await readProfile({ ...options, env: process.env, cwd: process.cwd() });
  const keyring = new Keyring();
  for (const secret of secretsOf(profile)) keyring.register(secret);
  hide({ redact: (text) => keyring.redact(text) });
  if (profile.origin === '' && profile.target === undefined)
    throw new UsageError(
      `${profile.source} has a \`client\` and no address: \`touchstone client\` judges that; to check a service, give its address`,
      'no-address',
    );
  return profile;
}
