/**
 * Draws `docs/terminal.svg`, what a check of a service that lies a little prints, as a terminal shows it; and `docs/report.png`,
 * the beginning of its HTML report, if there is a browser. `docs/pictures.json` has the numbers in them, which a test compares
 * with the source: `docs/pictures.test.ts`.
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { demoProfile } from '../../fixtures/profiles/demo.ts';
import { demoKeys, type Overlay, serve } from '../../fixtures/service/index.ts';
import { browserPath, launch } from '../../reports/html/testing.ts';

const lie: Overlay = (base) => ({
  verifyBody: (call, record) =>
    record.kind === 'test' && call.request.connection.nth > 1 ? { valid: true } : base.verifyBody(call, record),
});

const keys = demoKeys('picture');
const adminToken = 'picture-admin-token-0123456789';
const common = {
  host: '127.0.0.1',
  seed: 'picture',
  upstreamTimeoutMs: 200,
  keyLimits: false,
  addressLimit: false,
} as const;
const main = await serve({ ...common, port: 0, adminToken, decisions: lie });
const second = await serve({ ...common, port: 0 });
const folder = mkdtempSync(join(tmpdir(), 'touchstone-picture-'));
const { testing, main: live, limited } = demoProfile({ address: main.url, adminToken, keys }).keys;
const profile = demoProfile({ address: main.url, disabled: second.url, adminToken, keys });
writeFileSync(join(folder, 'touchstone.json'), JSON.stringify({ ...profile, keys: { main: live, testing, limited } }));

const text = await new Promise<string>((resolve, reject) => {
  let said = '$ npx touchstone check\n';
  const child = spawn(
    process.execPath,
    [join(import.meta.dirname, '../../bin/touchstone.cjs'), 'check', '--seed', '1', '--format', 'console,html,json'],
    {
      cwd: folder,
      env: { ...process.env, FORCE_COLOR: '1' },
      stdio: ['ignore', 'pipe', 'ignore'],
    },
  );
  child.stdout.on('data', (bytes: Buffer) => {
    said += bytes.toString();
  });
  child.on('error', reject);
  child.on('close', () => resolve(said));
});
await Promise.all([main.close(), second.close()]);
const docs = join(import.meta.dirname, '../../docs');
const { counts } = JSON.parse(readFileSync(join(folder, 'touchstone-report/report.json'), 'utf8')) as {
  readonly counts: Readonly<Record<string, number>>;
};
if (browserPath !== undefined) await photograph(join(folder, 'touchstone-report/report.html'), browserPath);
rmSync(folder, { recursive: true, force: true });

async function photograph(page: string, path: string): Promise<void> {
  const browser = await launch(path);
  const opened = await browser.newPage({ viewport: { width: 1120, height: 760 }, colorScheme: 'light' });
  await opened.goto(`file://${page}`);
  await opened.screenshot({ path: join(docs, 'report.png') });
  await browser.close();
}

const colours: Readonly<Record<string, string>> = {
  '31': '#ff7b72',
  '32': '#7ee787',
  '33': '#e3b341',
  '36': '#79c0ff',
  '2': '#8b949e',
  '90': '#8b949e',
};
const escaped = (part: string): string => part.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
const lineHeight = 17;

/** One line of text with its SGR codes as spans. */
function spans(line: string): string {
  let style = '';
  return line
    .split('\u001b[')
    .map((piece, at) => {
      const end = at === 0 ? -1 : piece.indexOf('m');
      for (const code of at === 0 ? [] : piece.slice(0, end).split(';')) {
        if (code === '1') style += ' font-weight="bold"';
        else if (colours[code] !== undefined) style += ` fill="${colours[code]}"`;
        else style = '';
      }
      const rest = piece.slice(end + 1);
      return rest === '' ? '' : `<tspan${style}>${escaped(rest)}</tspan>`;
    })
    .join('');
}

/** The head, the areas, the first failure, and the answer: what stands between is in the report. */
const blocks = text.replaceAll(main.url, 'http://127.0.0.1:8080').trimEnd().split('\n\n');
const shown = [...blocks.slice(0, 3), '  …', blocks.at(-1) ?? ''].join('\n\n');
const lines = shown.split('\n').map((line) => (line.length > 190 ? `${line.slice(0, 180)}…` : line));
const height = lines.length * lineHeight + 40;
const rows = lines.map(
  (line, at) => `<text x="20" y="${at * lineHeight + 32}" xml:space="preserve">${spans(line)}</text>`,
);
writeFileSync(
  new URL('../../docs/terminal.svg', import.meta.url),
  `<svg xmlns="http://www.w3.org/2000/svg" width="980" height="${height}" viewBox="0 0 980 ${height}" role="img" aria-label="What touchstone check prints for a service with one defect">
<rect width="980" height="${height}" rx="8" fill="#0d1117"/>
<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace" font-size="13" fill="#e6edf3">
${rows.join('\n')}
</g>
</svg>
`,
);
const digest = (name: string): string =>
  createHash('sha256')
    .update(readFileSync(join(docs, name)))
    .digest('hex');
const files = Object.fromEntries(['terminal.svg', 'report.png'].map((name) => [name, digest(name)]));
writeFileSync(join(docs, 'pictures.json'), `${JSON.stringify({ counts, files }, null, 2)}\n`);
