/** Which faulty services a rule was seen to catch: what the matrix wrote down. */
import { readFileSync } from 'node:fs';

export type Proofs = ReadonlyMap<string, readonly string[]>;

/** In a checkout beside the matrix; in a package beside what was built. Undefined: the matrix has not been run. */
const places = ['../../proofs/matrix/proofs.json', '../../../proofs/matrix/proofs.json'];

export function readProofs(): Proofs | undefined {
  for (const place of places) {
    try {
      const value = JSON.parse(readFileSync(new URL(place, import.meta.url), 'utf8')) as Record<string, string[]>;
      return new Map(Object.entries(value).filter(([, faults]) => Array.isArray(faults) && faults.length > 0));
    } catch {
      // Not there.
    }
  }
  return undefined;
}
