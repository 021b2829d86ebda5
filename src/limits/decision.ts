/** From what was written down to decisions of a limiter: live and afterwards by the same function. */
import { type Exchange, headerValues, statusOf } from '../model/exchange.ts';
import type { LimitModel } from './model.ts';
import type { Decision, Trace } from './probe.ts';

/** 429 alone is a limit's refusal. Any other answer says that the limit let the call through. */
export function decisionOf(exchange: Exchange): Decision {
  const { at } = exchange;
  const status = exchange.response === undefined ? 0 : (statusOf(exchange) ?? 0);
  const [retryAfter] = headerValues(exchange, 'retry-after');
  return {
    sentAt: at.sent,
    headAt: at.head ?? at.end,
    admitted: status !== 0 && status !== 429,
    status,
    ...(retryAfter === undefined ? {} : { retryAfter }),
    exchange: exchange.id,
  };
}

export const traceOf = (calls: readonly Exchange[]): Trace => calls.map(decisionOf);

export const isRefused = (exchange: Exchange): boolean => statusOf(exchange) === 429;

/** How long until whoever has been exhausted is as good as new; undefined where nothing is known that could tell. */
export function restOf({ kind, burst, perSecond, windowMs, retryAfter, closedForMs }: LimitModel): number | undefined {
  const margin = (ms: number): number => ms * 1.15 + 100;
  if (windowMs !== undefined && kind !== 'stepped refill')
    return margin(windowMs.high * (kind === 'sliding counter' ? 2 : 1));
  if (burst !== undefined && perSecond !== undefined) return margin((1000 * burst.high) / perSecond.low);
  if (kind === 'concurrency') return 200;
  if (closedForMs !== undefined) return undefined;
  return retryAfter.toldMs === undefined ? undefined : margin(2 * retryAfter.toldMs);
}
