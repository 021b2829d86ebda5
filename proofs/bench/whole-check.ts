/** A whole check of the reference over loopback, compared with a bare undici loop that sends the same exchanges. */
import { readFileSync } from 'node:fs';
import { type Figure, median, run, timed } from './measure.ts';

const rounds = 5;
const upstreamSeconds = { quick: 1.5, standard: 5 } as const;
const report = new URL('../../touchstone-report/bench/', import.meta.url);

interface Footer {
  readonly exchanges: number;
}

export async function wholeCheck(): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const depth of ['quick', 'standard'] as const) {
    const args = ['bin/touchstone.cjs', 'check', '--reference', '--depth', depth, '--quiet', '--seed', '1'];
    const checks: number[] = [];
    const bares: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      checks.push(await timed(() => run([...args, '--output', report.pathname])));
      bares.push(await timed(() => run(['proofs/bench/bare-loop.ts', new URL('run.jsonl', report).pathname])));
    }
    const seconds = median(checks) / 1000;
    const ratio = median(checks) / median(bares);
    const goal = upstreamSeconds[depth];
    figures.push(
      {
        what: `check --depth ${depth}, ${exchanges()} exchanges, start to exit`,
        value: `${seconds.toFixed(2)} s`,
        goal: `≤ ${goal} s beyond the waits of the bounds`,
        reached: seconds <= goal,
      },
      {
        what: `check --depth ${depth} beside a bare undici loop`,
        value: `${ratio.toFixed(2)} ×`,
        goal: '≤ 2 ×',
        reached: ratio <= 2,
      },
    );
  }
  return figures;
}

const exchanges = (): number => {
  const lines = readFileSync(new URL('run.jsonl', report), 'utf8').trimEnd().split('\n');
  return (JSON.parse(lines.at(-1)!) as Footer).exchanges;
};
