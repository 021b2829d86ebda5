/** A run that a verifier's challenge begins: its seed, its nonces, and its lines in the journal of started runs. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { ChallengeError, whyNotNow } from '../certificate/witness/challenge.ts';
import { endRun, readChallenge, startRun } from '../certificate/witness/journal.ts';
import type { CheckOptions } from '../check.ts';
import { systemClock } from '../clock.ts';
import { outcomeOf, type Run } from '../model/run.ts';
import type { Profile } from '../profile/profile.ts';

export interface Witnessed {
  readonly options: Pick<CheckOptions, 'seed' | 'witness'>;
  /** Once the run file is closed. */
  ended(run: Run, path: string): Promise<void>;
}

export function witnessed(path: string, { origin, basePath }: Profile): Witnessed {
  const { challenge } = readChallenge(path);
  const target = origin + basePath;
  const now = systemClock.date();
  const why = whyNotNow(challenge, target, now);
  if (why !== undefined) throw new ChallengeError(`${path}: ${why}`);
  const { seed, root, number, entry } = startRun(path, challenge, target, now);
  return {
    options: { seed, witness: { root, by: { challenge: challenge.digest, number, entry } } },
    async ended(run, file) {
      const ended = { number, outcome: outcomeOf(run), file: await digestOf(file), at: systemClock.date() };
      endRun(path, challenge, ended);
    },
  };
}

/** A piece at a time: run files may be large. */
async function digestOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const piece of createReadStream(path)) hash.update(piece as Buffer);
  return hash.digest('hex');
}
