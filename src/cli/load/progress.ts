/** Progress of load: on a terminal one line that is written over, elsewhere a line every ten seconds. */

import type { LoadPlan } from '../../load/plan.ts';
import type { MeasuredSecond } from '../../model/measurement.ts';
import { inMs } from '../../statistics/figures.ts';
import { say, sayOver, terminal } from '../output.ts';

export interface LoadProgress {
  on(latest: readonly MeasuredSecond[]): void;
  clear(): void;
}

export const silent: LoadProgress = { on() {}, clear() {} };

const plainEvery = 10;

export function loadProgress(plan: LoadPlan): LoadProgress {
  let shown = false;
  let told = Number.NEGATIVE_INFINITY;
  const clear = (): void => {
    if (shown) sayOver('\r\u001b[2K');
    shown = false;
  };
  return {
    clear,
    on(latest) {
      const line = lineOf(latest, plan);
      if (line === undefined) return;
      if (terminal.canUpdate) {
        shown = true;
        sayOver(`\r\u001b[2K${line.slice(0, terminal.widthOnError - 1)}`);
        return;
      }
      const { at } = latest.at(-1)!;
      if (at < told + plainEvery) return;
      told = at;
      say(line);
    },
  };
}

function lineOf(latest: readonly MeasuredSecond[], { phases, connections, settings }: LoadPlan): string | undefined {
  const last = latest.at(-1);
  if (last === undefined) return undefined;
  const count = (of: 'ok' | 'limited' | 'other') => latest.reduce((sum, { counts }) => sum + counts[of], 0);
  const total = count('ok') + count('limited') + count('other');
  const zero = Math.min(...phases.map(({ measuredFrom }) => measuredFrom));
  const isOver = phases.every(({ from, seconds }) => last.at + zero >= from + seconds);
  // Where it is gone through again.
  const now = zero + (isOver ? last.at % settings.seconds : last.at);
  const due = phases.filter(({ from, seconds }) => now >= from && now < from + seconds);
  const offered = due.reduce((sum, { from, rateAt }) => sum + rateAt(now - from), 0);
  const rate = Number((total / latest.length).toPrecision(3));
  const most = (of: (second: MeasuredSecond) => number | undefined) =>
    Math.max(0, ...latest.map((each) => of(each) ?? 0));
  const when = last.at < 0 ? 'warming up' : `${last.at + 1} s`;
  const parts = [
    when,
    connections === undefined ? `${rate}/s of ${Number(offered.toPrecision(3))}/s` : `${rate}/s`,
    `p50 ${inMs(last.p50Us ?? 0)}, p99 ${inMs(most(({ p99Us }) => p99Us))}`,
    `429 ${total === 0 ? 0 : Math.round((100 * count('limited')) / total)} %`,
    ...(count('other') === 0 ? [] : [`${count('other')} failed`]),
    ...(connections === undefined ? [`late by ${inMs(most(({ lagP99Us }) => lagP99Us))}`] : []),
  ];
  return parts.join(' · ');
}
