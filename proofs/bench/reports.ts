/** What reports cost: all formats of an ordinary run, and the page of a great one, in a browser too where there is one. */
import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { browserPath, launch } from '../../reports/html/testing.ts';
import { htmlReport } from '../../reports/html.ts';
import { formatNames } from '../../reports/index.ts';
import { runOf, textOf } from '../../reports/testing.ts';
import { type Figure, median, run } from './measure.ts';

const rounds = 5;
const folder = join(import.meta.dirname, '../../touchstone-report/bench');
const exec = promisify(execFile);

interface Figures {
  readonly tookMs: number;
  readonly each: Readonly<Record<string, number>>;
  readonly sizes: Readonly<Record<string, number>>;
  readonly rssBytes: number;
}

async function one(path: string, names: readonly string[]): Promise<Figures> {
  const { stdout } = await exec(process.execPath, [join(import.meta.dirname, 'reports-one.ts'), path, ...names]);
  return JSON.parse(stdout) as Figures;
}

async function several(path: string, names: readonly string[]): Promise<readonly Figures[]> {
  const all: Figures[] = [];
  for (let round = 0; round < rounds; round += 1) all.push(await one(path, names));
  return all;
}

const mib = (bytes: number): number => bytes / 2 ** 20;

export async function reports(): Promise<Figure[]> {
  mkdirSync(folder, { recursive: true });
  // Only its run file matters here: on a busy machine the reference is not always as quick as its profile says.
  await run(['bin/touchstone.cjs', 'check', '--reference', '--quiet', '--seed', '1', '--output', folder], [0, 1, 3]);
  const ordinary = await several(join(folder, 'run.jsonl'), formatNames);
  const seconds = median(ordinary.map(({ tookMs }) => tookMs)) / 1000;
  const slowest = Object.entries(ordinary[0]!.each).sort(([, a], [, b]) => b - a)[0]!;

  const path = join(folder, 'great.jsonl');
  const great = runOf(10_000);
  writeFileSync(path, textOf(great));
  const pages = await several(path, ['html']);
  const pageSeconds = median(pages.map(({ tookMs }) => tookMs)) / 1000;
  const memory = mib(Math.max(...pages.map(({ rssBytes }) => rssBytes)));
  const size = mib(pages[0]!.sizes.html!);
  return [
    {
      what: `all ${formatNames.length} formats of an ordinary run (slowest: ${slowest[0]}, ${Math.round(slowest[1])} ms)`,
      value: `${seconds.toFixed(2)} s`,
      goal: '≤ 1.0 s together',
      reached: seconds <= 1,
    },
    {
      what: 'the page of a run with 10,000 exchanges',
      value: `${pageSeconds.toFixed(2)} s, ${memory.toFixed(0)} MiB with the run in memory, ${size.toFixed(1)} MiB large`,
      goal: '≤ 2 s, ≤ 300 MiB, < 15 MiB',
      reached: pageSeconds <= 2 && memory <= 300 && size < 15,
    },
    ...(await opened(htmlReport(great))),
  ];
}

/** Until its first lines are there and a rule can be opened. */
async function opened(text: string): Promise<Figure[]> {
  if (browserPath === undefined) return [];
  const path = join(folder, 'great.html');
  writeFileSync(path, text);
  const browser = await launch(browserPath);
  try {
    const times: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const page = await browser.newPage();
      const from = performance.now();
      await page.goto(`file://${path}`);
      await page.click('details.rule:not([open]) > summary');
      times.push(performance.now() - from);
      await page.close();
    }
    const seconds = median(times) / 1000;
    return [
      { what: 'the same, opened in Chromium', value: `${seconds.toFixed(2)} s`, goal: '≤ 2 s', reached: seconds <= 2 },
    ];
  } finally {
    await browser.close();
  }
}
