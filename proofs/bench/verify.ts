/** How long it takes to check the certificate of an ordinary run: signature, digests, every verdict derived again. */
import { rmSync } from 'node:fs';
import { type Figure, median, run, timed } from './measure.ts';

const rounds = 7;
const goalSeconds = 1;
const folder = new URL('../../touchstone-report/bench-verify/', import.meta.url);
const at = (name: string): string => new URL(name, folder).pathname;
const touchstone = (...args: readonly string[]): Promise<void> => run(['bin/touchstone.cjs', ...args]);

export async function verifyTime(): Promise<Figure[]> {
  rmSync(folder, { recursive: true, force: true });
  await touchstone('check', '--reference', '--quiet', '--seed', '1', '--output', folder.pathname);
  await touchstone('keys', 'new', '--output', at('bench'));
  const subject = ['--subject', 'reference@0.1.0', '--level', 'full'];
  const key = ['--key', at('bench.key.pem'), '--without-profile', '--output', at('certificate')];
  await touchstone('certify', at('run.jsonl'), ...subject, ...key);
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1)
    times.push(await timed(() => touchstone('verify', at('certificate'), '--key', at('bench.pub.pem'))));
  const seconds = median(times) / 1000;
  rmSync(folder, { recursive: true, force: true });
  return [
    {
      what: 'verify of the certificate of a standard run, start to exit',
      value: `${seconds.toFixed(2)} s`,
      goal: `≤ ${goalSeconds} s`,
      reached: seconds <= goalSeconds,
    },
  ];
}
