/** The documented limits of a profile, from `limits.documented` and from the members of before, as one answer. */
import type { StatedLimit } from '../model/subject.ts';
import type { ProfileKey } from './profile.ts';
import { duration } from './scalars.ts';
import type { WrittenProfile } from './shape.ts';

export interface DocumentedLimits {
  readonly tiers: Readonly<Record<string, StatedLimit>>;
  readonly address?: StatedLimit;
}

interface Written {
  readonly requests: number;
  readonly per: string | number;
  readonly burst?: number | undefined;
}

interface Former {
  readonly per_second: number;
  readonly burst?: number | undefined;
}

const limitOf = ({ requests, per, burst }: Written): StatedLimit => ({
  requests,
  perMs: duration(per) ?? 1000,
  ...(burst === undefined ? {} : { burst }),
});

const formerOf = ({ per_second, burst }: Former): StatedLimit => limitOf({ requests: per_second, per: '1s', burst });

export function documentedLimits(
  { limits = {}, load = {}, tiers: order = [] }: WrittenProfile,
  keys: readonly ProfileKey[],
): DocumentedLimits {
  const { documented = {} } = limits;
  const { key, address } = load.limits ?? {};
  const found = new Map<string, StatedLimit>();
  // The clearest statement is read last. checks-limits.ts has made sure that they agree, but one may know a burst more.
  const put = (tier: string, limit: StatedLimit): unknown => found.set(tier, { ...found.get(tier), ...limit });
  if (key !== undefined) for (const tier of tiersOfLoad(load.keys, keys)) put(tier, formerOf(key));
  for (const each of [limits.tiers, documented.tiers])
    for (const [tier, limit] of Object.entries(each ?? {})) put(tier, limitOf(limit));
  if (documented.key !== undefined) {
    const own = new Set([...Object.keys(limits.tiers ?? {}), ...Object.keys(documented.tiers ?? {})]);
    for (const tier of new Set(['', ...order, ...keys.map((each) => each.tier ?? '')]))
      if (!own.has(tier)) put(tier, limitOf(documented.key));
  }
  const addresses = [
    ...(address === undefined ? [] : [formerOf(address)]),
    ...[limits.address, documented.address].flatMap((each) => (each === undefined ? [] : [limitOf(each)])),
  ];
  return {
    tiers: Object.fromEntries(found),
    ...(addresses.length === 0 ? {} : { address: Object.assign({}, ...addresses) as StatedLimit }),
  };
}

/** `load.limits.key` is about the keys that load uses, and says nothing about other tiers. */
function tiersOfLoad(named: readonly string[] | undefined, keys: readonly ProfileKey[]): ReadonlySet<string> {
  const used = keys.filter(({ name, role }) => (named === undefined ? role === 'entitled' : named.includes(name)));
  return new Set((used.length === 0 ? [{ tier: undefined }] : used).map(({ tier }) => tier ?? ''));
}
