/** 1,000 a second for ten minutes: the memory of k6 and of ours stays flat. BENCH_SOAK_SECONDS makes it shorter. */
import { readdirSync, readFileSync } from 'node:fs';
import type { Figure } from '../measure.ts';
import { load, service } from './around.ts';

const settledSeconds = 60;

export async function soak(): Promise<Figure[]> {
  const seconds = Number(process.env.BENCH_SOAK_SECONDS ?? 600);
  const { address, stop } = await service();
  const samples: { readonly at: number; readonly ours: number; readonly k6: number }[] = [];
  const began = performance.now();
  const watch = setInterval(() => {
    samples.push({
      at: (performance.now() - began) / 1000,
      ours: memoryOf('load\0soak'),
      k6: memoryOf('load/soak.ts'),
    });
  }, 1000);
  try {
    await load('soak', address, '--rate', '1000', '--warm-up', '3s', '--duration', `${seconds}s`, '--vus', '200');
  } finally {
    clearInterval(watch);
    stop();
  }
  const from = Math.min(settledSeconds, seconds / 2);
  return (['ours', 'k6'] as const).map((who): Figure => {
    const mean = (first: number, last: number): number => {
      const within = samples.filter(({ at }) => at >= first && at < last).map((each) => each[who]);
      return within.reduce((sum, each) => sum + each, 0) / Math.max(1, within.length);
    };
    const [early, late] = [mean(from, from + 15), mean(seconds - 15, seconds)];
    return {
      what: `memory of ${who === 'ours' ? 'touchstone' : 'k6'} at 1,000 a second, after ${from} s and after ${seconds} s`,
      value: `${Math.round(early / 1e6)} and ${Math.round(late / 1e6)} MB, ${(late / early).toFixed(2)} ×`,
      goal: '≤ 1.1 ×',
      reached: late / early <= 1.1,
    };
  });
}

/** Of the largest process whose command line holds this. */
function memoryOf(command: string): number {
  let most = 0;
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name)))
    try {
      if (!readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(command)) continue;
      most = Math.max(most, 4096 * Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]));
    } catch {
      // It has ended meanwhile.
    }
  return most;
}
