/** What was found about limits, as it is written into the run: for reports, which fit nothing themselves. */
import type { FoundLimit, LimitScope } from '../../model/limit-model.ts';
import type { AddressLimit, Neighbours, Probed } from '../../model/limits-ask.ts';
import { cellOf } from '../model/cells.ts';
import { modelOfProbed } from '../model/probed.ts';
import type { Known } from './ground.ts';

export interface Findings {
  readonly key: Probed | undefined;
  readonly tiers: readonly Probed[] | undefined;
  readonly near: Neighbours | undefined;
  readonly withoutKey: Probed | undefined;
  readonly address: AddressLimit | undefined;
}

/** From what was looked for in this run, whatever asked for it. */
export async function foundSoFar(known: Known): Promise<FoundLimit[]> {
  const met = await known<{ evidence: AddressLimit }>('address');
  return foundLimits({
    key: (await known<Probed>('key')) ?? (await known<Probed>('met')),
    tiers: await known<readonly Probed[]>('tiers'),
    near: await known<Neighbours>('neighbours'),
    withoutKey: (await known<Probed>('model without key')) ?? (await known<Probed>('without key')),
    address: met?.evidence,
  });
}

function foundLimits({ key, tiers = [], near, withoutKey, address }: Findings): FoundLimit[] {
  const found: FoundLimit[] = [];
  const scope = near === undefined ? 'undetermined' : scopeOf(near);
  if (key !== undefined) found.push(foundIn(key, scope));
  for (const each of tiers) if (each.caller !== key?.caller) found.push(foundIn(each, scope));
  const isMet = withoutKey !== undefined && modelOfProbed(withoutKey).kind !== 'none met';
  if (withoutKey !== undefined && isMet)
    found.push(foundIn(withoutKey, address?.by === 'no key' ? 'address' : 'callers without a key'));
  return found;
}

function foundIn(probed: Probed, scope: LimitScope): FoundLimit {
  const { caller, tier, route, calls, sustainedFrom, stopped } = probed;
  return {
    caller,
    scope,
    route,
    model: finite(modelOfProbed(probed)),
    calls: calls.map(({ id }) => id),
    ...(tier === null ? {} : { tier }),
    ...(sustainedFrom === null ? {} : { sustainedFrom }),
    ...(stopped === null ? {} : { stopped }),
  };
}

function scopeOf(near: Neighbours): LimitScope {
  const here = cellOf(near.rounds, 'another key at the same address');
  const elsewhere = cellOf(near.rounds, 'the same key at another address');
  if (here === 'apart') return elsewhere === 'apart' ? 'pair' : elsewhere === 'together' ? 'key' : 'undetermined';
  if (here !== 'together') return 'undetermined';
  return elsewhere === 'apart' ? 'address' : elsewhere === 'together' ? 'all keys' : 'undetermined';
}

/** What no file can hold: an interval that is open at its end. */
const farOff = 1e12;

function finite<T>(value: T): T {
  if (typeof value === 'number') return (Number.isFinite(value) ? value : Math.sign(value) * farOff || 0) as T;
  if (Array.isArray(value)) return value.map(finite) as T;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, finite(each)])) as T;
}
