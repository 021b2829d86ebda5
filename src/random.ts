/** A small seeded generator (mulberry32): the same seed gives the same run. The one owner of chance. */
import { createHash, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto';

export type Random = () => number;

export function seeded(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A seed for a run that was given none. */
export const freshSeed = (): number => Math.floor(Math.random() * 2 ** 31);

/** A value that nobody can guess, for a challenge. */
export const freshValue = (): string => randomBytes(32).toString('hex');

/** A generator that is predictable only with the text: it draws from the text's own SHA-256 hashes. */
export function drawnFrom(text: string): Random {
  let block = Buffer.alloc(0);
  let at = 0;
  let count = 0;
  return () => {
    if (at >= block.length) {
      block = createHash('sha256').update(`${text} ${count}`).digest();
      count += 1;
      at = 0;
    }
    const drawn = block.readUInt32BE(at) / 2 ** 32;
    at += 4;
    return drawn;
  };
}

/** A key pair for signing. It comes from the system's own chance, which no seed repeats. */
export const freshKeyPair = (): { publicKey: KeyObject; privateKey: KeyObject } => generateKeyPairSync('ed25519');

export function shuffled<T>(items: readonly T[], random: Random): T[] {
  const result = [...items];
  for (let at = result.length - 1; at > 0; at -= 1) {
    const other = Math.floor(random() * (at + 1));
    [result[at], result[other]] = [result[other]!, result[at]!];
  }
  return result;
}

/** A number for a text, so that each step has a generator that does not depend on the order of steps. */
export function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}

/** Letters and digits, for nonces and names. */
export function word(random: Random, length = 10): string {
  let text = '';
  while (text.length < length) text += Math.floor(random() * 36).toString(36);
  return text;
}
