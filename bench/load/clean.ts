/**
 * Runs in which nothing is wrong with load or service: none may be called invalid. BENCH_RUNS says how many. Where the machine itself did
 * not keep time the verdict is right; whether it did is told by a witness, who only waits and looks how late he is woken.
 */
import type { Figure } from '../measure.ts';
import { load, service } from './around.ts';

const napMs = 5;
/** What the verdict bears of the generator, and as often as it takes of 150 requests. */
const lateMs = 5;
const oftenEnough = 2;

export async function clean(): Promise<Figure[]> {
  const runs = Number(process.env.BENCH_RUNS ?? 50);
  const { address, stop } = await service();
  const wrong: string[] = [];
  const starved: string[] = [];
  try {
    for (let run = 0; run < runs; run += 1) {
      const lateTimes = witness();
      const { validity } = await load('latency', address, '--rate', '50', '--warm-up', '1s', '--duration', '3s');
      const late = lateTimes();
      if (validity.verdict === 'valid') continue;
      const says = validity.reasons.map((reason) => reason.says).join('; ');
      const known = late.length >= oftenEnough && validity.reasons.every(({ cause }) => cause === 'generator');
      (known ? starved : wrong).push(
        `${says} (the witness ${late.length} times, by ${Math.max(0, ...late).toFixed(0)} ms at most)`,
      );
    }
  } finally {
    stop();
  }
  const listed = (each: readonly string[]): string => each.map((says) => `\n    ${says}`).join('');
  return [
    {
      what: `${runs} clean runs`,
      value: `${wrong.length} not valid without reason${listed(wrong)}; ${starved.length} because the machine did not keep time${listed(starved)}`,
      goal: 'none without reason',
      reached: wrong.length === 0,
    },
  ];
}

/** Returns what ends it: by how much it was woken too late, each time that it was. */
function witness(): () => readonly number[] {
  const late: number[] = [];
  let timer: NodeJS.Timeout;
  const sleep = (): void => {
    const due = performance.now() + napMs;
    timer = setTimeout(() => {
      const by = performance.now() - due;
      if (by > lateMs) late.push(by);
      sleep();
    }, napMs);
  };
  sleep();
  return () => {
    clearTimeout(timer);
    return late;
  };
}
