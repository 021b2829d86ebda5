/** Which variables of a target never appear in any output. */
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Secret } from '../model/secret.ts';
import { profileFrom } from '../profile/parse.ts';
import { secretsOf } from './environment.ts';

const folder = tmpdir();
const env = {
  ADMIN: 'an-admin-token-0123',
  SLASHED: '/Ab3dEf0123456789/x+y=',
  STORE: join(folder, 'not-there-yet', 'keys.sqlite'),
  RELATIVE: 'data/keys.sqlite',
  FOLDER: folder,
};

const hiddenOf = (target: Readonly<Record<string, unknown>>): string[] => {
  const written = { target: { command: ['./service'], port: 9, ...target } };
  const profile = profileFrom(written, { source: 'test', env, readFile: () => '' });
  return secretsOf(profile).map((secret) => Secret.reveal(secret));
};

test('what comes from outside is a secret, unless it is a place on this machine', () => {
  const variables = {
    TOKEN: '${env:ADMIN}',
    OTHER: '${env:SLASHED}',
    DATABASE: '${env:STORE}',
    FILE: '${env:RELATIVE}',
    DATA: '${env:FOLDER}',
    PLAIN: 'in the profile',
  };
  expect(hiddenOf({ env: variables })).toEqual([env.ADMIN, env.SLASHED, env.RELATIVE]);
  expect(hiddenOf({ env: variables, store: { path: '${env:RELATIVE}' } })).toEqual([env.ADMIN, env.SLASHED]);
});
