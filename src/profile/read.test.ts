import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { findProfile, readProfile } from './read.ts';

const root = mkdtempSync(join(tmpdir(), 'touchstone-profile-'));
const deep = join(root, 'repository', 'a', 'b');
mkdirSync(deep, { recursive: true });
mkdirSync(join(root, 'repository', '.git'));
const put = (path: string, text: string): string => {
  writeFileSync(join(root, path), text);
  return join(root, path);
};
afterAll(() => rmSync(root, { recursive: true }));

test('a profile is looked for upward, not beyond the repository', async () => {
  put('touchstone.yaml', 'address: http://outside:1');
  expect(findProfile(deep)).toBeUndefined();
  const found = put('repository/touchstone.json', '{ "address": "http://inside:1" }');
  expect(findProfile(deep)).toBe(found);
  expect(await readProfile({ cwd: deep, env: {} })).toMatchObject({ origin: 'http://inside:1', source: found });
});

test('files are relative to the profile', async () => {
  put('repository/key', 'vk_live_k\r\n');
  const path = put('repository/other.yaml', `address: http://a:1\nkeys: { main: "\${file:./key}" }`);
  expect(await readProfile({ path, cwd: deep, env: {} })).toMatchObject({ keys: [{ name: 'main', kind: 'live' }] });
});

test('a profile may be a program', async () => {
  put(
    'p.mjs',
    "export default { address: 'http://a:1', keys: { k: '§{env:K}' }, strict: undefined };".replace('§', '$'),
  );
  const profile = await readProfile({ path: 'p.mjs', cwd: root, env: { K: 'vk_test_k' } });
  expect(profile).toMatchObject({ source: 'p.mjs', keys: [{ name: 'k', kind: 'test' }], strict: false });
});

test.each([
  ['gone.yaml', /^gone\.yaml: the profile cannot be read: there is no such file$/],
  ['gone.ts', /^gone\.ts: the profile cannot be read: there is no such file$/],
  ['none.mjs', /must `export default/],
  ['throws.mjs', /cannot be read: oh$/],
  ['repository', /it is a folder/],
])('%s is a ProfileError', async (path, message) => {
  put('none.mjs', 'export const a = 1;');
  put('throws.mjs', "throw new Error('oh');");
  await expect(readProfile({ path, cwd: root, env: {} })).rejects.toThrow(message);
});

test('without a profile the address is enough, and without that nothing is', async () => {
  const cwd = join(root, 'repository', 'bare');
  mkdirSync(join(cwd, '.git'), { recursive: true });
  expect(await readProfile({ cwd, env: {}, address: 'http://a:1' })).toMatchObject({ source: 'the command line' });
  await expect(readProfile({ cwd, env: {} })).rejects.toThrow('no profile and no address');
});
