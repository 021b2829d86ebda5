/** The edge: the journal of started runs, next to the challenge that they were started with. Lines are added, never removed. */
import { appendFileSync, closeSync, openSync, rmSync } from 'node:fs';
import { largestKey, readBounded } from '../../profile/bounded.ts';
import { whyNot } from '../../profile/interpolate.ts';
import { writeError } from '../../runfile/write.ts';
import { ChallengeError, challengeFrom, type GivenChallenge, rootOf, seedOf, sha256 } from './challenge.ts';
import { mostStarted, nextLine, type StartedRun, startedFrom } from './started.ts';

const largestJournal = 8 * 2 ** 20;

export const journalBeside = (path: string): string => `${path}.runs.jsonl`;

/** Throws a ChallengeError. */
export function readChallenge(path: string): { readonly text: string; readonly challenge: GivenChallenge } {
  let text: string;
  try {
    text = readBounded(path, largestKey).toString('utf8');
  } catch (error) {
    throw new ChallengeError(`the challenge ${path} cannot be read: ${whyNot(error)}`);
  }
  const challenge = challengeFrom(text);
  if (challenge === undefined) throw new ChallengeError(`${path} is not a challenge as a verifier wrote it`);
  return { text, challenge };
}

export function readStarted(
  path: string,
  challenge: GivenChallenge,
): { readonly text: string; readonly runs: readonly StartedRun[] } {
  let text = '';
  try {
    text = readBounded(journalBeside(path), largestJournal).toString('utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT')
      throw new ChallengeError(`${journalBeside(path)} cannot be read: ${whyNot(error)}`);
  }
  const runs = startedFrom(text, challenge);
  if (typeof runs === 'string') throw new ChallengeError(`${journalBeside(path)}: ${runs}`);
  return { text, runs };
}

export interface Started {
  readonly seed: number;
  readonly root: string;
  readonly number: number;
  readonly entry: string;
}

/** Before the first request. `now`: a date and time. */
export function startRun(path: string, challenge: GivenChallenge, target: string, now: string): Started {
  return alone(path, () => {
    const { text, runs } = readStarted(path, challenge);
    const number = runs.length + 1;
    if (number > mostStarted) throw new ChallengeError(`${mostStarted} runs were started with this challenge already`);
    const line = nextLine(text, challenge, { type: 'started', number, target, at: now });
    append(path, line);
    return { seed: seedOf(challenge, number), root: rootOf(challenge, number), number, entry: sha256(line) };
  });
}

export function endRun(
  path: string,
  challenge: GivenChallenge,
  ended: { readonly number: number; readonly outcome: string; readonly file: string; readonly at: string },
): void {
  alone(path, () => append(path, nextLine(readStarted(path, challenge).text, challenge, { type: 'ended', ...ended })));
}

function append(path: string, line: string): void {
  try {
    appendFileSync(journalBeside(path), `${line}\n`, { mode: 0o600 });
  } catch (error) {
    throw writeError(`the journal of started runs cannot be written to ${journalBeside(path)}`, error);
  }
}

const attempts = 200;

/** Two runs that begin at once get two numbers. */
function alone<T>(path: string, work: () => T): T {
  const lock = `${journalBeside(path)}.lock`;
  const pause = new Int32Array(new SharedArrayBuffer(4));
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    try {
      closeSync(openSync(lock, 'wx', 0o600));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST')
        throw writeError(`the journal of started runs cannot be written to ${journalBeside(path)}`, error);
      Atomics.wait(pause, 0, 0, 50);
      continue;
    }
    try {
      return work();
    } finally {
      rmSync(lock, { force: true });
    }
  }
  throw new ChallengeError(`${lock} exists: remove it if no other run is starting`);
}
