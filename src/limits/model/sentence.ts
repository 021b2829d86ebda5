/** A limit in one sentence that a person can repeat: whose it is, what it allows, and whether its Retry-After is correct. */
import type { FoundLimit, LimitModel, LimitScope } from '../../model/limit-model.ts';
import { calls, duration, rate } from './words.ts';

/** What the run decided about waiting as told, where it did. */
export type Told = 'correctly' | 'wrongly' | undefined;

export function sentenceOf(
  { scope, tier, caller, model }: Pick<FoundLimit, 'scope' | 'tier' | 'caller' | 'model'>,
  told?: Told,
): string {
  const refusals = refusalsOf(model, told);
  return `${whose(scope, tier, caller)}: ${allowed(model)}${refusals === undefined ? '' : `; ${refusals}`}.`;
}

function whose(scope: LimitScope, tier: string | undefined, caller: string): string {
  const key = tier === undefined ? 'key' : `${tier} key`;
  const names: Readonly<Record<LimitScope, string>> = {
    key: `Each ${key}`,
    pair: `Each ${key} at each address`,
    address: 'Each address',
    'all keys': 'All keys together',
    'callers without a key': 'Each address, without a key',
    undetermined: `The key ${caller}`,
  };
  return names[scope];
}

function allowed(model: LimitModel): string {
  const { kind, burst, perSecond, windowMs, quantum, delays, decisions, admitted, atLeast, tookMs } = model;
  if (decisions === 0) return 'nothing is known of a limit, for there was no time to look';
  if (kind === 'none met') {
    const { calls: met, inMs } = atLeast ?? { calls: admitted, inMs: tookMs };
    return `no limit was seen in ${calls(met)} within ${duration(inMs)}`;
  }
  if (burst === undefined) return 'a limit was met, but its kind is undetermined';
  const count = calls(Math.round(burst.value));
  if (delays && perSecond !== undefined) return `${count} wait in a queue, which lets ${rate(perSecond.value)} through`;
  const within = windowMs === undefined ? undefined : duration(windowMs.value);
  switch (kind) {
    case 'concurrency':
      return `${count} at a time`;
    case 'stepped refill':
      return `${count} at once, then ${quantum} every ${within}`;
    case 'window aligned':
      return `${count} in each ${within} of the clock`;
    case 'window from first call':
      return `${count} in the ${within} that begin with the first`;
    case 'sliding log':
      return `never more than ${count} in any ${within}`;
    case 'sliding counter':
      return `about ${count} in any ${within}`;
    default:
      if (perSecond !== undefined) return `${count} at once, then ${rate(perSecond.value)}`;
      return within === undefined ? `${count} at once` : `${count} in ${within}`;
  }
}

/** The bound of the warning: a stated wait of two seconds more, and more than twice as long, than needed. */
const isMuch = (ms: number, toldMs: number): boolean => ms > 2000 && ms > toldMs / 2;

function refusalsOf({ retryAfter }: LimitModel, told: Told): string | undefined {
  const { refusals, absent, unreadable, slackMs, toldMs = 0 } = retryAfter;
  if (refusals === 0) return undefined;
  if (absent === refusals) return 'refusals have no Retry-After';
  if (absent > 0) return `${absent} of ${refusals} refusals have no Retry-After`;
  if (unreadable > 0) return `${unreadable} of ${refusals} refusals have a Retry-After that is not a number of seconds`;
  if (slackMs !== undefined && isMuch(slackMs.value, toldMs))
    return `Retry-After is ${duration(slackMs.value)} longer than needed`;
  if (told === 'wrongly') return 'calls are still refused after Retry-After';
  return told === 'correctly' ? 'Retry-After is correct' : 'refusals have a Retry-After';
}
