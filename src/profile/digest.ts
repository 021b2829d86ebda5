/** What a profile says, as one number: with the names of its members in order, and secrets as names. */
import { createHash } from 'node:crypto';
import { ExactNumber, readAsWritten } from '../model/json-text.ts';
import type { Resolved } from './resolve.ts';

export function digestOf({ source: _, folder: __, ...profile }: Resolved): string {
  // Once through JSON: what remains is plain, and secrets have written their names.
  return createHash('sha256')
    .update(canonical(readAsWritten(JSON.stringify(profile))))
    .digest('hex');
}

/** JSON without white space, the members of every object in the order of their names. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (value instanceof ExactNumber) return JSON.stringify(value);
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, each]) => `${JSON.stringify(name)}:${canonical(each)}`).join(',')}}`;
}
