/** `touchstone limits`: the rules about limits alone, with its cost announced first. */
import { type Expected, estimateAll } from '../../limits/model/estimate.ts';
import { areaOf } from '../../model/rule.ts';
import type { StatedLimit } from '../../model/subject.ts';
import type { Profile } from '../../profile/profile.ts';
import { isLoopback } from '../../profile/scalars.ts';
import { ids, selected } from '../catalogue.ts';
import { UsageError } from '../errors.ts';
import { say } from '../output.ts';
import { askAll, type CheckFlags } from './check.ts';

export interface LimitsFlags extends Omit<CheckFlags, 'depth' | 'bail' | 'concurrency' | 'maxWait'> {
  readonly maxRequests?: number;
  readonly maxSeconds?: number;
  readonly quick?: true;
  readonly trials?: number;
}

const ofLimits = ids.filter((id) => ['limit', 'address'].includes(areaOf(id)));

export async function limits(words: readonly string[], given: LimitsFlags): Promise<void> {
  const flags: CheckFlags = { ...given, depth: 'quick' };
  await askAll(words, flags, selected(given.only ?? ['limit', 'address'], given.skip ?? [], ofLimits), {
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

function refuseElsewhere({ origin, limits: { allow } }: Profile, { allowRemoteLimits }: LimitsFlags): void {
  if (isLoopback(origin)) return;
  if (!allow)
    throw new UsageError(
      `${origin} is on another machine, and probing limits spends other people's quota: add limits: { allow: true } to the profile, and --allow-remote-limits`,
      'limits-elsewhere',
    );
  if (allowRemoteLimits === undefined)
    throw new UsageError(
      `the profile allows probing the limits of ${origin}; confirm it with --allow-remote-limits`,
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
    `probing the limits of ${origin}: probably ${requests.likely} calls and ${seconds.likely} s in all` +
    `${isGuessed ? ' if the limits are 20 calls a second (the profile documents none)' : ''}, ` +
    `and never more than ${maxRequests} calls and ${maxSeconds} s`
  );
}
