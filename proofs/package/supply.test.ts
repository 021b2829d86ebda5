/** What is installed with Touchstone and what it hands on: no surprises in the lock file, none in the tarball. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { judged, packagesOf } from './licence-rules.ts';

const root = join(import.meta.dirname, '../..');
const read = (path: string) => JSON.parse(readFileSync(join(root, path), 'utf8'));
const packages = packagesOf(read('package-lock.json'), (folder) => {
  const { license, licenses } = read(join(folder, 'package.json'));
  return license ?? licenses?.[0]?.type;
});

describe('the lock file', () => {
  test('holds a digest of every package', () => {
    expect(packages.length).toBeGreaterThan(100);
    expect(packages.filter(({ integrity }) => !/^sha512-[\w+/]{86}==$/.test(integrity ?? ''))).toEqual([]);
  });

  test('lets nothing run while it is installed but the pinned Node', () => {
    const { allowScripts } = read('package.json') as { allowScripts: Record<string, boolean> };
    const scripted = packages.filter(({ installs }) => installs).map(({ name }) => name);
    expect(scripted.filter((name) => allowScripts[name] === undefined)).toEqual([]);
    expect(Object.keys(allowScripts).filter((name) => allowScripts[name])).toEqual(['node']);
    // An installation of Touchstone contains none of them.
    expect(packages.filter(({ installs, dev }) => installs && !dev)).toEqual([]);
    const { scripts } = read('package.json') as { scripts: Record<string, string> };
    expect(Object.keys(scripts).filter((name) => /^(pre|post)?install$|^prepare$/.test(name))).toEqual([]);
  });

  test('holds licences that go with Apache-2.0 only', () => {
    expect(packages.flatMap((each) => judged(each) ?? [])).toEqual([]);
  });
});

test.each([
  ['MIT', false, true],
  ['(MIT AND Zlib)', false, true],
  ['MIT OR GPL-3.0-only', false, true],
  ['MIT AND GPL-3.0-only', true, false],
  ['AGPL-3.0-only', true, false],
  ['MPL-2.0', true, true],
  ['MPL-2.0', false, false],
  ['SEE LICENSE IN x', false, false],
  [undefined, true, false],
])('%s, only for tools: %s: %s', (licence, dev, fits) => {
  const one = { name: 'a', dev, installs: false, ...(licence === undefined ? {} : { licence }) };
  expect(judged(one) === undefined).toBe(fits);
});

test('the tarball holds what its users need: no tests, no fixtures but the service, no secrets, no sources', () => {
  const said = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [{ files }] = JSON.parse(said) as [{ files: readonly { readonly path: string }[] }];
  const paths = files.map(({ path }) => path);
  expect(paths).toEqual(expect.arrayContaining(['package.json', 'LICENSE', 'README.md', 'bin/touchstone.cjs']));
  const known =
    /^(package\.json|LICENSE|README\.md|CHANGELOG\.md|bin\/(touchstone|start)\.cjs|dist\/.+|load\/.+\.ts|schema\/[\w-]+\.json|docs\/[\w-]+\.md|docs\/openapi\.yaml|proofs\/(matrix|clients)\/proofs\.json)$/;
  expect(paths.filter((path) => !known.test(path))).toEqual([]);
  expect(paths.filter((path) => /\.test\.|\.env|\.pem$|\.jsonl$|tsconfig|node_modules/.test(path))).toEqual([]);
});
