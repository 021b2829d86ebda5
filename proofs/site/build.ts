/** Writes the pages, installs the generator into its own folder where it is missing, and lets it build. */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { siteOf } from '../../docs/make/site/site.ts';

const root = join(import.meta.dirname, '../..');
const home = join(root, 'site-src');
const generator = join(home, 'node_modules', 'vitepress', 'bin', 'vitepress.js');

const textOf = (file: string): string => readFileSync(join(root, file), 'utf8');

/** What a folder shows, since a static host lists none. */
const filesIn = (path: string): string[] =>
  statSync(join(root, path)).isDirectory() ? readdirSync(join(root, path)).map((name) => `${path}/${name}`) : [path];

/** Users of Touchstone do not need its dependencies: they are installed here, on demand, without install scripts. */
export function install(): void {
  if (existsSync(generator)) return;
  execFileSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], {
    cwd: home,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

function writePages(): void {
  const names = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md'];
  const guides = readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md'));
  const texts = new Map([...names, ...guides.map((name) => `docs/${name}`)].map((file) => [file, textOf(file)]));
  const proofs = ['proofs/matrix/proofs.json', 'proofs/clients/proofs.json'].flatMap((file) =>
    Object.entries(JSON.parse(textOf(file)) as Record<string, string[]>),
  );
  const { pages, files, sidebar } = siteOf(texts, new Map(proofs));
  const folder = join(home, 'pages');
  rmSync(folder, { recursive: true, force: true });
  for (const [page, text] of pages) {
    const path = join(folder, page);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
  for (const file of files) {
    if (/\.(svg|png)$/.test(file)) cpSync(join(root, file), join(folder, basename(file)));
    else for (const each of filesIn(file)) cpSync(join(root, each), join(folder, 'public', 'files', each));
  }
  const shown = Object.fromEntries(files.map((file) => [file, filesIn(file)]));
  writeFileSync(join(folder, 'site.json'), JSON.stringify({ sidebar, files: shown }));
}

/** `base`: the path below which a host serves it. */
export function build(out: string, base = '/'): void {
  install();
  writePages();
  execFileSync(process.execPath, [generator, 'build', home, '--base', base, '--outDir', out], {
    cwd: home,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, NODE_ENV: 'production', TOUCHSTONE_SITE_BASE: base },
  });
}
