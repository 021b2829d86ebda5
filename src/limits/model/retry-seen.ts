/** What the refusals of a trace said about waiting, and how early calls were admitted before that. */
import type { RetryAfterSeen } from '../../model/limit-model.ts';
import { differencesIn } from './retry.ts';
import { isReadable, secondsTold } from './retry-header.ts';
import type { Trace } from './trace.ts';

export function retryAfterSeen(trace: Trace): RetryAfterSeen {
  const refused = trace.filter(({ status, admitted }) => status !== 0 && !admitted);
  const slacks = differencesIn(trace);
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
