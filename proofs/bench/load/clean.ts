/**
 * Runs in which nothing is wrong with load or service: none may be called invalid. BENCH_RUNS says how many. A run in which the machine
 * itself did not keep time, by the record of a witness, is not clean in any case: another replaces it.
 */
import type { Figure } from '../measure.ts';
import { witness } from '../witness.ts';
import { load, service } from './around.ts';

/** Of a machine that never keeps time nothing is to be learned. */
const triesForEach = 4;

export async function clean(): Promise<Figure[]> {
  const wanted = Number(process.env.BENCH_RUNS ?? 50);
  const { address, stop } = await service();
  const wrong: string[] = [];
  let kept = 0;
  let others = 0;
  let justly = 0;
  try {
    for (let tried = 0; kept < wanted && tried < wanted * triesForEach; tried += 1) {
      const testimony = witness();
      const { validity } = await load('latency', address, '--rate', '50', '--warm-up', '1s', '--duration', '3s');
      const { keptTime, mostMs } = testimony();
      const valid = validity.verdict === 'valid';
      process.stderr.write(valid ? '.' : keptTime ? '✗' : '~');
      if (!keptTime) {
        others += 1;
        // A machine that stands still makes a generator late; it is no limiter, and gives no wrong answer.
        const just = validity.reasons.every(({ cause }) => cause === 'generator');
        if (!valid && just) justly += 1;
        if (valid || just) continue;
      } else kept += 1;
      const says = validity.reasons.map((reason) => reason.says).join('; ');
      if (!valid) wrong.push(`${says} (the witness by ${mostMs.toFixed(1)} ms at most)`);
    }
  } finally {
    stop();
  }
  const besides = others === 0 ? '' : `; ${others} more on a machine that did not keep time, ${justly} called invalid`;
  return [
    {
      what: `${kept} clean runs`,
      value: `${wrong.length} called invalid${wrong.map((says) => `\n    ${says}`).join('')}${besides}`,
      goal: `none of ${wanted}`,
      reached: wrong.length === 0 && kept === wanted,
    },
  ];
}
