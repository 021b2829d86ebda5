/** `touchstone limits`: the rules of limits alone, what it will cost told beforehand. */
import { type Expected, estimateAll } from '../../limits/model/estimate.ts';
import type { StatedLimit } from '../../model/subject.ts';
import type { Profile } from '../../profile/profile.ts';
import { isLoopback } from '../../profile/scalars.ts';
import { selected } from '../catalogue.ts';
import { UsageError } from '../errors.ts';
import { say } from '../output.ts';
import { askAll, type CheckFlags } from './check.ts';

export interface LimitsFlags extends Omit<CheckFlags, 'depth' | 'only' | 'skip' | 'bail' | 'concurrency' | 'maxWait'> {
  readonly maxRequests?: number;
  readonly maxSeconds?: number;
  readonly quick?: true;
  readonly trials?: number;
}

export async function limits(words: readonly string[], given: LimitsFlags): Promise<void> {
  const flags: CheckFlags = { ...given, depth: 'quick' };
  await askAll(words, flags, selected(['limit', 'address'], []), {
    limited: true,
    prepare: (profile) => {
      refuseElsewhere(profile, given);
      const budgeted = withBudget(profile, given);
      if (!given.quiet) say(costOf(budgeted));
      return budgeted;
    },
  });
}

function withBudget(profile: Profile, { maxRequests, maxSeconds, quick, trials }: LimitsFlags): Profile {
  const before = profile.limits;
  return {
    ...profile,
    limits: {
      ...before,
      budgeted: true,
      maxRequests: maxRequests ?? before.maxRequests,
      maxSeconds: maxSeconds ?? before.maxSeconds,
      quick: quick ?? before.quick,
      trials: trials ?? before.trials,
    },
  };
}

function refuseElsewhere({ origin, limits: { allow } }: Profile, { yesProbeLimits }: LimitsFlags): void {
  if (isLoopback(origin)) return;
  if (!allow)
    throw new UsageError(
      `${origin} is not on this machine, and looking for limits spends other people's quota: add limits: { allow: true } to the profile, and --yes-probe-limits`,
      'limits-elsewhere',
    );
  if (yesProbeLimits === undefined)
    throw new UsageError(
      `looking for the limits of ${origin} is allowed by the profile; confirm it with --yes-probe-limits`,
      'limits-elsewhere',
    );
}

function costOf({ origin, keys, limits: { maxRequests, maxSeconds, quick, declared } }: Profile): string {
  const tier = keys.find(({ role }) => role === 'entitled')?.tier ?? '';
  const expected = (stated: StatedLimit | undefined): Expected =>
    stated === undefined
      ? {}
      : { burst: stated.burst ?? stated.requests, perSecond: (1000 * stated.requests) / stated.perMs };
  const budget = { maxRequests, maxSeconds, quick };
  const { requests, seconds } = estimateAll(expected(declared.tiers[tier]), expected(declared.address), budget);
  const isGuessed = declared.tiers[tier] === undefined;
  return (
    `looking for the limits of ${origin}: likely ${requests.likely} calls and ${seconds.likely} s in all` +
    `${isGuessed ? ' if they are met by 20 calls in a second (the profile states none)' : ''}, ` +
    `and never more than ${maxRequests} calls and ${maxSeconds} s`
  );
}
