/** Small tools of the benchmarks: processes timed in turn, medians, ratios. These machines are noisy: only ratios count. */
import { spawn } from 'node:child_process';

export const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
};

export async function timed(work: () => Promise<unknown>): Promise<number> {
  const from = performance.now();
  await work();
  return performance.now() - from;
}

/** Runs a program to its end; rejects where it did not end well. */
export const run = (args: readonly string[], expected: readonly number[] = [0]): Promise<void> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { stdio: 'ignore', cwd: new URL('../..', import.meta.url) });
    child.on('error', reject);
    child.on('exit', (code) =>
      expected.includes(code ?? -1) ? resolve() : reject(new Error(`${args.join(' ')} ended with ${code}`)),
    );
  });

/** A, B, A, B, …: the ratio of the medians, so that a machine that slows down slows both. */
export async function inTurn(
  rounds: number,
  a: () => Promise<unknown>,
  b: () => Promise<unknown>,
): Promise<{ a: number; b: number; ratio: number }> {
  const [as, bs]: [number[], number[]] = [[], []];
  await a();
  await b();
  for (let round = 0; round < rounds; round += 1) {
    as.push(await timed(a));
    bs.push(await timed(b));
  }
  return { a: median(as), b: median(bs), ratio: median(as) / median(bs) };
}

export interface Figure {
  readonly what: string;
  readonly value: string;
  readonly goal: string;
  readonly reached: boolean;
}

export const show = (figures: readonly Figure[]): string =>
  figures
    .map(({ what, value, goal, reached }) => `${reached ? '✓' : '✗'} ${what}: ${value} (goal: ${goal})`)
    .join('\n');
