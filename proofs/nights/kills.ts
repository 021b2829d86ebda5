/**
 * Kill -9 at a random moment of a command, and what must hold afterwards: nothing of ours lives, the run file is readable and no report
 * of it is green, what was made in the service is known and removed, and a second start works.
 */
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as passing } from 'node:timers/promises';
import { formatNames, formats } from '../../reports/index.ts';
import { outcomeOf, type Run } from '../../src/model/run.ts';
import type { Random } from '../../src/random.ts';
import { readJournals } from '../../src/runfile/journal.ts';
import { RunFileError, readRunFile } from '../../src/runfile/read.ts';
import { type Place, soon } from './surroundings.ts';

export interface Killing {
  readonly name: string;
  readonly args: (folder: string) => readonly string[];
  /** What it writes as it goes. */
  readonly runFile?: string;
  /** The command that is given afterwards, in the same folder; if omitted: the same again. */
  readonly second?: (folder: string) => readonly string[];
  /** Of the second, beside 0. */
  readonly codes?: readonly number[];
  /** Removed before the second start, because the command overwrites nothing. */
  readonly whole?: string;
}

const key = ['--key', 'night.key.pem', '--subject', 'acme@1.0', '--profile', 'touchstone.json'];

export const killings: readonly Killing[] = [
  {
    name: 'check',
    args: (folder) => ['check', '--depth', 'quick', '-o', folder],
    runFile: 'run.jsonl',
    second: (folder) => ['check', '--only', 'verify', '--depth', 'quick', '-o', folder],
  },
  {
    name: 'limits',
    args: (folder) => ['limits', '--quick', '--budget', '4s', '-o', folder],
    runFile: 'run.jsonl',
    second: (folder) => ['check', '--only', 'verify', '--depth', 'quick', '-o', folder],
  },
  {
    name: 'load',
    args: (folder) => ['load', 'smoke', '--duration', '1s', '--warm-up', '250ms', '-o', folder],
    runFile: 'load-smoke.jsonl',
    // Beside other work a measurement may well be invalid.
    codes: [3],
  },
  {
    name: 'certify',
    args: (folder) => ['certify', 'whole/run.jsonl', ...key, '-o', `${folder}-certificate`],
    whole: '-certificate',
  },
];

/** Green words. A report of what was cut off may say that it is not so, and nothing else. */
const green = /(?<!not |whether it |neither )\bconforms\b(?!": ?false)|>conforms</i;

/** In one sentence each; none: all is well. */
export async function killedAt(place: Place, killing: Killing, folder: string, ms: number): Promise<string[]> {
  const problems: string[] = [];
  const started = place.touchstone(killing.args(folder));
  let over = false;
  void started.ended.then(() => {
    over = true;
  });
  await Promise.race([passing(ms), started.ended]);
  if (!over) process.kill(started.pid, 'SIGKILL');
  await started.ended;
  if (!(await soon(() => started.living().length === 0))) {
    problems.push(`processes ${started.living().join(', ')} live on`);
    for (const pid of started.living()) process.kill(pid, 'SIGKILL');
  }
  if (killing.runFile !== undefined) problems.push(...(await readable(join(place.folder, folder, killing.runFile))));
  problems.push(...(await cleaned(place, folder)));
  const certificate = killing.whole === undefined ? undefined : `${folder}${killing.whole}`;
  if (certificate !== undefined && existsSync(join(place.folder, certificate))) {
    const { code, err } = await place.touchstone(['verify', certificate, '--key', 'night.pub.pem']).ended;
    if (code !== 0) problems.push(`half a certificate was left: ${err.slice(0, 200)}`);
    rmSync(join(place.folder, certificate), { recursive: true, force: true });
  }
  const again = await place.touchstone((killing.second ?? killing.args)(folder)).ended;
  if (![0, ...(killing.codes ?? [])].includes(again.code ?? -1))
    problems.push(`the second start ended with ${again.code}: ${again.err.slice(0, 300)}`);
  return problems;
}

/** Up to its last whole line; and unless its footer is there, nothing made of it may be green. */
export async function readable(path: string): Promise<string[]> {
  if (!existsSync(path) || readFileSync(path).length === 0) return [];
  let run: Run;
  try {
    run = readRunFile(path, { partial: true });
  } catch (error) {
    // Not even the first line was whole.
    if (error instanceof RunFileError && error.reason === 'empty') return [];
    return [`the run file cannot be read: ${error instanceof Error ? error.message : String(error)}`];
  }
  if (run.footer !== undefined) return [];
  const problems = outcomeOf(run) === 'conforms' ? ['its outcome is that it conforms'] : [];
  for (const name of formatNames) {
    const text = (await formats[name].load())(run, {});
    const found = green.exec(name === 'html' ? visible(text) : text);
    if (found !== null)
      problems.push(
        `${name} says "${text.slice(Math.max(0, found.index - 60), found.index + 40)}" of a run that was cut off`,
      );
  }
  return problems;
}

/** The words of rules and of the script are no verdict. */
const visible = (html: string): string => html.replaceAll(/<(script|style)\b[\s\S]*?<\/\1>/g, '');

/** What the service holds is known from the journal, and goes. */
async function cleaned(place: Place, folder: string): Promise<string[]> {
  const made = place.foreignKeys();
  const journals = existsSync(join(place.folder, folder)) ? readJournals(join(place.folder, folder)) : [];
  const left = journals.flatMap(({ keys }) => keys);
  const known = new Set(left.flatMap(({ id }) => id ?? []));
  const strange = made.filter((id) => !known.has(id));
  const unsure = left.filter(({ id }) => id === undefined).length;
  const problems = strange.length > unsure ? [`${strange.length} keys are in the service, and ${unsure} may be`] : [];
  if (left.length === 0) return problems;
  const { code, err } = await place.touchstone(['clean', '-o', folder]).ended;
  if (code !== 0) problems.push(`clean ended with ${code}: ${err.slice(0, 200)}`);
  const stayed = place.foreignKeys();
  return stayed.length === 0 ? problems : [...problems, `${stayed.length} keys stayed in the service`];
}

/** Made once: what certificates are made of. Throws where even that fails. */
export async function readyToCertify(place: Place): Promise<void> {
  const all: readonly (readonly string[])[] = [
    ['keys', 'new', '-o', 'night'],
    ['check', '-o', 'whole'],
  ];
  for (const args of all) {
    const { code, err, out } = await place.touchstone(args).ended;
    if (code !== 0) throw new Error(`${args[0]} ended with ${code}: ${err}${out.slice(-500)}`);
  }
}

/** Somewhere between the first thing that it does and its end. */
export const moment = (random: Random, longestMs: number): number => Math.round(150 + random() * (longestMs - 150));
