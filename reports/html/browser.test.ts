/** The page in a browser: nothing that a service said is executed, everybody can use it, and it is usable with a great run. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Run } from '../../src/vocabulary.ts';
import { htmlReport } from '../html.ts';
import { runOf, sampleRun, waivedRun } from '../testing.ts';
import { browserPath, bucketPicture, corpus, curveOf, hostileRun, launch, loaded, screenshots } from './testing.ts';

const folder = mkdtempSync(join(tmpdir(), 'touchstone-html-'));
let browser: Browser;

const page = async (name: string, text: string, how: BrowserContextOptions = {}): Promise<Page> => {
  const path = join(folder, `${name}.html`);
  writeFileSync(path, text);
  const context = await browser.newContext({ viewport: { width: 1200, height: 900 }, ...how });
  const opened = await context.newPage();
  await opened.goto(`file://${path}`);
  return opened;
};

const close = (opened: Page): Promise<void> => opened.context().close();
const shot = (opened: Page, name: string): Promise<Buffer> =>
  opened.screenshot({ path: join(screenshots(), `${name}.png`), fullPage: false });

const sample = htmlReport(
  { ...waivedRun, measurements: [loaded] },
  { curveOf, limits: [bucketPicture()], runFile: 'touchstone-report/run.jsonl' },
);

test.runIf(browserPath === undefined && process.env.CI === 'true')('a browser is there', () => {
  expect.fail('no Chromium: apt-get install -y chromium');
});

describe.skipIf(browserPath === undefined)('in Chromium (apt-get install -y chromium)', () => {
  beforeAll(async () => {
    browser = await launch(browserPath!);
  });
  afterAll(async () => {
    await browser?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  test.each([
    ['as it is', (text: string): string => text],
    // Escaping holds by itself: the policy is the second wall, not the first.
    [
      'without its policy',
      (text: string): string => text.replace(/<meta http-equiv="Content-Security-Policy"[^>]*>/, ''),
    ],
  ])('nothing that a service said is executed: the page %s', async (name, changed) => {
    expect(corpus.length).toBeGreaterThanOrEqual(50);
    const text = changed(
      htmlReport(hostileRun(), { curveOf, limits: [{ ...bucketPicture(), title: corpus.join(' '), says: corpus }] }),
    );
    const path = join(folder, 'hostile.html');
    writeFileSync(path, text);
    const context = await browser.newContext({ viewport: { width: 1200, height: 900 } });
    const opened = await context.newPage();
    const wrong: string[] = [];
    opened.on('dialog', (dialog) => {
      wrong.push(`a dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    opened.on('request', (request) => {
      if (request.url() !== `file://${path}`) wrong.push(`a request: ${request.url()}`);
    });
    opened.on('console', (message) => {
      if (message.type() === 'error') wrong.push(`the console: ${message.text()}`);
    });
    opened.on('pageerror', (error) => wrong.push(`an error: ${error.message}`));
    await opened.addInitScript({ content: watched });
    await opened.goto(`file://${path}`);
    await opened.click('#open-all');
    await opened.evaluate(provoke);
    for (const evil of corpus.slice(0, 5)) await opened.fill('#search', evil);
    await opened.fill('#log-search', corpus[1]!);
    await shot(opened, `hostile-${name.replaceAll(' ', '-')}`);
    const left = await opened.evaluate(remains);
    expect(left).toEqual({ hits: undefined, refused: undefined, foreign: 0, scripts: 6, frames: 0 });
    expect(wrong).toEqual([]);
    await context.close();
  });

  test('the corpus is a danger where nothing is escaped', async () => {
    const opened = await page('raw', `<!doctype html><title>x</title><main>${corpus.slice(5, 13).join('')}</main>`);
    await opened.waitForFunction('window.hits > 2');
    await close(opened);
  });

  test('nobody is shut out: axe finds nothing, in light, in dark, narrow, with everything open', async () => {
    const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
    const check = async (opened: Page): Promise<string[]> => {
      await opened.evaluate(axe);
      const { violations } = (await opened.evaluate('axe.run(document, { resultTypes: ["violations"] })')) as {
        violations: { id: string; nodes: { html: string; failureSummary: string }[] }[];
      };
      return violations.flatMap(({ id, nodes }) =>
        nodes.map((node) => `${id}: ${node.html.slice(0, 200)} ${node.failureSummary}`),
      );
    };
    for (const colorScheme of ['light', 'dark'] as const) {
      const opened = await page(colorScheme, sample, { colorScheme });
      await shot(opened, colorScheme);
      expect(await check(opened)).toEqual([]);
      await opened.click('#open-all');
      await opened.evaluate(provoke);
      expect(await check(opened)).toEqual([]);
      await opened.locator('.rule[open] a[data-exchange]').first().click();
      await shot(opened, `${colorScheme}-exchange`);
      expect(await check(opened)).toEqual([]);
      await close(opened);
    }
    const narrow = await page('narrow', sample, { viewport: { width: 360, height: 780 } });
    expect(await check(narrow)).toEqual([]);
    expect(await narrow.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    await shot(narrow, 'narrow');
    await close(narrow);
  });

  test('search, filters, keys and links', async () => {
    const opened = await page('keys', sample);
    const shown = (): Promise<number> => opened.locator('details.rule:not([hidden])').count();
    expect(await shown()).toBe(7);
    await opened.keyboard.press('/');
    await opened.keyboard.type('slow source');
    expect(await shown()).toBe(1);
    expect(await opened.locator('#shown').textContent()).toBe('1 of 7 rules');
    await opened.keyboard.press('Escape');
    expect(await shown()).toBe(7);
    await opened.keyboard.press('ArrowDown');
    await opened.keyboard.press('ArrowDown');
    await opened.keyboard.press('Enter');
    expect(await opened.evaluate('document.activeElement.parentElement.open')).toBe(true);
    await opened.click('.chip[data-verdict="warn"]');
    expect(await shown()).toBe(1);
    await opened.click('.chip[data-verdict="error"]');
    expect(await shown()).toBe(2);
    // A link shows what it names, whatever is filtered away.
    await opened.click('.cards a[href="#auth.run-with-invalid-key"]');
    // The page hears of its new address a moment after the click.
    await expect.poll(shown).toBe(7);
    await opened.selectOption('#level', 'observed');
    expect(await shown()).toBe(1);
    await opened.selectOption('#level', '');
    await opened.locator('[id="auth.run-with-invalid-key"] a[data-exchange]').first().click();
    expect(await opened.locator('#drawer-title').textContent()).toBe('Exchange 2');
    await opened.keyboard.press('ArrowLeft');
    expect(await opened.locator('#drawer-title').textContent()).toBe('Exchange 1');
    await opened.keyboard.press('Escape');
    expect(await opened.locator('#drawer').isVisible()).toBe(false);
    await opened.click('#theme');
    expect(await opened.evaluate('document.documentElement.dataset.theme')).toBe('dark');
    await close(opened);
  });

  test('without a script: the answer, the failure with its proof, and no button that does nothing', async () => {
    const opened = await page('plain', sample, { javaScriptEnabled: false });
    expect(await opened.locator('h1').isVisible()).toBe(true);
    expect(await opened.locator('button:visible, form:visible').count()).toBe(0);
    expect(await opened.locator('#exchange-2 .curl').isVisible()).toBe(true);
    expect(await opened.locator('.no-script').isVisible()).toBe(true);
    await shot(opened, 'without-script');
    await close(opened);
  });

  test('on paper: failures are open, and nothing to press is left', async () => {
    const opened = await page('paper', htmlReport(sampleRun));
    await opened.click('#close-all');
    await opened.evaluate('dispatchEvent(new Event("beforeprint"))');
    await opened.emulateMedia({ media: 'print' });
    expect(await opened.locator('#exchange-2').isVisible()).toBe(true);
    expect(await opened.locator('button:visible').count()).toBe(0);
    await opened.screenshot({ path: join(screenshots(), 'paper.png'), fullPage: true });
    await opened.pdf({ path: join(screenshots(), 'paper.pdf') });
    await close(opened);
  });

  test('pictures of load are drawn, again in other colours, and at another width', async () => {
    const opened = await page('load', sample);
    await opened.locator('#load').scrollIntoViewIfNeeded();
    expect(await opened.locator('.chart canvas').count()).toBe(3);
    await shot(opened, 'load');
    await opened.click('#theme');
    expect(await opened.locator('.chart canvas').count()).toBe(3);
    await opened.locator('#load').scrollIntoViewIfNeeded();
    await shot(opened, 'load-dark');
    await opened.locator('#limits').scrollIntoViewIfNeeded();
    await shot(opened, 'limits');
    await opened.setViewportSize({ width: 600, height: 800 });
    // Asked from outside: the page's policy lets nobody wait inside of it.
    await expect.poll(() => opened.evaluate('document.querySelector(".chart canvas").clientWidth < 600')).toBe(true);
    await close(opened);
  });

  test('runs that have no rules or no exchanges: load alone, nobody there, nothing planned', async () => {
    const { header, footer } = sampleRun;
    const empty = { header: { ...header, planned: [] }, findings: [], exchanges: new Map(), steps: [], limits: [] };
    const runs: readonly Run[] = [
      { ...empty, measurements: [loaded], footer: footer! },
      {
        ...sampleRun,
        findings: [],
        exchanges: new Map(),
        steps: [],
        footer: { ...footer!, unreachable: 'Nobody listens.' },
      },
      empty,
    ];
    for (const run of runs) {
      const wrong: string[] = [];
      const opened = await browser.newPage();
      opened.on('pageerror', (error) => wrong.push(error.message));
      const path = join(folder, 'bare.html');
      writeFileSync(path, htmlReport(run, { curveOf }));
      await opened.goto(`file://${path}`);
      await opened.keyboard.press('/');
      expect(await opened.locator('h1').isVisible()).toBe(true);
      expect(await opened.locator('#theme').isVisible()).toBe(true);
      expect(wrong).toEqual([]);
      await opened.close();
    }
  });

  test('ten thousand exchanges', async () => {
    const text = htmlReport(runOf(10_000));
    expect(Buffer.byteLength(text)).toBeLessThan(15 * 2 ** 20);
    const opened = await page('great', text);
    await opened.click('#log > summary');
    await opened.getByText('10000 of 10000 exchanges').waitFor();
    expect(await opened.locator('#log-list tbody tr').count()).toBe(200);
    await opened.fill('#log-search', 'entry 9999"');
    expect(await opened.locator('#log-list tbody tr').count()).toBe(1);
    await opened.click('#log-list a');
    expect(await opened.locator('#drawer-content').textContent()).toContain('entry 9999');
    await close(opened);
  });
});

// What runs in the page is text here: this project's types know no page.

const watched = `document.addEventListener('securitypolicyviolation', (event) => {
  window.refused = [...(window.refused ?? []), event.violatedDirective];
});`;

/** Unfolds all there is and makes every event that people make. */
const provoke = `
for (const each of document.querySelectorAll('details')) each.open = true;
for (const each of document.querySelectorAll('details.asked, #log')) each.dispatchEvent(new Event('toggle'));
for (const each of document.querySelectorAll('main *, dialog *'))
  for (const name of ['mouseover', 'focus', 'pointerenter']) each.dispatchEvent(new Event(name));
`;

const remains = `({
  hits: window.hits,
  refused: window.refused,
  foreign: document.querySelectorAll(
    'iframe, object, embed, img, video, audio, link, base, form:not(#tools), script[src], meta[http-equiv="refresh"], [onerror], [onload], [onclick]',
  ).length,
  scripts: document.scripts.length,
  frames: window.length,
})`;
