/** The house rules, as a test: who may import whom, who owns which dependency, how long a file may be. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = import.meta.dirname;
const folders = ['suites', 'src', 'load', 'fixtures', 'reports', 'bench', 'docs', 'release'];

function filesBelow(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)));
}

/** What users write is held to no rules of this house. */
const isExample = (file: string): boolean => file.startsWith('docs/examples/');

const isTest = (file: string): boolean => /(\.test|(^|\/)(testing|try))\.ts$/.test(file);

const existing = new Set(readdirSync(root));
const files = folders
  .filter((folder) => existing.has(folder))
  .flatMap(filesBelow)
  .filter((file) => !isExample(file));
const sources = files.filter((file) => !isTest(file));

const textOf = (file: string): string => readFileSync(join(root, file), 'utf8');

/** The code of a file, without comments: words in prose import nothing. */
const codeOf = (file: string): string =>
  textOf(file)
    .replaceAll(/\/\*[\s\S]*?\*\//g, '')
    .replaceAll(/^\s*\/\/.*$/gm, '');

const importsOf = (file: string): string[] =>
  [...codeOf(file).matchAll(/(?:from|import\()\s*'([^']+)'/g)].map((match) => match[1]!);

const target = (file: string, specifier: string): string =>
  specifier.startsWith('.') ? relative(root, join(root, dirname(file), specifier)) : specifier;

/** Where a file lives, as the import table names it. */
function roomOf(file: string): string {
  if (file.startsWith('fixtures/matrix/')) return 'fixtures/matrix';
  if (file.startsWith('fixtures/kubernetes/')) return 'fixtures/kubernetes';
  if (file.startsWith('fixtures/hostile/')) return 'fixtures/hostile';
  if (file.startsWith('fixtures/nights/')) return 'fixtures/nights';
  if (file.startsWith('fixtures/fuzz/')) return 'fixtures/fuzz';
  if (file.startsWith('src/')) {
    const [, second = ''] = file.split('/');
    return second.endsWith('.ts') ? file : `src/${second}`;
  }
  return file.split('/')[0]!;
}

/** A room and what it may import of ours. The matrix is the proof: it holds everything against everything. */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  suites: ['suites', 'src/index.ts'],
  reports: ['reports', 'src/index.ts', 'src/load/figures.ts', 'src/load/histogram.ts'],
  fixtures: ['fixtures'],
  load: ['load'],
  'fixtures/matrix': ['fixtures', 'fixtures/matrix', 'suites', 'src/*'],
  'fixtures/hostile': ['fixtures', 'fixtures/hostile', 'fixtures/fuzz/held.ts', 'suites', 'reports', 'src/*'],
  'fixtures/nights': ['fixtures', 'fixtures/nights', 'reports', 'src/*'],
  'fixtures/kubernetes': ['fixtures', 'fixtures/kubernetes', 'load', 'src/*'],
  'fixtures/fuzz': ['fixtures', 'fixtures/fuzz', 'fixtures/matrix', 'suites', 'reports', 'src/*'],
  bench: ['*'],
  release: ['release', 'suites', 'src/version.ts'],
  docs: ['docs', 'suites', 'src/model', 'src/mistakes.ts'],
  'src/model': ['src/model'],
  'src/clock.ts': [],
  'src/version.ts': [],
  'src/mistakes.ts': [],
  'src/index.ts': ['src/model', 'src/limits'],
  'src/explain-finding.ts': ['src/model'],
  'src/waivers': ['src/waivers', 'src/model', 'src/profile', 'src/engine'],
  'src/certificate': ['src/certificate', 'src/model', 'src/profile', 'src/engine', 'src/runfile', 'src/mistakes.ts'],
  'src/http': ['src/http', 'src/model', 'src/clock.ts'],
  'src/sources': ['src/sources', 'src/model', 'src/clock.ts'],
  'src/profile': ['src/profile', 'src/model', 'src/mistakes.ts'],
  'src/runfile': ['src/runfile', 'src/model', 'src/engine', 'src/clock.ts', 'src/mistakes.ts'],
  'src/limits': ['src/limits', 'src/model', 'src/engine', 'src/clock.ts'],
  'src/engine': [
    'src/engine',
    'src/limits',
    'src/model',
    'src/http',
    'src/profile',
    'src/sources',
    'src/clock.ts',
    'src/version.ts',
  ],
  'src/load': [
    'src/load',
    'src/model',
    'src/http',
    'src/profile',
    'src/engine',
    'src/runfile',
    'src/clock.ts',
    'src/mistakes.ts',
    'load/shared/phases.ts',
    'load/shared/answers.ts',
    'load/shared/chance.ts',
  ],
  'src/target': [
    'src/target',
    'src/engine',
    'src/model',
    'src/http',
    'src/profile',
    'src/sources',
    'src/clock.ts',
    'src/mistakes.ts',
  ],
  'src/check.ts': ['src/engine', 'src/model', 'src/http', 'src/profile', 'src/sources', 'src/target', 'src/clock.ts'],
  'src/visit.ts': ['src/engine', 'src/model', 'src/http', 'src/profile', 'src/sources', 'src/clock.ts'],
  'src/init': ['src/init', 'src/engine', 'src/model', 'src/profile', 'src/visit.ts', 'src/version.ts'],
  'src/doctor': ['src/doctor', 'src/init', 'src/engine', 'src/model', 'src/visit.ts'],
  'src/library.ts': ['src/*', 'suites'],
  'src/vitest.ts': ['src/*', 'suites'],
  'src/cli': ['*'],
};

const allows = (allowed: readonly string[], room: string): boolean =>
  allowed.some((each) => each === '*' || each === room || (each === 'src/*' && room.startsWith('src/')));

/** A dependency and the only files that may name it. */
const owners: Readonly<Record<string, RegExp>> = {
  undici: /^(src\/http\/undici-transport|bench\/bare-loop)\.ts$/,
  commander: /^src\/cli\//,
  '@clack/prompts': /^src\/cli\/ask\.ts$/,
  zod: /^(src\/(profile|runfile|waivers|certificate|cli|load\/merge)|docs\/make)\//,
  yaml: /^(src\/(profile|waivers|load\/kubernetes)|docs\/make|fixtures\/kubernetes)\//,
  ajv: /^src\/profile\/inputs\//,
  'ajv-formats': /^src\/profile\/inputs\//,
  'json-schema-faker': /^src\/profile\/inputs\//,
  'hdr-histogram-js': /^src\/load\/histogram\.ts$/,
  uplot: /^reports\/html\//,
  autocannon: /^(src\/load\/autocannon\/worker|bench\/load\/truth)\.ts$/,
  vitest: /^src\/vitest\.ts$/,
  'rate-limiter-flexible': /^fixtures\/foreign-limiters\//,
  'express-rate-limit': /^fixtures\/foreign-limiters\//,
  '@fastify/rate-limit': /^fixtures\/foreign-limiters\//,
  fastify: /^fixtures\/foreign-limiters\//,
  testcontainers: /^src\/target\/container-runtime\.ts$/,
  'fast-check': /^fixtures\/fuzz\//,
};

/** What reaches outside, and who may. */
const edges: readonly { readonly what: string; readonly pattern: RegExp; readonly owner: RegExp }[] = [
  {
    what: 'the console',
    pattern: /\bconsole\.\w+\(|process\.(stdin|stdout|stderr)/,
    owner:
      /^(src\/cli\/|load\/shared\/scenario\.ts|src\/target\/guardian|fixtures\/(matrix|kubernetes|hostile|nights|fuzz)\/main|fixtures\/canary\/|fixtures\/targets\/|bench\/|release\/)/,
  },
  {
    what: 'the clock',
    pattern: /\bDate\.now|\bnew Date\(\)|performance\.now|\bset(Timeout|Interval)\(/,
    owner:
      /^(src\/clock\.ts|src\/load\/autocannon\/worker\.ts|load\/shared\/scenario\.ts|src\/cli\/|src\/runfile\/write\.ts|fixtures\/|bench\/)/,
  },
  {
    what: 'the process',
    pattern: /\bprocess\.(?!stdout|stderr)[a-z]/,
    owner:
      /^(src\/cli\/|src\/library\.ts|src\/vitest\.ts|src\/target\/|fixtures\/(matrix|service|targets|kubernetes|hostile|nights|fuzz|canary)\/|bench\/|release\/)/,
  },
  {
    what: 'chance',
    pattern: /Math\.random|randomBytes|randomUUID|getRandomValues|generateKey/,
    owner: /^(src\/engine\/random\.ts|fixtures\/(service|kubernetes)\/)/,
  },
  {
    what: 'the value of a secret',
    pattern: /Secret\.reveal\(/,
    owner:
      /^src\/(model\/secret|engine\/[a-z-]+|profile\/[a-z-]+|load\/preflight|load\/k6\/folder|load\/autocannon\/engine|target\/(environment|second|reach))\.ts$/,
  },
];

describe('the house', () => {
  it.each(sources)('%s imports only what its room may', (file) => {
    const allowed = mayImport[roomOf(file)];
    expect(allowed, `${file} is in a room that the import table does not name`).toBeDefined();
    const wrong = importsOf(file)
      .filter((specifier) => specifier.startsWith('.') && !specifier.endsWith('.json'))
      .map((specifier) => target(file, specifier))
      .filter((imported) => !allows(allowed!, roomOf(imported)) && !allowed!.includes(imported));
    expect(wrong).toEqual([]);
  });

  it.each(Object.keys(owners))('%s is named by its owner alone', (dependency) => {
    const users = sources.filter((file) =>
      importsOf(file).some((specifier) => specifier === dependency || specifier.startsWith(`${dependency}/`)),
    );
    expect(users.filter((file) => !owners[dependency]!.test(file))).toEqual([]);
    expect(users.length, `${dependency} is owned by nobody: drop it`).toBeGreaterThan(0);
  });

  it.each(edges)('$what is touched by its owner alone', ({ pattern, owner }) => {
    expect(sources.filter((file) => pattern.test(codeOf(file)) && !owner.test(file))).toEqual([]);
  });

  it('has no file of more than 250 lines', () => {
    expect(files.filter((file) => !isTest(file) && textOf(file).split('\n').length > 251)).toEqual([]);
  });

  it('makes nothing but text of what a service said, in the script of the report', () => {
    const folder = join(root, 'reports/html/client');
    const scripts = readdirSync(folder).filter((file) => file.endsWith('.js'));
    expect(scripts.length).toBeGreaterThan(0);
    for (const script of scripts) {
      const text = readFileSync(join(folder, script), 'utf8');
      expect(text).not.toMatch(
        /innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b|new Function|fetch\(|localStorage/,
      );
      expect(text.split('\n').length).toBeLessThanOrEqual(251);
    }
  });

  it('names every dependency of package.json somewhere', () => {
    const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
      dependencies: Record<string, string>;
    };
    const used = new Set(
      sources.flatMap(importsOf).map((each) =>
        each
          .split('/')
          .slice(0, each.startsWith('@') ? 2 : 1)
          .join('/'),
      ),
    );
    expect(Object.keys(dependencies).filter((name) => !used.has(name))).toEqual([]);
  });

  it('leaves nothing for later in the code', () => {
    // Put together, so that this line does not find itself.
    const later = new RegExp(`\\b(${['TO', 'DO|FIX', 'ME|XX', 'X'].join('')})\\b`);
    expect(files.filter((file) => later.test(textOf(file)))).toEqual([]);
  });
});
