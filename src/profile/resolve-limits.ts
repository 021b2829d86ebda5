/** What a profile says of limits, with defaults. */
import type { StatedLimit } from '../model/subject.ts';
import type { ProfileLimits } from './profile.ts';
import { duration } from './scalars.ts';
import type { WrittenLimits } from './shape-limits.ts';

/** What the command that looks for limits may spend where nobody says. */
export const usualBudget = { maxRequests: 10_000, maxSeconds: 300 };

const trialsOf = { gate: 10, certify: 59 };

type Declared = NonNullable<WrittenLimits['address']>;

const declaredOf = ({ requests, per, burst }: Declared): StatedLimit => ({
  requests,
  perMs: duration(per) ?? 1000,
  ...(burst === undefined ? {} : { burst }),
});

export function resolveLimits(written: WrittenLimits = {}): ProfileLimits {
  const { trials = 'gate', addresses, trusted_header: trustedHeader, route } = written;
  return {
    budgeted: written.max_requests !== undefined || written.max_seconds !== undefined,
    maxRequests: written.max_requests ?? usualBudget.maxRequests,
    maxSeconds: written.max_seconds ?? usualBudget.maxSeconds,
    quick: written.quick ?? false,
    trials: typeof trials === 'number' ? trials : trialsOf[trials],
    allow: written.allow ?? false,
    ...(addresses === undefined ? {} : { addresses }),
    ...(trustedHeader === undefined ? {} : { trustedHeader }),
    ...(route === undefined ? {} : { route }),
    declared: {
      tiers: Object.fromEntries(Object.entries(written.tiers ?? {}).map(([tier, each]) => [tier, declaredOf(each)])),
      ...(written.address === undefined ? {} : { address: declaredOf(written.address) }),
      tolerance: written.tolerance ?? 0.1,
    },
  };
}
