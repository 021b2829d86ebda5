/** One run file in some formats, in a process of its own: how long they took together, how much memory, how large they are. */
import { readFileSync } from 'node:fs';
import { type FormatName, formats, type Report } from '../../reports/index.ts';
import { coverageOf } from '../../src/cli/commands/clauses.ts';
import { readRunFile } from '../../src/runfile/read.ts';

const [path = '', ...names] = process.argv.slice(2);
const run = readRunFile(path);
const coverage = coverageOf(run);
const from = performance.now();
const sizes: Record<string, number> = {};
const each: Record<string, number> = {};
for (const name of names as FormatName[]) {
  const began = performance.now();
  const report: Report = await formats[name].load();
  sizes[name] = Buffer.byteLength(report(run, { coverage }));
  each[name] = performance.now() - began;
}
const tookMs = performance.now() - from;
const figures = {
  tookMs,
  each,
  sizes,
  rssBytes: process.resourceUsage().maxRSS * 1024,
  bytes: readFileSync(path).length,
};
process.stdout.write(`${JSON.stringify(figures)}\n`);
