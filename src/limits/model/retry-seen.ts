/** What the refusals of a trace said about waiting, and how early calls were admitted before that. */
import type { RetryAfterSeen } from '../../model/limit-model.ts';
import { isReadable, secondsTold } from './retry-header.ts';
import type { Trace } from './trace.ts';

export function retryAfterSeen(trace: Trace): RetryAfterSeen {
  const refused = trace.filter(({ status, admitted }) => status !== 0 && !admitted);
  const slacks: number[] = [];
  let told: number | undefined;
  for (const each of trace) {
    if (each.status === 0) continue;
    if (!each.admitted) {
      const seconds = secondsTold(each.retryAfter);
      told = seconds === undefined ? undefined : each.headAt + seconds * 1000;
    } else if (told !== undefined) {
      slacks.push(told - each.headAt);
      told = undefined;
    }
  }
  slacks.sort((a, b) => a - b);
  const middle = slacks[slacks.length >> 1];
  const tolds = refused.flatMap(({ retryAfter }) => secondsTold(retryAfter) ?? []);
  return {
    refusals: refused.length,
    absent: refused.filter(({ retryAfter }) => retryAfter === undefined).length,
    unreadable: refused.filter(({ retryAfter }) => retryAfter !== undefined && !isReadable(retryAfter)).length,
    ...(tolds.length === 0 ? {} : { toldMs: 1000 * Math.max(...tolds) }),
    ...(middle === undefined ? {} : { slackMs: { value: middle, low: slacks[0]!, high: slacks.at(-1)! } }),
  };
}
