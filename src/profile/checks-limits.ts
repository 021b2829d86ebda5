/** One limit, one number: where a profile states a limit twice, both statements must agree. */
import type { Json } from '../model/json.ts';
import { members } from './checks.ts';
import { type Path, type Problems, showPath } from './problems.ts';
import { duration } from './scalars.ts';

type Members = { readonly [key: string]: Json };

interface Statement {
  readonly path: Path;
  readonly perSecond: number;
  readonly burst?: number;
  /** As a person reads it. */
  readonly says: string;
}

export function checkLimits(all: Members, problems: Problems): void {
  const limits = members(all.limits);
  const documented = members(limits.documented);
  const former = members(members(all.load).limits);
  const agree = (now: Statement | undefined, before: Statement | undefined): void => {
    if (now === undefined || before === undefined || isSame(now, before)) return;
    problems.add(before.path, `contradicts \`${showPath(now.path)}\` (${now.says}); remove this one`, 'key');
  };
  const address = statement(['limits', 'documented', 'address'], documented.address);
  const formerAddress = statement(['limits', 'address'], limits.address);
  agree(address, formerAddress);
  agree(address ?? formerAddress, statement(['load', 'limits', 'address'], former.address));

  const byTier = (tier: string): Statement | undefined =>
    statement(['limits', 'documented', 'tiers', tier], members(documented.tiers)[tier]) ??
    statement(['limits', 'tiers', tier], members(limits.tiers)[tier]);
  for (const tier of Object.keys(members(limits.tiers)))
    agree(byTier(tier), statement(['limits', 'tiers', tier], members(limits.tiers)[tier]));
  const key = statement(['limits', 'documented', 'key'], documented.key);
  const ofLoad = statement(['load', 'limits', 'key'], former.key);
  for (const tier of tiersOfLoad(all)) agree(byTier(tier) ?? key, ofLoad);
}

function tiersOfLoad({ keys, load }: Members): ReadonlySet<string> {
  const named = members(load).keys;
  const used = Object.entries(members(keys)).filter(([name, key]) =>
    Array.isArray(named) ? named.includes(name) : members(key).role !== 'restricted',
  );
  const tiers = used.map(([, key]) => members(key).tier);
  return new Set((tiers.length === 0 ? [''] : tiers).map((tier) => (typeof tier === 'string' ? tier : '')));
}

/** Undefined for what is missing, or has a form that shape.ts reports. */
function statement(path: Path, value: Json | undefined): Statement | undefined {
  const { requests, per, per_second: perSecond, burst: atOnce } = members(value);
  const burst = typeof atOnce === 'number' ? { burst: atOnce } : {};
  const ending = typeof atOnce === 'number' ? `, ${atOnce} at once` : '';
  if (typeof perSecond === 'number') return { path, perSecond, ...burst, says: `${perSecond} a second${ending}` };
  const ms = typeof per === 'string' || typeof per === 'number' ? duration(per) : undefined;
  if (typeof requests !== 'number' || ms === undefined || ms === 0) return undefined;
  return { path, perSecond: (requests * 1000) / ms, ...burst, says: `${requests} in ${ms / 1000} s${ending}` };
}

/** A statement without a burst leaves it open. */
const isSame = (a: Statement, b: Statement): boolean =>
  Math.abs(a.perSecond - b.perSecond) <= 1e-9 * a.perSecond &&
  (a.burst === undefined || b.burst === undefined || a.burst === b.burst);
