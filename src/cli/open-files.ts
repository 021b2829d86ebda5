/**
 * Whether this process may open as many files as a check needs. Past its limit it cannot take what a service asks of its
 * sources, and a service that then reports a dead source would be accused of what happened here.
 */
import { readFileSync } from 'node:fs';
import { UsageError } from './errors.ts';

/** Measured: a check has up to 99 open at 8 exchanges at a time and 256 at 64; with the reference in the same process 135 and 463. */
export const filesFor = (concurrency: number): number => 128 + 6 * concurrency;

/** From /proc on Linux; undefined on other systems, or without a limit. */
export function limitOnFiles(limits: string): number | undefined {
  const soft = /^Max open files +(\d+)/m.exec(limits)?.[1];
  return soft === undefined ? undefined : Number(soft);
}

export function demandFiles(concurrency: number): void {
  let limit: number | undefined;
  try {
    limit = limitOnFiles(readFileSync('/proc/self/limits', 'utf8'));
  } catch {
    return;
  }
  const needed = filesFor(concurrency);
  if (limit !== undefined && limit < needed)
    throw new UsageError(
      `this process may open ${limit} files, and ${concurrency} simultaneous requests need ${needed}`,
      'too-few-files',
    );
}
