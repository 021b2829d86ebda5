/**
 * The journal of all runs that were started with a challenge: each line names the one in front of it, so that none can be omitted in
 * the middle, and each run's header names its own. Pure.
 */
import * as z from 'zod';
import { type GivenChallenge, sha256 } from './challenge.ts';

const { strictObject, literal, string, int } = z;
const digest = string().regex(/^[0-9a-f]{64}$/);

const line = z.discriminatedUnion('type', [
  strictObject({
    type: literal('started'),
    number: int().min(1),
    target: string(),
    at: z.iso.datetime(),
    after: digest,
  }),
  strictObject({
    type: literal('ended'),
    number: int().min(1),
    outcome: string().max(40),
    /** The SHA-256 of the run file. */
    file: digest,
    at: z.iso.datetime(),
    after: digest,
  }),
]);

type Line = z.output<typeof line>;

export interface StartedRun {
  readonly number: number;
  readonly target: string;
  readonly started: string;
  /** The SHA-256 of its line. */
  readonly entry: string;
  readonly ended?: string;
  readonly outcome?: string;
  readonly file?: string;
}

export const mostStarted = 10_000;

/** A sentence where it is no journal of that challenge. */
export function startedFrom(text: string, challenge: GivenChallenge): readonly StartedRun[] | string {
  if (text !== '' && !text.endsWith('\n')) return 'the journal of started runs was cut off';
  const runs: StartedRun[] = [];
  let after = challenge.digest;
  let latest = challenge.issued;
  for (const [at, each] of text.split('\n').slice(0, -1).entries()) {
    const read = lineFrom(each);
    const where = `line ${at + 1} of the journal of started runs`;
    if (read === undefined) return `${where} is not formatted as Touchstone writes it`;
    if (read.after !== after) return `${where} does not follow the line before it`;
    if (Date.parse(read.at) < Date.parse(latest)) return `${where} is earlier than the line before it`;
    const why = take(runs, read, sha256(each));
    if (why !== undefined) return `${where} ${why}`;
    after = sha256(each);
    latest = read.at;
  }
  return runs;
}

function take(runs: StartedRun[], read: Line, entry: string): string | undefined {
  if (read.type === 'started') {
    if (read.number !== runs.length + 1) return `names run ${read.number}, but ${runs.length + 1} is next`;
    runs.push({ number: read.number, target: read.target, started: read.at, entry });
    return undefined;
  }
  const { number, outcome, file, at: ended } = read;
  const run = runs[number - 1];
  if (run === undefined || run.ended !== undefined) return `ends run ${number}, which is not running`;
  runs[number - 1] = { ...run, outcome, file, ended };
  return undefined;
}

function lineFrom(text: string): Line | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return JSON.stringify(value) === text ? line.parse(value) : undefined;
  } catch {
    return undefined;
  }
}

/** The line that comes next in a journal. */
export function nextLine(
  text: string,
  challenge: GivenChallenge,
  entry: Omit<Extract<Line, { type: 'started' }>, 'after'> | Omit<Extract<Line, { type: 'ended' }>, 'after'>,
): string {
  const last = text.trimEnd().split('\n').at(-1) ?? '';
  return JSON.stringify({ ...entry, after: last === '' ? challenge.digest : sha256(last) });
}
