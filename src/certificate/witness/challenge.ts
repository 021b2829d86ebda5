/**
 * What a verifier gives before a run: a value that nobody can foresee, for one address and a while, signed. A run that takes its seed
 * and its nonces from it was not made before it. Pure.
 */
import { createHash, type KeyObject } from 'node:crypto';
import * as z from 'zod';
import { UserError } from '../../mistakes.ts';
import { drawnFrom } from '../../random.ts';
import { envelopeFrom, isSignedBy, signed } from '../dsse.ts';

/** The type is signed too: no certificate can be taken for a challenge. */
export const challengeType = 'application/vnd.touchstone.challenge+json';

const shape = z.strictObject({
  version: z.literal(1),
  value: z.string().regex(/^[0-9a-f]{64}$/),
  target: z.string().min(1).max(2000),
  issued: z.iso.datetime(),
  expires: z.iso.datetime(),
});

export interface Challenge {
  readonly version: 1;
  readonly value: string;
  /** The address that the run must be of. */
  readonly target: string;
  readonly issued: string;
  readonly expires: string;
}

export interface GivenChallenge extends Challenge {
  /** The SHA-256 of what is signed. */
  readonly digest: string;
  readonly keyid: string;
  isSignedBy(key: KeyObject): boolean;
}

export class ChallengeError extends UserError {
  override readonly name = 'ChallengeError';

  constructor(message: string) {
    super(message, 'challenge');
  }
}

export const sha256 = (bytes: string | Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

export const challengeText = (
  challenge: Challenge,
  keys: { readonly privateKey: KeyObject; readonly publicKey: KeyObject },
): string => signed(Buffer.from(JSON.stringify(challenge), 'utf8'), keys.privateKey, keys.publicKey, challengeType);

/** Undefined: it is no challenge, or not spelled as one is written. */
export function challengeFrom(text: string): GivenChallenge | undefined {
  const envelope = envelopeFrom(text, challengeType);
  if (envelope === undefined) return undefined;
  try {
    const payload = Buffer.from(envelope.payload).toString('utf8');
    const value: unknown = JSON.parse(payload);
    if (JSON.stringify(value) !== payload) return undefined;
    const challenge = shape.parse(value);
    return {
      ...challenge,
      digest: sha256(envelope.payload),
      keyid: envelope.keyid,
      isSignedBy: (key) => isSignedBy(envelope, key, challengeType),
    };
  } catch {
    return undefined;
  }
}

/** Why a run at this time, of this address, cannot be one with this challenge. */
export function whyNotNow({ target, issued, expires }: Challenge, given: string, now: string): string | undefined {
  if (given !== target) return `the challenge is for ${target}, not for ${given}`;
  if (Date.parse(now) < Date.parse(issued))
    return `the challenge was issued at ${issued}, which this clock has not reached`;
  return Date.parse(now) > Date.parse(expires) ? `the challenge expired at ${expires}` : undefined;
}

/** Each run with a challenge has its own seed and nonces. */
export const seedOf = ({ value }: Challenge, number: number): number =>
  Math.floor(drawnFrom(`${value} seed ${number}`)() * 2 ** 31);

export const rootOf = ({ value }: Challenge, number: number): string => sha256(`${value} run ${number}`);
