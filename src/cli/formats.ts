/** `--format`: which reports, and where each goes. */
import { closeSync, lstatSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import {
  type CurveOf,
  type Format,
  type FormatName,
  formatNames,
  formats,
  type ReportOptions,
} from '../../reports/index.ts';
import type { Run } from '../model/run.ts';
import { suggest } from '../profile/nearest.ts';
import { writeError } from '../runfile/write.ts';
import { calmed, inActions } from './actions.ts';
import { documentationBase } from './documentation.ts';
import { explainError, UsageError } from './errors.ts';
import { tidyMemory } from './memory.ts';
import { out, terminal } from './output.ts';

/** What a program reads is written as it is, whatever is in it. */
const isForPeople = (format: FormatName): boolean => format === 'console' || format === 'markdown';

export interface Destination {
  readonly format: FormatName;
  /** Undefined: standard output. */
  readonly path?: string;
}

const isFormat = (name: string): name is FormatName => (formatNames as readonly string[]).includes(name);

/** `console`, `json`, `junit=results.xml`, `json=-`. What stands after a path with `=` may be the rest of that path. */
export function destinationsOf(wanted: readonly string[], folder: string): Destination[] {
  const destinations = wanted.map((each, place): Destination => {
    const at = each.indexOf('=');
    const format = at < 0 ? each : each.slice(0, at);
    if (!isFormat(format)) {
      const path = wanted.slice(0, place).findLast((other) => other.includes('='));
      const comma =
        path === undefined || !/[./]/.test(format)
          ? ''
          : `; a comma in a path is written \`\\,\`, as in \`${path}\\,${each}\``;
      throw new UsageError(
        `--format: there is no format \`${format}\`; ${suggest(format, formatNames)}${comma}`,
        'unknown-format',
      );
    }
    const given = at < 0 ? undefined : each.slice(at + 1);
    if (given === '')
      throw new UsageError(`--format: \`${each}\` names no file; \`-\` is standard output`, 'unknown-format');
    const { file } = formats[format] as { file?: string };
    const path = given === undefined && file !== undefined ? join(folder, file) : given;
    return { format, ...(path === undefined || path === '-' ? {} : { path }) };
  });
  const onOutput = destinations.filter(({ path }) => path === undefined);
  if (onOutput.length > 1)
    throw new UsageError(
      `--format: ${onOutput.map(({ format }) => format).join(' and ')} cannot share standard output`,
      'formats-collide',
    );
  const paths = destinations.flatMap(({ path }) => path ?? []);
  if (new Set(paths).size < paths.length)
    throw new UsageError('--format: two formats cannot share a file', 'formats-collide');
  return destinations;
}

/** An older report in the place of the new one would be taken for it, should this run not come to its end. */
export function removeOld(destinations: readonly Destination[]): void {
  for (const { path } of destinations) {
    if (path === undefined) continue;
    try {
      rmSync(path, { force: true });
    } catch (error) {
      throw writeError(`the report cannot be written to ${path}`, error);
    }
  }
}

/** As far into the tail as the number of answers supports. */
async function curveReader(): Promise<CurveOf> {
  const { Histogram } = await import('../statistics/histogram.ts');
  return (latencies) => {
    const histogram = Histogram.of(latencies);
    return [0, 10, 25, 50, 75, 90, 95, 99, 99.5, 99.9, 99.95, 99.99, 99.999]
      .filter((percent) => (histogram.count * (100 - percent)) / 100 >= 1)
      .map((percent) => ({ percent, ms: histogram.percentileUs(Math.max(percent, 1e-6)) / 1000 }));
  };
}

/** Bytes that are written at once. */
const enough = 2 ** 20;

function writePieces(path: string, pieces: Iterable<string>): void {
  const file = openSync(path, 'w');
  let waiting = '';
  const flush = (): void => {
    const bytes = Buffer.from(waiting, 'utf8');
    for (let from = 0; from < bytes.length; ) from += writeSync(file, bytes, from);
    waiting = '';
  };
  try {
    for (const piece of pieces) {
      waiting += piece;
      if (waiting.length > enough) flush();
    }
    flush();
  } finally {
    closeSync(file);
  }
}

/** Files first: what is on the screen is then true of them too. */
export async function deliver(
  run: Run,
  destinations: readonly Destination[],
  options: ReportOptions,
  /** The run itself could not be written: the reports say so, and it is thrown when they are done. */
  unwrittenRun?: Error,
): Promise<void> {
  const more = {
    docs: documentationBase(),
    ...(destinations.some(({ format }) => 'coverage' in formats[format])
      ? { coverage: (await import('./commands/clauses.ts')).coverageOf(run) }
      : {}),
    ...((run.measurements ?? []).length > 0 ? { curveOf: await curveReader() } : {}),
  };
  let failed = unwrittenRun;
  const ordered = [...destinations].sort((a, b) => Number(a.path === undefined) - Number(b.path === undefined));
  for (const { format, path } of ordered) {
    tidyMemory();
    const report =
      format === 'console' && run.measurements !== undefined && run.header.planned.length === 0
        ? (await import('../../reports/load.ts')).loadReport
        : await formats[format].load();
    if (path === undefined) {
      const width = terminal.width === undefined ? {} : { width: terminal.width };
      const unwritten = failed === undefined ? {} : { unwritten: explainError(failed).exitCode };
      const text = report(run, { ...options, ...more, ...width, ...unwritten, colour: terminal.colour });
      if (text !== '') out(isForPeople(format) && inActions() ? calmed(text) : text);
      continue;
    }
    try {
      const { pieces } = formats[format] as Format;
      if (pieces === undefined) writeFileSync(path, report(run, { ...options, ...more }));
      else writePieces(path, (await pieces())(run));
    } catch (error) {
      // The others are still shown, and half a report is useless.
      failed ??= writeError(`the report cannot be written to ${path}`, error);
      if (lstatSync(path, { throwIfNoEntry: false })?.isFile()) rmSync(path, { force: true });
    }
  }
  if (failed !== undefined) throw failed;
}
