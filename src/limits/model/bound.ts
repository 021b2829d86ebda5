/** The most calls that a limit can admit in any stretch of this length. */
import type { Fitted, LimitModel } from '../../model/limit-model.ts';

type Numbers = Pick<LimitModel | Fitted, 'kind' | 'burst' | 'perSecond' | 'windowMs' | 'quantum'>;

export function mostAdmitted({ kind, burst, perSecond, windowMs, quantum }: Numbers, ms: number): number {
  if (burst === undefined) return Number.POSITIVE_INFINITY;
  const windows = windowMs === undefined ? Number.POSITIVE_INFINITY : ms / Math.max(1, windowMs.low);
  switch (kind) {
    case 'token bucket':
      return perSecond === undefined
        ? Number.POSITIVE_INFINITY
        : burst.high + Math.ceil((ms * perSecond.high) / 1000) + 1;
    case 'stepped refill':
      return burst.high + (quantum ?? burst.high) * (Math.floor(windows) + 1);
    case 'window aligned':
    case 'window undetermined':
      return burst.high * (Math.floor(windows) + 2);
    case 'window from first call':
      // The end of one window and the begin of the next lie close together.
      return burst.high * (Math.floor(windows) + 2);
    case 'sliding log':
      return burst.high * (Math.floor(windows) + 1);
    case 'sliding counter':
      // Just before a window's end the last but one is forgotten, and just after it the last one still weighs.
      return Math.ceil(burst.high * (windows + 2));
    default:
      return Number.POSITIVE_INFINITY;
  }
}
