/** `touchstone certificate challenge`: what a verifier gives before a run, so that the run cannot have been made before. */
import { writeFileSync } from 'node:fs';
import { privateKeyFrom } from '../../certificate/keys.ts';
import { type Challenge, challengeText } from '../../certificate/witness/challenge.ts';
import { systemClock } from '../../clock.ts';
import { address as addressFrom } from '../../profile/scalars.ts';
import { freshValue } from '../../random.ts';
import { writeError } from '../../runfile/write.ts';
import { UsageError } from '../errors.ts';
import { out } from '../output.ts';
import { readKey } from './certify.ts';

export interface ChallengeFlags {
  readonly key: string;
  readonly valid: number;
  readonly output: string;
}

export function challenge(text: string, { key, valid, output }: ChallengeFlags): void {
  const address = addressFrom(text);
  if ('wrong' in address) throw new UsageError(`the address ${address.wrong}`);
  const issued = systemClock.date();
  const given: Challenge = {
    version: 1,
    value: freshValue(),
    target: address.origin + address.basePath,
    issued,
    expires: new Date(Date.parse(issued) + valid).toISOString(),
  };
  try {
    writeFileSync(output, challengeText(given, privateKeyFrom(readKey(key), key)), { flag: 'wx', mode: 0o644 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST')
      throw new UsageError(`${output} already exists: choose another name with --output`);
    if (error instanceof Error && 'code' in error)
      throw new UsageError(writeError(`the challenge cannot be written to ${output}`, error).message);
    throw error;
  }
  out(`${output}: for runs of ${given.target} until ${given.expires}`);
  out(`Give it to the person who runs the check: touchstone check --challenge ${output}`);
}
