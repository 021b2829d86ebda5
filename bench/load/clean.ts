/** Runs in which nothing is wrong: none may be called invalid. BENCH_RUNS says how many. */
import type { Figure } from '../measure.ts';
import { load, service } from './around.ts';

export async function clean(): Promise<Figure[]> {
  const runs = Number(process.env.BENCH_RUNS ?? 50);
  const { address, stop } = await service();
  const wrong: string[] = [];
  try {
    for (let run = 0; run < runs; run += 1) {
      const { validity } = await load('latency', address, '--rate', '50', '--warm-up', '1s', '--duration', '3s');
      if (validity.verdict !== 'valid') wrong.push(validity.reasons.map(({ says }) => says).join('; '));
    }
  } finally {
    stop();
  }
  return [
    {
      what: `${runs} clean runs`,
      value: `${wrong.length} not valid${wrong.map((says) => `\n    ${says}`).join('')}`,
      goal: 'none',
      reached: wrong.length === 0,
    },
  ];
}
