/** Which faulty services a rule was seen to catch: what the matrix wrote down. */
import { readFileSync } from 'node:fs';

export type Proofs = ReadonlyMap<string, readonly string[]>;

/** In a checkout next to the matrix; in a package next to what was built. */
const roots = ['../../', '../../../'];
const files = ['proofs/matrix/proofs.json', 'proofs/clients/proofs.json'];

/** Undefined: the matrix has not been run. */
export function readProofs(): Proofs | undefined {
  const found = files.flatMap((file) => read(file) ?? []);
  return found.length === 0 ? undefined : new Map(found);
}

function read(file: string): [string, string[]][] | undefined {
  for (const root of roots) {
    try {
      const value = JSON.parse(readFileSync(new URL(root + file, import.meta.url), 'utf8')) as Record<string, string[]>;
      return Object.entries(value).filter(([, faults]) => Array.isArray(faults) && faults.length > 0);
    } catch {
      // Not there.
    }
  }
  return undefined;
}
