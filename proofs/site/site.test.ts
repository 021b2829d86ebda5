/** The site, built and served as a static host would: its links, its pages in Chromium for everybody, and nothing from elsewhere. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join, posix } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { browserPath, launch, screenshots } from '../../reports/html/testing.ts';
import { mistakes } from '../../src/mistakes.ts';
import { errorPage, ruleAddress, rulePage } from '../../src/model/documentation.ts';
import { clientRules } from '../../suites/client/index.ts';
import { catalogue } from '../../suites/index.ts';
import { build, install } from './build.ts';

const base = '/below/a-path/';
const isCi = process.env.CI === 'true';

/** Undefined: the generator is there, or could be fetched. */
const missing = ((): string | undefined => {
  try {
    install();
    return undefined;
  } catch {
    return 'the generator of the site is not installed and cannot be fetched (npm ci in site-src)';
  }
})();

test.runIf(missing !== undefined)('the generator is there', (context) => {
  if (isCi) expect.fail(missing);
  context.skip(missing);
});
test.runIf(browserPath === undefined && isCi)('a browser is there', () => {
  expect.fail('no Chromium: apt-get install -y chromium');
});

const folder = mkdtempSync(join(tmpdir(), 'touchstone-site-'));
const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
};

/** The file that a static host gives out for a path below the base; undefined: none. */
function fileOf(path: string): string | undefined {
  if (!path.startsWith(base)) return undefined;
  const file = join(folder, decodeURIComponent(path.slice(base.length)));
  if (!file.startsWith(folder) || !existsSync(file)) return undefined;
  if (statSync(file).isFile()) return file;
  const index = join(file, 'index.html');
  return existsSync(index) ? index : undefined;
}

describe.skipIf(missing !== undefined)('the site', () => {
  let server: Server;
  let origin: string;
  let pages: ReadonlyMap<string, string>;

  beforeAll(async () => {
    build(folder, base);
    pages = new Map(
      readdirSync(folder, { recursive: true })
        .map(String)
        .filter((name) => name.endsWith('.html') && !name.startsWith('files/') && name !== '404.html')
        .map((name) => [name, readFileSync(join(folder, name), 'utf8')]),
    );
    server = createServer((request, response) => {
      const file = fileOf(new URL(request.url ?? '/', 'http://a').pathname);
      if (file === undefined) return void response.writeHead(404).end();
      response.writeHead(200, { 'content-type': types[extname(file)] ?? 'application/octet-stream' });
      return void response.end(readFileSync(file));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }, 300_000);

  afterAll(async () => {
    await new Promise((resolve) => server?.close(resolve));
    rmSync(folder, { recursive: true, force: true });
  });

  test('has a page for each rule and each error, under the address that reports link to', () => {
    for (const { id } of [...catalogue, ...clientRules]) {
      expect(pages.has(`${rulePage(id)}.html`), id).toBe(true);
      const address = ruleAddress(id, `${origin}${base}`);
      expect(fileOf(new URL(address ?? '').pathname), id).toBeDefined();
    }
    for (const code of Object.keys(mistakes)) expect(pages.has(`${errorPage(code)}.html`), code).toBe(true);
    expect(ruleAddress('verify.valid-key', '')).toBeUndefined();
  });

  test('shows of each rule its clause, question and proof, and its fix where there is one', () => {
    for (const { id, fix } of [...catalogue, ...clientRules]) {
      const text = pages.get(`${rulePage(id)}.html`) ?? '';
      const headings = ['What it asks', 'What proves it', ...(fix === '' ? [] : ['How to fix it'])];
      for (const heading of headings) expect(text, `${id}: ${heading}`).toContain(`${heading} <a`);
    }
  });

  test('has no link that leads nowhere, and shows no template of its generator', () => {
    const wrong: string[] = [];
    let links = 0;
    for (const [name, text] of pages) {
      for (const [, raw = ''] of text.matchAll(/\s(?:href|src)="([^"]*)"/g)) {
        const link = raw.replaceAll('&amp;', '&');
        if (/^(https?:|mailto:|data:)/.test(link)) continue;
        links += 1;
        const [path = '', anchor] = link.split('#');
        const from = posix.join(base, name);
        const file = path === '' ? join(folder, name) : fileOf(new URL(path, `http://a${from}`).pathname);
        if (file === undefined) wrong.push(`${name}: ${link}`);
        else if (anchor && !readFileSync(file, 'utf8').includes(`id="${decodeURIComponent(anchor)}"`))
          wrong.push(`${name}: ${link}`);
      }
      if (/<!-- made|@file\//.test(text)) wrong.push(`${name}: what no reader should see`);
      if (!text.includes('<h1 ')) wrong.push(`${name}: empty`);
    }
    expect(wrong).toEqual([]);
    // Templates of a profile are none of the generator's.
    for (const shown of ['{{nonce}}', '{{source.ok}}', '{{token}}']) expect(pages.get('profile.html')).toContain(shown);
    expect(links).toBeGreaterThan(5000);
  }, 120_000);

  const kinds: Readonly<Record<string, string>> = {
    overview: '',
    guide: 'profile.html',
    table: 'verdicts.html',
    rules: 'rules/index.html',
    rule: 'rules/verify.valid-key.html',
    specification: 'specification.html',
    errors: 'errors/index.html',
    error: 'errors/profile-form.html',
  };

  describe.skipIf(browserPath === undefined)('in Chromium (apt-get install -y chromium)', () => {
    let browser: Browser;
    const asked: string[] = [];
    const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

    beforeAll(async () => {
      browser = await launch(browserPath!);
    });
    afterAll(async () => browser?.close());

    async function open(path: string, colorScheme: 'light' | 'dark'): Promise<Page> {
      const context = await browser.newContext({
        viewport: { width: 1280, height: 900 },
        colorScheme,
        reducedMotion: 'reduce',
      });
      const page = await context.newPage();
      page.on('request', (request) => asked.push(request.url()));
      await page.goto(`${origin}${base}${path}`, { waitUntil: 'networkidle' });
      return page;
    }

    const both = (['light', 'dark'] as const).flatMap((scheme) =>
      Object.entries(kinds).map(([kind, path]) => [kind, scheme, path] as const),
    );
    test.each(both)('%s, %s: everybody can use it', async (kind, scheme, path) => {
      const page = await open(path, scheme);
      expect((await page.locator('html').getAttribute('class'))?.includes('dark') ?? false).toBe(scheme === 'dark');
      await page.evaluate(axe);
      const violations = await page.evaluate(async () => {
        const found = await (globalThis as unknown as { axe: typeof import('axe-core') }).axe.run();
        return found.violations.map(
          ({ id, nodes }) => `${id}: ${nodes.length}, such as ${nodes[0]?.html.slice(0, 200)}`,
        );
      });
      await page.screenshot({ path: join(screenshots(), `site-${kind}-${scheme}.png`) });
      await page.context().close();
      expect(violations).toEqual([]);
    });

    test('finds a rule without a server, and opens it', async () => {
      const page = await open('', 'light');
      await page.keyboard.press('Control+k');
      await page.fill('#localsearch-input', 'valid-key');
      await page.locator('.VPLocalSearchBox .result').first().waitFor();
      await page.screenshot({ path: join(screenshots(), 'site-search.png') });
      await page.locator('.VPLocalSearchBox .result', { hasText: 'verify.valid-key' }).first().click();
      await page.waitForURL(/rules\/verify\.valid-key/);
      expect(await page.locator('h1').innerText()).toContain('verify.valid-key');
      await page.context().close();
    });

    test('asks nobody else', () => {
      expect(asked.length).toBeGreaterThan(20);
      expect(asked.filter((url) => !url.startsWith(`${origin}${base}`) && !url.startsWith('data:'))).toEqual([]);
    });
  });
});
