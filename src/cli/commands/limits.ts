/** `touchstone limits`: the rules about limits alone, with its cost announced first. */
import { areWorthCrews } from '../../limits/model/crews.ts';
import { type Cost, type Expected, estimateAll } from '../../limits/model/estimate.ts';
import { areaOf, isProbing } from '../../model/rule.ts';
import type { StatedLimit } from '../../model/subject.ts';
import type { Profile } from '../../profile/profile.ts';
import { isLoopback } from '../../profile/scalars.ts';
import { catalogue, selected } from '../catalogue.ts';
import { UsageError } from '../errors.ts';
import { say } from '../output.ts';
import { askAll, type CheckFlags } from './check.ts';

export interface LimitsFlags extends Omit<CheckFlags, 'depth' | 'bail' | 'concurrency' | 'maxWait'> {
  readonly maxRequests?: number;
  /** Milliseconds. */
  readonly budget?: number;
  readonly quick?: true;
  readonly trials?: number;
}

const areas = ['limit', 'address'];
/** What an answer with 429 must be like any other error: it is seen here as nowhere else. */
const ofAnswers = ['error.shape-429', 'error.names-the-actor'];
const rules = catalogue.rules.filter(({ id }) => areas.includes(areaOf(id)) || ofAnswers.includes(id));
const ofLimits = rules.map(({ id }) => id);

export async function limits(words: readonly string[], given: LimitsFlags): Promise<void> {
  const flags: CheckFlags = { ...given, depth: 'quick' };
  const asked = selected(given.only ?? [...areas, ...ofAnswers], given.skip ?? [], ofLimits);
  const chosen = provoked(asked);
  if (chosen !== asked && !given.quiet) say(`${provoking} is asked too: the chosen rules only read answers with 429`);
  await askAll(words, flags, chosen, {
    limited: true,
    prepare: (profile) => {
      refuseElsewhere(profile, given);
      const budgeted = withBudget(profile, given);
      if (!given.quiet) say(costOf(budgeted, chosen));
      return budgeted;
    },
  });
}

const provoking = 'limit.exists';

/** Rules that only read answers need one that provokes them. */
function provoked(asked: ReadonlySet<string> | undefined): ReadonlySet<string> | undefined {
  const isEnough = asked === undefined || rules.some((rule) => asked.has(rule.id) && isProbing(rule));
  return isEnough ? asked : new Set([...asked, provoking]);
}

function withBudget(profile: Profile, { maxRequests, budget, quick, trials }: LimitsFlags): Profile {
  const before = profile.limits;
  return {
    ...profile,
    limits: {
      ...before,
      budgeted: true,
      maxRequests: maxRequests ?? before.maxRequests,
      maxSeconds: budget === undefined ? before.maxSeconds : Math.ceil(budget / 1000),
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

function costOf(
  { origin, keys, admin, limits: { maxRequests, maxSeconds, quick, declared } }: Profile,
  chosen: ReadonlySet<string> | undefined,
): string {
  const tier = keys.find(({ role }) => role === 'entitled')?.tier ?? '';
  const expected = (stated: StatedLimit | undefined): Expected =>
    stated === undefined
      ? {}
      : { burst: stated.burst ?? stated.requests, perSecond: (1000 * stated.requests) / stated.perMs };
  const chosenRules = rules.filter(({ id }) => chosen === undefined || chosen.has(id));
  const cost = estimateAll(chosenRules, expected(declared.tiers[tier]), expected(declared.address), {
    maxRequests,
    maxSeconds,
    quick,
    beside: admin?.create !== undefined && isLoopback(origin) && areWorthCrews(chosenRules),
  });
  const isGuessed = declared.tiers[tier] === undefined;
  return (
    `probing the limits of ${origin}: probably ${cost.requests.likely} calls and ${cost.seconds.likely} s in all` +
    `${isGuessed ? ' if the limits are 20 calls a second (the profile documents none)' : ''}, ` +
    `and never more than ${maxRequests} calls and ${maxSeconds} s${shortageOf(cost)}`
  );
}

/** What the budget is probably not enough for, or, where that is most of it, what it is enough for; and what would be enough. */
function shortageOf({ decided, undecided, whole, requests, seconds }: Cost): string {
  const more = [
    ...(undecided.length > 0 ? [`--budget ${Math.ceil(whole.seconds / 60)}m`] : []),
    ...(whole.requests > requests.most ? [`--max-requests ${Math.ceil(whole.requests / 1000)}000`] : []),
  ].join(' ');
  if (more === '') return '';
  if (undecided.length === 0) return `\nfor all rules: ${more}`;
  const all = decided.length + undecided.length;
  const list =
    decided.length < undecided.length
      ? `probably only ${decided.length} of ${all} rules are decided: ${decided.join(', ')}`
      : `probably ${undecided.length} of ${all} rules are not decided: ${undecided.join(', ')}`;
  return `\nin ${seconds.most} s ${list}. For all rules: ${more}`;
}
