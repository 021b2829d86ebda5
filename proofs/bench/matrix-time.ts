/** The matrix in memory: what every run of the tests makes of it, and the whole. */
import { runMatrix } from '../matrix/matrix.ts';
import { allTrials, core } from '../matrix/variants.ts';
import type { Figure } from './measure.ts';

export async function matrixTime(): Promise<Figure[]> {
  const trials = await allTrials();
  const part = await runMatrix(core(trials), 1);
  const whole = await runMatrix([...trials.keys()], 1);
  return [
    figure(`the matrix of \`npm test\`, ${part.results.length} variants`, part.seconds, 20),
    figure(`the whole matrix, ${whole.results.length} variants`, whole.seconds, 60),
  ];
}

const figure = (what: string, seconds: number, goal: number): Figure => ({
  what,
  value: `${seconds.toFixed(1)} s`,
  goal: `≤ ${goal} s`,
  reached: seconds <= goal,
});
