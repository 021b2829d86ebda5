/**
 * The limit of a key below that of an address. An address that counts every call is used up by a search for the key's limit,
 * and whatever is refused then says nothing about the key: so the key calls from many addresses, each of which is called seldom.
 */
import { isRefused } from '../model/decision.ts';
import type { Prober, RouteName, Who } from './prober.ts';
import { type Met, meet, untilRefused } from './rested.ts';

export type MetBy = Met & { readonly route: RouteName; readonly who: Who };

/** How many calls from elsewhere are admitted, while the first address is refused, if the limit does not follow the key. */
const looks = 3;

/** Of what all addresses have together: more would meet their limits and not the key's. */
const share = 0.7;

/** What the key has, if it is met from many addresses; by `at` it was met from one of them. */
export async function beneath(
  prober: Prober,
  at: MetBy,
  {
    everywhere,
    routes,
    most,
  }: { readonly everywhere: Who; readonly routes: readonly RouteName[]; readonly most: number },
): Promise<MetBy> {
  const places = everywhere.spread?.length ?? 1;
  if (places < 2 || !Number.isFinite(at.restMs) || at.restMs > prober.leftMs * 0.1) return at;
  await prober.sleep(at.restMs);
  await untilRefused(prober, at.who, at.route, 4 * at.burst + 50, Math.max(1, Math.floor(at.burst * 0.75)));
  const elsewhere = prober.of(await prober.probe(everywhere, at.route).askMany(Math.min(looks, at.burst)));
  // The limit follows the key to every address: so call from all of them.
  if (elsewhere.some(isRefused)) return { ...at, who: everywhere };
  const room = Math.floor(Math.min(most, share * at.burst * places));
  for (const route of routes) {
    const came = await meet(prober, everywhere, route, Math.floor(room / routes.length));
    if (came.calls.some(isRefused)) return { ...came, route, who: everywhere };
  }
  return at;
}
