/** What a profile says about limits, with defaults. */
import { documentedLimits } from './documented-limits.ts';
import type { ProfileKey, ProfileLimits } from './profile.ts';
import type { WrittenProfile } from './shape.ts';
import type { WrittenLimits } from './shape-limits.ts';

/** What the command that looks for limits may spend where nobody says. */
export const usualBudget = { maxRequests: 10_000, maxSeconds: 300 };

const trialsOf = { gate: 10, certify: 59 };

export function resolveLimits(profile: WrittenProfile, keys: readonly ProfileKey[]): ProfileLimits {
  const written: WrittenLimits = profile.limits ?? {};
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
      ...documentedLimits(profile, keys),
      tolerance: written.tolerance ?? 0.1,
    },
  };
}
