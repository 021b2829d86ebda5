/** The whole matrix in memory. */
import { runMatrix } from '../fixtures/matrix/matrix.ts';
import { allTrials } from '../fixtures/matrix/variants.ts';
import type { Figure } from './measure.ts';

export async function matrixTime(): Promise<Figure[]> {
  const trials = await allTrials();
  const { seconds, results } = await runMatrix([...trials.keys()], 1);
  return [
    {
      what: `the whole matrix, ${results.length} variants`,
      value: `${seconds.toFixed(1)} s`,
      goal: '≤ 20 s',
      reached: seconds <= 20,
    },
  ];
}
