/**
 * The limit of a key below that of an address. An address that counts every call is used up by a search for the key's limit,
 * and whatever is refused then says nothing about the key: so the key calls from many addresses, each of which is called seldom.
 */
import { isDeepStrictEqual } from 'node:util';
import { isRefused } from '../model/decision.ts';
import type { RouteName, Who } from './call.ts';
import type { Prober } from './prober.ts';
import { type Met, meet, untilRefused } from './rested.ts';

export type MetBy = Met & { readonly route: RouteName; readonly who: Who };

/** How many calls from elsewhere are admitted, while the first address is refused, if the limit does not follow the key. */
const looks = 3;

/** Of what all addresses have together: more would meet their limits and not the key's. */
const share = 0.7;

/**
 * What the key has, if it is met from many addresses; by `at` it was met from one of them, which stays out: what is refused there
 * may be refused because of the address.
 */
export async function beneath(
  prober: Prober,
  at: MetBy,
  {
    everywhere,
    routes,
    most,
    statedMs,
  }: {
    readonly everywhere: Who;
    readonly routes: readonly RouteName[];
    readonly most: number;
    readonly statedMs: number | undefined;
  },
): Promise<MetBy> {
  const { keys: _, ...home } = at.who;
  const spread = everywhere.spread?.filter((each) => !isDeepStrictEqual(each, home)) ?? [];
  if (spread.length === 0 || !Number.isFinite(at.restMs) || at.restMs > prober.leftMs * 0.1) return at;
  const who: Who = { ...everywhere, spread };
  await prober.sleep(at.restMs);
  await untilRefused(prober, at.who, at.route, 4 * at.burst + 50, Math.max(1, Math.floor(at.burst * 0.75)));
  const elsewhere = prober.of(await prober.probe(who, at.route).askMany(Math.min(looks, at.burst)));
  // The limit follows the key to every address: so call from all of them.
  if (elsewhere.some(isRefused)) return { ...at, who };
  // From one other address alone, its own limit would be met first.
  if (spread.length < 2) return at;
  const room = Math.floor(Math.min(most, share * at.burst * spread.length));
  for (const route of routes) {
    const came = await meet(prober, who, route, Math.floor(room / routes.length), statedMs);
    if (came.calls.some(isRefused)) return { ...came, route, who };
  }
  return at;
}
