/** What the profile documents about the limits that a load meets: by the second, as load counts. */
import type { StatedLimit } from '../model/subject.ts';
import type { ProfileKey, ProfileLimits } from '../profile/profile.ts';
import type { DeclaredLimit, DeclaredLimits } from './plan.ts';

/** Keys of different limits have no limit in common: none is given then. */
export function documentedFor({ declared }: ProfileLimits, keys: readonly ProfileKey[]): DeclaredLimits {
  const ofKeys = keys.map(({ tier }) => declared.tiers[tier ?? '']);
  const [first] = ofKeys;
  const isOne = first !== undefined && ofKeys.every((each) => each !== undefined && isSame(each, first));
  return {
    ...(isOne ? { key: bySecond(first) } : {}),
    ...(declared.address === undefined ? {} : { address: bySecond(declared.address) }),
  };
}

const rate = ({ requests, perMs }: StatedLimit): number => (1000 * requests) / perMs;

const isSame = (a: StatedLimit, b: StatedLimit): boolean => rate(a) === rate(b) && a.burst === b.burst;

/** All calls of a period may come at once, unless a burst is documented. */
const bySecond = (limit: StatedLimit): DeclaredLimit => ({
  perSecond: rate(limit),
  burst: limit.burst ?? limit.requests,
});
