/** The rules of this repository, as a test: who may import whom, who owns which dependency, how long a file may be. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '..');
const folders = ['suites', 'src', 'load', 'fixtures', 'reports', 'proofs', 'docs'];

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

/** Folders whose rooms are one level further down. */
const floors: ReadonlySet<string> = new Set(['suites', 'src', 'src/limits', 'fixtures', 'proofs']);

/** Where a file lives, as the import table names it; a file beside rooms is a room of its own. */
function roomOf(file: string): string {
  let room = '';
  for (const part of file.split('/')) {
    room = room === '' ? part : `${room}/${part}`;
    if (!floors.has(room)) return room;
  }
  return room;
}

/**
 * A room and the rooms that it may import next to itself; `src/*` is every room below that folder. A test below holds that no
 * room leads back to itself.
 */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  'suites/clauses': ['src/vocabulary.ts'],
  'suites/language': ['src/vocabulary.ts'],
  'suites/rules': ['suites/clauses', 'suites/language', 'src/vocabulary.ts'],
  'suites/client': ['suites/clauses', 'src/vocabulary.ts'],
  'suites/sets': ['src/vocabulary.ts'],
  'suites/index.ts': ['suites/rules', 'suites/sets', 'src/vocabulary.ts'],
  'suites/specification.ts': [],
  reports: ['src/vocabulary.ts', 'src/verdict', 'src/statistics'],
  load: [],
  'fixtures/*': ['fixtures/*'],
  'proofs/*': ['*'],
  docs: ['suites/*', 'reports', 'src/model', 'src/vocabulary.ts', 'src/mistakes.ts'],
  'src/clock.ts': [],
  'src/version.ts': [],
  'src/mistakes.ts': [],
  'src/random.ts': [],
  'src/words.ts': ['src/random.ts'],
  'src/model': ['load'],
  'src/vocabulary.ts': ['src/model', 'src/limits/model', 'src/words.ts'],
  'src/verdict': ['src/model', 'src/random.ts'],
  'src/statistics': ['src/model', 'src/random.ts'],
  'src/http': ['src/model', 'src/clock.ts'],
  'src/secrets': ['src/model', 'src/http'],
  'src/sources': ['src/model', 'src/clock.ts', 'src/words.ts'],
  'src/profile': ['src/model', 'src/random.ts', 'src/mistakes.ts'],
  'src/runfile': ['load', 'src/model', 'src/verdict', 'src/clock.ts', 'src/mistakes.ts'],
  'src/waivers': ['src/model', 'src/profile'],
  'src/certificate': [
    'src/model',
    'src/verdict',
    'src/secrets',
    'src/profile',
    'src/runfile',
    'src/mistakes.ts',
    'src/random.ts',
    'src/words.ts',
  ],
  'src/limits/model': ['src/model'],
  'src/limits/probe': ['src/limits/model', 'src/model', 'src/random.ts'],
  'src/limits/survey': ['src/limits/model', 'src/limits/probe', 'src/model', 'src/random.ts'],
  'src/engine': [
    'src/limits/*',
    'src/verdict',
    'src/secrets',
    'src/model',
    'src/http',
    'src/profile',
    'src/sources',
    'src/clock.ts',
    'src/random.ts',
    'src/words.ts',
    'src/version.ts',
  ],
  'src/load': [
    'src/statistics',
    'src/model',
    'src/http',
    'src/profile',
    'src/runfile',
    'src/clock.ts',
    'src/mistakes.ts',
    'load',
  ],
  'src/target': [
    'src/secrets',
    'src/model',
    'src/http',
    'src/profile',
    'src/sources',
    'src/clock.ts',
    'src/random.ts',
    'src/mistakes.ts',
  ],
  // The other side: it starts programs and answers them itself; of the engine it takes the watch over stalls.
  'src/client': [
    'src/engine',
    'src/verdict',
    'src/secrets',
    'src/target',
    'src/profile',
    'src/model',
    'src/clock.ts',
    'src/random.ts',
    'src/version.ts',
  ],
  // A proxy: it answers as the counterpart of clients does, and writes down as the engine does.
  'src/between': [
    'src/client',
    'src/engine',
    'src/verdict',
    'src/secrets',
    'src/http',
    'src/model',
    'src/clock.ts',
    'src/random.ts',
    'src/version.ts',
  ],
  'src/check.ts': [
    'src/engine',
    'src/target',
    'src/model',
    'src/http',
    'src/profile',
    'src/sources',
    'src/clock.ts',
    'src/random.ts',
  ],
  'src/init': ['src/engine', 'src/model', 'src/profile', 'src/random.ts', 'src/version.ts'],
  'src/doctor': ['src/init', 'src/engine', 'src/model', 'src/random.ts'],
  'src/library.ts': ['src/*', 'suites/*'],
  'src/vitest.ts': ['src/*', 'suites/*', 'reports'],
  'src/cli': ['*'],
};

const fits = (pattern: string, room: string): boolean =>
  pattern === '*' || pattern === room || (pattern.endsWith('/*') && room.startsWith(pattern.slice(0, -1)));

const allowedTo = (room: string): readonly string[] | undefined =>
  Object.entries(mayImport).find(([pattern]) => fits(pattern, room))?.[1];

const ownImports = (file: string): string[] =>
  importsOf(file)
    .filter((specifier) => specifier.startsWith('.') && !specifier.endsWith('.json'))
    .map((specifier) => target(file, specifier));

/** A way from a room back to itself, if there is one. */
function circleIn(rooms: ReadonlyMap<string, ReadonlySet<string>>): readonly string[] | undefined {
  const done = new Set<string>();
  const search = (room: string, way: readonly string[]): readonly string[] | undefined => {
    if (way.includes(room)) return [...way.slice(way.indexOf(room)), room];
    if (done.has(room)) return undefined;
    for (const next of rooms.get(room) ?? []) {
      const circle = search(next, [...way, room]);
      if (circle !== undefined) return circle;
    }
    done.add(room);
    return undefined;
  };
  for (const room of rooms.keys()) {
    const circle = search(room, []);
    if (circle !== undefined) return circle;
  }
  return undefined;
}

/** A dependency and the only files that may name it. */
const owners: Readonly<Record<string, RegExp>> = {
  undici: /^(src\/http\/undici-transport|proofs\/bench\/bare-loop)\.ts$/,
  commander: /^src\/cli\//,
  '@clack/prompts': /^src\/cli\/ask\.ts$/,
  zod: /^(src\/(profile|runfile|waivers|certificate|cli|load\/merge)|docs\/make)\//,
  yaml: /^(src\/(profile|waivers|load\/kubernetes)|docs\/make|proofs\/kubernetes)\//,
  ajv: /^src\/profile\/inputs\//,
  'ajv-formats': /^src\/profile\/inputs\//,
  'json-schema-faker': /^src\/profile\/inputs\//,
  'hdr-histogram-js': /^src\/statistics\/histogram\.ts$/,
  uplot: /^reports\/html\//,
  autocannon: /^(src\/load\/autocannon\/worker|proofs\/bench\/load\/truth)\.ts$/,
  vitest: /^src\/vitest\.ts$/,
  'rate-limiter-flexible': /^fixtures\/foreign-limiters\//,
  'express-rate-limit': /^fixtures\/foreign-limiters\//,
  '@fastify/rate-limit': /^fixtures\/foreign-limiters\//,
  fastify: /^fixtures\/foreign-limiters\//,
  testcontainers: /^src\/target\/container-runtime\.ts$/,
  'fast-check': /^proofs\/fuzz\//,
};

/** What reaches outside, and who may. */
const edges: readonly { readonly what: string; readonly pattern: RegExp; readonly owner: RegExp }[] = [
  {
    what: 'the console',
    pattern: /\bconsole\.\w+\(|process\.(stdin|stdout|stderr)/,
    owner:
      /^(src\/cli\/|load\/shared\/scenario\.ts|src\/target\/guardian|fixtures\/targets\/|proofs\/(main|[a-z]+\/main|canary\/|bench\/|stability\/|package\/))/,
  },
  {
    what: 'the clock',
    pattern: /\bDate\.now|\bnew Date\(\)|performance\.now|\bset(Timeout|Interval)\(/,
    owner:
      /^(src\/clock\.ts|src\/load\/autocannon\/worker\.ts|load\/shared\/scenario\.ts|src\/cli\/|src\/runfile\/write\.ts|fixtures\/|proofs\/)/,
  },
  {
    what: 'the process',
    pattern: /\bprocess\.(?!stdout|stderr)[a-z]/,
    owner: /^(src\/cli\/|src\/library\.ts|src\/vitest\.ts|src\/target\/|fixtures\/(service|targets)\/|proofs\/)/,
  },
  {
    what: 'chance',
    pattern: /Math\.random|randomBytes|randomUUID|getRandomValues|generateKey/,
    owner: /^(src\/random\.ts|fixtures\/service\/|proofs\/kubernetes\/)/,
  },
  {
    what: 'the value of a secret',
    pattern: /Secret\.reveal\(/,
    owner:
      /^src\/(model\/secret|engine\/[a-z-]+|secrets\/[a-z-]+|profile\/[a-z-]+|load\/preflight|load\/k6\/folder|load\/autocannon\/engine|target\/(environment|second|reach))\.ts$/,
  },
];

describe('the house', () => {
  it.each(sources)('%s imports only what its room may', (file) => {
    const room = roomOf(file);
    const allowed = allowedTo(room);
    expect(allowed, `${file} is in a room that the import table does not name`).toBeDefined();
    const rooms = ownImports(file).map(roomOf);
    expect(rooms.filter((each) => each !== room && !allowed!.some((pattern) => fits(pattern, each)))).toEqual([]);
  });

  it('has no rooms that lead back to themselves', () => {
    const rooms = new Map<string, Set<string>>();
    for (const file of sources) {
      const own = rooms.get(roomOf(file)) ?? new Set();
      rooms.set(roomOf(file), own);
      for (const imported of ownImports(file)) if (roomOf(imported) !== roomOf(file)) own.add(roomOf(imported));
    }
    expect(circleIn(rooms)).toBeUndefined();
    expect(
      circleIn(
        new Map([
          ['a', new Set(['b'])],
          ['b', new Set(['c'])],
          ['c', new Set(['b'])],
        ]),
      ),
    ).toEqual(['b', 'c', 'b']);
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
    // TAP has a directive of that name.
    expect(files.filter((file) => later.test(textOf(file)) && !file.startsWith('reports/tap.'))).toEqual([]);
  });
});
