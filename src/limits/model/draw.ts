/** Admitted and refused calls over time, in text: a line for each stretch that silence parts from the next. */
import type { Decision, Trace } from './trace.ts';
import { duration } from './words.ts';

const heights = ' ▁▂▃▄▅▆▇█';

export function draw(trace: Trace, width = 72): string {
  const decisions = trace.filter(({ status }) => status !== 0).sort((a, b) => a.sentAt - b.sentAt);
  const [first] = decisions;
  if (first === undefined) return 'nothing was asked';
  const stretches = stretchesOf(decisions);
  const lines: string[] = [];
  let end = first.sentAt;
  for (const stretch of stretches) {
    const begin = stretch[0]!.sentAt;
    if (lines.length > 0) lines.push(`  … ${duration(begin - end)} of silence …`);
    end = Math.max(...stretch.map(({ headAt }) => headAt));
    const bins = Math.max(1, Math.min(width, stretch.length > 1 ? width : 1));
    const length = Math.max(1, end - begin) / bins;
    const count = (admitted: boolean): number[] => {
      const counts = new Array<number>(bins).fill(0);
      for (const each of stretch) {
        if (each.admitted === admitted) counts[Math.min(bins - 1, Math.floor((each.sentAt - begin) / length))]! += 1;
      }
      return counts;
    };
    const [ins, outs] = [count(true), count(false)];
    const most = Math.max(1, ...ins, ...outs);
    const total = (counts: readonly number[]): number => counts.reduce((sum, each) => sum + each, 0);
    lines.push(`at ${duration(begin - first.sentAt)}, for ${duration(end - begin)}; a full block is ${most}`);
    lines.push(`  admitted │${bars(ins, most)}│ ${total(ins)}`);
    lines.push(`  refused  │${bars(outs, most)}│ ${total(outs)}`);
  }
  return lines.join('\n');
}

const bars = (counts: readonly number[], most: number): string =>
  counts.map((count) => heights[count === 0 ? 0 : Math.max(1, Math.round((count / most) * 8))]!).join('');

/** At most a dozen stretches: the longest silences part them. */
function stretchesOf(decisions: readonly Decision[]): Decision[][] {
  const silences = decisions
    .slice(1)
    .map((each, at) => each.sentAt - decisions[at]!.headAt)
    .sort((a, b) => b - a);
  const whole = decisions.at(-1)!.sentAt - decisions[0]!.sentAt;
  const least = Math.max(silences[11] ?? 0, whole / 25, 1);
  const stretches: Decision[][] = [[decisions[0]!]];
  for (let at = 1; at < decisions.length; at += 1) {
    if (decisions[at]!.sentAt - decisions[at - 1]!.headAt > least) stretches.push([]);
    stretches.at(-1)!.push(decisions[at]!);
  }
  return stretches;
}
