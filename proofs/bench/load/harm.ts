/** How the benchmarks of load take the processors away from those who measure. */
import { readdirSync, readFileSync } from 'node:fs';

const below = (root: number): number[] =>
  readdirSync(`/proc/${root}/task`).flatMap((task) =>
    (readFileSync(`/proc/${root}/task/${task}/children`, 'utf8').match(/\d+/g) ?? []).flatMap((pid) => [
      Number(pid),
      ...below(Number(pid)),
    ]),
  );

const isK6 = (pid: number): boolean => {
  try {
    return /k6\0run\0/.test(readFileSync(`/proc/${pid}/cmdline`, 'latin1'));
  } catch {
    return false;
  }
};

/** Every process of k6 that this command has started; none while it has not, or no more. */
export function k6Of(pid: number): number[] {
  try {
    return below(pid).filter(isK6);
  } catch {
    return [];
  }
}

export const signal = (pids: readonly number[], name: NodeJS.Signals): void => {
  for (const pid of pids)
    try {
      process.kill(pid, name);
    } catch {
      // It has ended by itself.
    }
};

/** As a quota of the processor does it: of every tenth of a second it may run for a part. */
export const quota =
  (share: number) =>
  (pid: number): (() => void) => {
    const timers: NodeJS.Timeout[] = [];
    const every = setInterval(() => {
      const pids = k6Of(pid);
      signal(pids, 'SIGSTOP');
      timers.push(setTimeout(() => signal(pids, 'SIGCONT'), 100 * (1 - share)));
    }, 100);
    return () => {
      clearInterval(every);
      for (const timer of timers) clearTimeout(timer);
    };
  };

/** At random: so long at a time on the average, and so much of the time; from k6 alone, or from all of ours, the witness too. */
export const starving =
  (share: number, meanMs: number, random: () => number, ofAll: boolean) =>
  (pid: number): (() => void) => {
    let timer: NodeJS.Timeout;
    const drawn = (mean: number): number => -mean * Math.log(1 - random());
    const take = (): void => {
      const pids = ofAll && k6Of(pid).length > 0 ? [pid, ...k6Of(pid)] : k6Of(pid);
      signal(pids, 'SIGSTOP');
      timer = setTimeout(() => {
        signal(pids, 'SIGCONT');
        timer = setTimeout(take, drawn((meanMs * (1 - share)) / share));
      }, drawn(meanMs));
    };
    timer = setTimeout(take, 100);
    return () => {
      clearTimeout(timer);
      signal([pid, ...k6Of(pid)], 'SIGCONT');
    };
  };
