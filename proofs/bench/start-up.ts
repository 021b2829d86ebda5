/** How quickly the command line answers, compared with a Node that does nothing. */
import { type Figure, inTurn, run } from './measure.ts';

const rounds = 15;
const nothing = (): Promise<void> => run(['-e', '0']);

export async function startUp(): Promise<Figure[]> {
  const version = await inTurn(rounds, () => run(['bin/touchstone.cjs', '--version']), nothing);
  const explain = await inTurn(rounds, () => run(['bin/touchstone.cjs', 'explain', 'run.success-shape']), nothing);
  return [
    figure('touchstone --version', version.ratio, 1.6),
    figure('touchstone explain run.success-shape', explain.ratio, 3),
  ];
}

const figure = (what: string, ratio: number, goal: number): Figure => ({
  what,
  value: `${ratio.toFixed(2)} × node -e 0`,
  goal: `≤ ${goal} ×`,
  reached: ratio <= goal,
});
