/**
 * The guides are true. The program accepts every command in them. This test runs it, or `elsewhere` and `others` name the test
 * that does. Every profile is read, every link and anchor leads somewhere, and every named script exists.
 */
import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Command } from 'commander';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { parse } from 'yaml';
import { type Serving, seedsOf, serve } from '../fixtures/service/index.ts';
import { scenarioNames, scenarios } from '../load/shared/scenarios.ts';
import packageJson from '../package.json' with { type: 'json' };
import { adminToken, matrixKeys } from '../proofs/matrix/try-on.ts';
import { program } from '../src/cli/program.ts';
import { mistakes } from '../src/mistakes.ts';
import { parseProfile } from '../src/profile/parse.ts';
import { clientRules } from '../suites/client/index.ts';
import { catalogue } from '../suites/index.ts';

const root = join(import.meta.dirname, '..');
const bin = join(root, 'bin', 'touchstone.cjs');
const pages = ['README.md', ...readdirSync(join(root, 'docs')).map((name) => `docs/${name}`)].filter((name) =>
  name.endsWith('.md'),
);
const textOf = (page: string): string => readFileSync(join(root, page), 'utf8');

const blocks = (page: string, language: string): string[] =>
  [...textOf(page).matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, 'g'))].map((match) => match[1]!);

/** The lines of a page that a shell would run, without comments. */
const shellOf = (page: string): string[] =>
  blocks(page, 'sh').flatMap((block) => block.split('\n').flatMap((line) => line.replace(/\s+#.*$/, '').trim() || []));

const calls = /^(npx (--yes --package=\S+ -- )?)?touchstone /;
const commandsOf = (page: string): string[] => shellOf(page).filter((line) => calls.test(line));

const words = (line: string): string[] =>
  [...line.replace(calls, '').matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(
    ([, single, double, bare]) => single ?? double ?? bare ?? '',
  );

const everything = pages.flatMap((page) => commandsOf(page).map((line) => [page, line] as const));

/** Run by other tests, because it needs a service of its own, a terminal or a tool. */
const elsewhere: readonly (readonly [begins: string, test: string])[] = [
  ['npx touchstone serve', 'docs/readme.test.ts'],
  ['touchstone check --target', 'src/cli/target.test.ts'],
  ['npx touchstone limits', 'src/cli/limits.test.ts'],
  ['npx touchstone load latency', 'src/cli/load/k6.test.ts'],
  ['touchstone load latency -p branch.yaml --against', 'src/cli/load/k6.test.ts'],
  ['touchstone load latency -p cluster.yaml', 'src/cli/load/cluster.test.ts'],
  ['touchstone load merge', 'src/cli/load/cluster.test.ts'],
  ['touchstone compare', 'src/cli/compare.test.ts'],
  ['npx touchstone tools install', 'src/cli/load/trouble.test.ts'],
  ['npx touchstone certify', 'src/cli/certificate.test.ts'],
  ['npx touchstone certificate challenge', 'src/cli/witnessed.test.ts'],
  ['npx touchstone check --challenge', 'src/cli/witnessed.test.ts'],
  ['touchstone client', 'proofs/clients/clients.test.ts'],
  ['touchstone between', 'src/cli/between.test.ts'],
  ['npx touchstone certificate verify', 'src/cli/certificate.test.ts'],
  ['npx --yes --package=', 'proofs/package/package.test.ts'],
];

/** Lines of other programs. */
const others: readonly (readonly [line: string, test: string])[] = [
  ['npm ci && npm start', 'docs/readme.test.ts'],
  ['npm cit', 'docs/readme.test.ts'],
  ['npm ci', 'docs/readme.test.ts'],
  ['read -rs TOUCHSTONE_API_KEY && export TOUCHSTONE_API_KEY', 'docs/readme.test.ts'],
  ['npm pack ../touchstone', 'proofs/package/package.test.ts'],
  ['docker run ', 'proofs/package/image.test.ts'],
];
/** A whole block, which this test takes from the guide and runs. */
const openssl = ['docs/certificates.md', 'src/cli/certificate.test.ts'] as const;

const isElsewhere = (line: string): boolean => elsewhere.some(([begins]) => line.startsWith(begins));

let folder: string;
let service: Serving;
let second: Serving;

const env = {
  ...process.env,
  API_KEY: matrixKeys.entitled.key,
  TEST_KEY: matrixKeys.entitledTest.key,
  SPARE_KEY: matrixKeys.spare.key,
  LIMITED_KEY: matrixKeys.free.key,
  ADMIN_TOKEN: adminToken,
  TOUCHSTONE_API_KEY: matrixKeys.entitled.key,
};

const here = (text: string): string =>
  text.replaceAll('http://127.0.0.1:8080', service.url).replaceAll('http://127.0.0.1:8081', second.url);

interface Ran {
  readonly code: number;
  readonly said: string;
}

const run = (line: string): Promise<Ran> =>
  new Promise((resolve) => {
    execFile(process.execPath, [bin, ...words(here(line))], { cwd: folder, env }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), said: stdout + stderr }),
    );
  });

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'touchstone-guides-'));
  const common = { host: '127.0.0.1', port: 0, keys: seedsOf(matrixKeys), upstreamTimeoutMs: 300 };
  service = await serve({ ...common, adminToken });
  second = await serve(common);
});

afterAll(async () => {
  await service.close();
  await second.close();
  rmSync(folder, { recursive: true, force: true });
});

describe('commands', () => {
  /** The program without its actions: only whether it accepts its arguments. */
  function accepts(line: string): Promise<unknown> {
    const root = program();
    const still = (command: Command): void => {
      command.action(() => {}).configureOutput({ writeErr: () => {}, writeOut: () => {} });
      for (const each of command.commands) still(each);
    };
    for (const each of root.commands) still(each);
    return root.parseAsync(words(line), { from: 'user' });
  }

  it.each(everything)('%s: %s is accepted', async (_, line) => {
    await expect(accepts(line)).resolves.toBeDefined();
  });

  it('that do not exist are noticed', async () => {
    await expect(accepts('touchstone check --no-such-option')).rejects.toThrow();
  });

  it('each is run here or by a test that exists', () => {
    for (const [begins, by] of elsewhere) {
      expect(existsSync(join(root, by)), by).toBe(true);
      expect(
        everything.some(([, line]) => line.startsWith(begins)),
        `no guide has: ${begins}`,
      ).toBe(true);
    }
  });

  it('of other programs are run by a test that exists', () => {
    for (const page of pages) {
      const left = shellOf(page).filter(
        (line) => !calls.test(line) && !others.some(([begins]) => line.startsWith(begins)),
      );
      if (page === openssl[0]) expect(left.join('\n')).toMatch(/^C=.*\n[\s\S]*openssl pkeyutl -verify/);
      else expect(left, `no test runs these lines of ${page}`).toEqual([]);
    }
    for (const by of [openssl[1], ...others.map(([, by]) => by)]) expect(existsSync(join(root, by)), by).toBe(true);
  });

  it('run in the order of the guides, with what each has prepared', async () => {
    const profile = here(blocks('docs/profile.md', 'yaml')[0]!);
    const ran = new Set<string>();
    const all = everything.map(([, line]) => line).filter((line) => !isElsewhere(line));
    for (const line of all) {
      if (ran.has(line)) continue;
      ran.add(line);
      if (line.includes(' init ')) {
        rmSync(join(folder, 'touchstone.yaml'), { force: true });
        rmSync(join(folder, '.gitlab-ci.yml'), { force: true });
      } else if (!line.includes(' report ')) writeFileSync(join(folder, 'touchstone.yaml'), profile);
      if (line.includes('diff ') || line.includes('compare-implementations ')) {
        for (const name of ['main', 'branch', 'a', 'b'])
          cpSync(join(folder, 'touchstone-report/run.jsonl'), join(folder, `${name}.jsonl`));
      }
      // The guides mean the ordinary depth; here the first of everything is enough.
      const quick = /touchstone check/.test(line) ? ' --depth quick' : '';
      const asked = line.includes(' init ') && !line.includes('--yes') ? ' --yes' : '';
      const waived = line.includes(' waive ')
        ? ` --reason 'fixed in 2.1, see #12' --owner me --expires ${nextMonth()} --expectation fail`
        : '';
      const { code, said } = await run(`${line}${quick}${asked}${waived}`);
      expect([line, code], said.slice(-600)).toEqual([line, 0]);
      rmSync(join(folder, 'touchstone.waivers.yaml'), { force: true });
    }
    expect(ran.size).toBeGreaterThan(12);
  });

  const nextMonth = (): string => new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10);

  it.each(pages)('%s names only scripts that exist', (page) => {
    const named = [...textOf(page).matchAll(/npm run ([a-z0-9:-]+)/g)].map((match) => match[1]!);
    expect(named.filter((name) => !Object.hasOwn(packageJson.scripts, name))).toEqual([]);
  });
});

describe('profiles', () => {
  const inline = pages.flatMap((page) => blocks(page, 'yaml').map((text, at) => [page, at + 1, text] as const));

  it.each(inline)('of %s are read (%i)', (_page, _at, text) => {
    const value = parse(text) as Record<string, unknown>;
    // A job of a pipeline and a file of waivers have readers of their own.
    if ('conformance' in value || 'waivers' in value) return;
    const whole = 'address' in value || 'target' in value ? text : `address: http://127.0.0.1:1\n${text}`;
    const readFile = (): string => '';
    expect(parseProfile(whole, { source: 'guide', env, readFile })).toBeDefined();
  });
});

describe('links', () => {
  const anchorsOf = (page: string): string[] =>
    [...textOf(page).matchAll(/^#+ (.+)$/gm)].map(([, title]) =>
      title!
        .toLowerCase()
        .replaceAll(/[^\w\- ]/g, '')
        .replaceAll(' ', '-'),
    );

  test.each(pages)('of %s lead somewhere', (page) => {
    for (const [, link] of textOf(page).matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^https?:/.test(link!)) continue;
      const [path, anchor] = link!.split('#');
      const file = path === '' ? page : join(dirname(page), path!);
      expect(existsSync(join(root, file)), `${page}: ${link}`).toBe(true);
      if (anchor !== undefined) expect(anchorsOf(file), `${page}: ${link}`).toContain(anchor);
    }
  });

  test('every guide is reached from the README', () => {
    const reached = new Set<string>();
    const follow = (page: string): void => {
      if (reached.has(page)) return;
      reached.add(page);
      for (const [, link] of textOf(page).matchAll(/\]\(([^)#\s]+\.md)/g))
        if (!/^https?:/.test(link!)) follow(join(dirname(page), link!));
    };
    follow('README.md');
    expect(pages.filter((page) => !reached.has(page))).toEqual([]);
  });
});

describe('words', () => {
  test.each(pages.filter((page) => page !== 'README.md'))(
    '%s says for whom it is, and what its reader can do after it',
    (page) => {
      const [first = ''] = textOf(page)
        .split('\n\n')
        .filter((part) => !/^(#|<!--)/.test(part));
      expect(first.replaceAll('\n', ' ')).toMatch(/^For .*\bAfter this page\b/);
    },
  );

  test('the README is read in three minutes', () => {
    expect(textOf('README.md').split('\n').length).toBeLessThanOrEqual(150);
  });

  test('every scenario of load is explained, as its help says it', () => {
    const rows = [...textOf('docs/load.md').matchAll(/^\| `([a-z]+)` \| (.+) \|$/gm)];
    expect(rows.map(([, name]) => name)).toEqual(scenarioNames);
    for (const [at, name] of scenarioNames.entries())
      expect(rows[at]![2]!.replaceAll('`', '')).toContain(scenarios[name].asks);
  });

  /** What docs/style.md replaces, where it is unambiguous. */
  const translated = [
    /\bbut came\b/,
    /\bcame nothing\b/,
    /\bis none\b/,
    /\bborne\b/,
    /\bmend(s|ed|ing)?\b/i,
    /\bput(s)? up with\b/,
    /\bso often\b/,
    /\boftener\b/,
    /\bcannot be told\b/,
    /\bwaited out\b/,
    /\bwhat came of\b/,
    /\bnot to be had\b/,
    /\bthere are none\b/,
    /\bhold(s)? against\b/,
    /\bheld against\b/,
    /\bwhatever with\b/,
    /(?<!-)\bwhoever\b(?!-)/i,
    /\bwhat became of\b/,
    /\bfound out\b/,
    /\bbeside\b(?!-)/,
    /\banew\b/,
    /\bas it stands\b/,
    /\bone after the other\b/,
    /\bstands? in (?!for\b)/,
    /\bleft out\b/,
  ];
  /** Without code and without the names of faults, which are identifiers. */
  const prose = (text: string): string =>
    text.replaceAll(/```[\s\S]*?```|`[^`\n]*`|^- \*\*Proof:\*\*.*$|\b\w+(-\w+){3,}/gm, '');
  const translatedIn = (text: string): string[] => translated.flatMap((word) => prose(text).match(word)?.[0] ?? []);

  const written = [...pages, 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md'];
  test.each(written.filter((page) => page !== 'docs/style.md'))('%s has none of the translated ones', (page) => {
    expect(translatedIn(textOf(page))).toEqual([]);
  });

  test('neither has any help, error, clause, fix or description in the schema of a profile', () => {
    const helpOf = (command: Command): string[] => [command.helpInformation(), ...command.commands.flatMap(helpOf)];
    const rules = [...catalogue, ...clientRules].flatMap(({ clause, fix }) => [clause.says, fix]);
    const errors = Object.values(mistakes).flatMap(({ says, next }) => [says, next]);
    const schema = readFileSync(join(root, 'schema/profile.json'), 'utf8');
    for (const text of [...helpOf(program()), ...rules, ...errors, schema])
      expect(translatedIn(text), text.slice(0, 300)).toEqual([]);
  });
});
