/** From what was written down to decisions of a limiter: live and afterwards by the same function. */
import { asksWith, type Exchange, headerValues, statusOf } from '../../model/exchange.ts';
import type { LimitModel } from '../../model/limit-model.ts';
import { spanOf } from './fit.ts';
import { toldMsOf } from './retry-header.ts';
import type { Decision, Trace } from './trace.ts';

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
    ...(isStranger(exchange) ? { stranger: true } : {}),
    exchange: exchange.id,
  };
}

const isStranger = (exchange: Exchange): boolean => !asksWith(exchange, 'x-api-key');

/** The wait that an answer tells, in milliseconds; 0 where nothing can be read. */
export const toldMsBy = (exchange: Exchange): number => toldMsOf(decisionOf(exchange));

export const traceOf = (calls: readonly Exchange[]): Trace => calls.map(decisionOf);

export const isRefused = (exchange: Exchange): boolean => statusOf(exchange) === 429;

/** The usual answer to a caller without a key: whatever limits the address let it through. */
export const isTakenForStranger = (exchange: Exchange): boolean => statusOf(exchange) === 401;

export const admittedIn = (calls: readonly Exchange[]): number => calls.filter((each) => !isRefused(each)).length;

/**
 * How long until an exhausted caller is rested again; undefined if nothing shows it. The stated wait
 * may be wrong, so if the kind is unknown, the longest stretch of refusals counts.
 */
export function restOf(model: LimitModel, calls: readonly Exchange[]): number | undefined {
  const { kind, burst, perSecond, windowMs, retryAfter, closedForMs, certainty } = model;
  if (closedForMs !== undefined) return undefined;
  const margin = (ms: number): number => ms * 1.15 + 100;
  // An interval may be open at one end, where nothing was seen that would bound it.
  const longest = (most: number, likely: number): number => Math.min(most, 1.5 * likely);
  const known: number[] = [];
  if (windowMs !== undefined && kind !== 'stepped refill')
    known.push(longest(windowMs.high, windowMs.value) * (kind === 'sliding counter' ? 2 : 1));
  else if (burst !== undefined && perSecond !== undefined)
    known.push(longest((1000 * burst.high) / perSecond.low, (1000 * burst.value) / perSecond.value));
  else if (kind === 'concurrency') known.push(100);
  if (certainty.is !== 'identified') {
    known.push(2 * (retryAfter.toldMs ?? 0), 1.5 * longestShut(traceOf(calls)));
    known.push(...model.candidates.map(spanOf));
  }
  const most = Math.max(0, ...known);
  return most === 0 ? undefined : margin(most);
}

function longestShut(trace: Trace): number {
  let since: number | undefined;
  let longest = 0;
  for (const { sentAt, headAt, admitted, status } of trace.toSorted((a, b) => a.sentAt - b.sentAt)) {
    if (status === 0) continue;
    if (!admitted) since ??= headAt;
    else if (since === undefined || sentAt >= since) {
      if (since !== undefined) longest = Math.max(longest, headAt - since);
      since = undefined;
    }
  }
  return longest;
}
