/** A thousand checks in a row in one process, by the library: neither memory nor files may grow with their number. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { check, loadProfile } from '../../src/library.ts';
import { outcomeOf } from '../../src/vocabulary.ts';
import type { Place } from './surroundings.ts';

export interface Many {
  readonly checks: number;
  /** Bytes of the heap and files that are open, after the first tenth and at the end. */
  readonly heap: readonly [number, number];
  readonly files: readonly [number, number];
  readonly problems: readonly string[];
}

const filesOpen = (): number => readdirSync('/proc/self/fd').length;
const megabyte = 2 ** 20;

export async function manyChecks(place: Place, checks: number): Promise<Many> {
  const profile = await loadProfile({ path: join(place.folder, 'touchstone.json') });
  const selected = new Set(['verify.valid-key', 'run.success-shape', 'verify.unknown-key']);
  const problems: string[] = [];
  const look = (): [number, number] => {
    globalThis.gc?.();
    return [process.memoryUsage().heapUsed, filesOpen()];
  };
  let first = look();
  for (let number = 0; number < checks; number += 1) {
    if (number === Math.ceil(checks / 10)) first = look();
    const run = await check(profile, { depth: 'quick', selected, seed: number });
    if (outcomeOf(run) !== 'conforms') problems.push(`check ${number + 1}: ${outcomeOf(run)}`);
  }
  const last = look();
  if (last[1] > first[1] + 10) problems.push(`${first[1]} files were open, and now ${last[1]}`);
  // Without --expose-gc garbage is in it too.
  const slack = (globalThis.gc === undefined ? 96 : 8) * megabyte;
  if (last[0] > first[0] + slack)
    problems.push(`the heap grew from ${Math.round(first[0] / megabyte)} to ${Math.round(last[0] / megabyte)} MB`);
  return { checks, heap: [first[0], last[0]], files: [first[1], last[1]], problems };
}
