/**
 * `npm run release`: the tarball, its digest and its notes, in .cache/release. `npm run package:check` does the same and forgives changes
 * that are not committed. Publishes nothing.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import packageJson from '../../package.json' with { type: 'json' };
import { version as inSource } from '../../src/version.ts';
import { rulesVersion } from '../../suites/index.ts';
import { specification } from '../../suites/specification.ts';
import { changesOf, disagreeing, notesText } from './notes.ts';

const root = join(import.meta.dirname, '../..');
const folder = join(root, '.cache', 'release');
const checkOnly = process.argv.includes('--check');

const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const says = (program: string, ...args: readonly string[]): string =>
  execFileSync(program, args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
const tool = (name: string, ...args: readonly string[]): void => {
  execFileSync(join(root, 'node_modules/.bin', name), args, { cwd: root, stdio: 'inherit' });
};

function release(): void {
  const { name, version } = packageJson;
  const changes = changesOf(read('CHANGELOG.md'), version);
  const wrong = disagreeing(version, {
    'src/version.ts': inSource,
    'docs/pipelines/Jenkinsfile': /touchstone-(\d+\.\d+\.\d+)\.tgz/.exec(read('docs/pipelines/Jenkinsfile'))?.[1],
    'CHANGELOG.md': changes === undefined ? undefined : version,
  });
  const clean = says('git', 'status', '--porcelain') === '';
  if (!clean && !checkOnly) wrong.push('there are changes that are in no commit');
  if (wrong.length > 0) throw new Error(wrong.join('\n'));

  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const [packed] = JSON.parse(says('npm', 'pack', '--json', '--pack-destination', folder)) as [
    { readonly filename: string; readonly integrity: string; readonly files: readonly { readonly path: string }[] },
  ];
  const file = join(folder, packed.filename);
  tool('publint', '--strict', file);
  tool('attw', '--profile', 'esm-only', '--quiet', file);
  tool('knip');
  const bytes = readFileSync(file);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const made = {
    name,
    version,
    file: packed.filename,
    bytes: bytes.length,
    sha256,
    integrity: packed.integrity,
    commit: says('git', 'rev-parse', 'HEAD'),
    date: says('git', 'log', '-1', '--format=%cI'),
    clean,
    node: process.versions.node,
    npm: says('npm', '--version'),
    rules: { version: rulesVersion, specification },
    files: packed.files.map(({ path }) => path),
  };
  writeFileSync(`${file}.sha256`, `${sha256}  ${packed.filename}\n`);
  writeFileSync(`${file}.provenance.json`, `${JSON.stringify(made, undefined, 2)}\n`);
  writeFileSync(`${file}.md`, `${notesText(made)}\n## Changes\n\n${changes}\n`);
  process.stdout.write(`${file}\n${sha256}\n`);
}

try {
  release();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
