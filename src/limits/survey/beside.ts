/** Two callers over the same time: a service that admits ten times as much to one of them limits it in name only. */
import type { Exchange } from '../../model/exchange.ts';
import type { RouteBeside, SideBySide, Stretch } from '../../model/limits-ask.ts';
import type { Key } from '../../model/subject.ts';
import { admittedIn, isRefused } from '../model/decision.ts';
import type { Place, RouteName, Who } from './call.ts';
import type { Ground } from './ground.ts';
import { exhaust } from './neighbours.ts';
import type { Prober } from './prober.ts';

export interface Caller extends Omit<Stretch, 'calls'> {
  readonly key: Key | null;
  readonly at: RouteName;
}

/** Ten times, and a margin. */
const times = 10;
export const margin = 10;
const longest = 25;
const few = 6;

/** Until the one that is looked at is refused, or has been admitted ten times as much as the other one meanwhile. */
export async function sideBySide(
  prober: Prober,
  places: readonly Place[],
  known: Caller,
  looked: Caller,
  burst: number,
): Promise<SideBySide> {
  const [ofKnown, ofLooked]: [Exchange[], Exchange[]] = [[], []];
  // From address to address, so that the limit of none is met first.
  const whoIs = (key: Key | null): Who => ({ keys: [key], spread: places });
  for (;;) {
    const wanted = times * Math.max(burst, admittedIn(ofKnown)) + margin;
    // Where the other one is hardly ever refused, nothing is to be learned.
    const left = Math.min(wanted, longest * burst + margin) - ofLooked.length;
    const size = Math.min(24, left);
    if (size <= 0 || prober.leftRequests < 3 * size) break;
    // Addresses may have a limit too. One that stays refused needs few calls to show it.
    const part = ofKnown.slice(-few).length === few && ofKnown.slice(-few).every(isRefused) ? 6 : 2;
    const [own, other] = await Promise.all([
      prober.probe(whoIs(known.key), known.at).askMany(Math.ceil(size / part)),
      prober.probe(whoIs(looked.key), looked.at).askMany(size),
    ]);
    ofKnown.push(...prober.of(own));
    const came = prober.of(other);
    ofLooked.push(...came);
    if (came.some(isRefused)) break;
  }
  const strip = ({ sort, caller, tier, route }: Caller): Omit<Stretch, 'calls'> => ({ sort, caller, tier, route });
  return { known: { ...strip(known), calls: ofKnown }, looked: { ...strip(looked), calls: ofLooked } };
}

export const data: readonly RouteName[] = ['verify', 'read', 'run'];

export async function everyRoute(on: Ground): Promise<RouteBeside[]> {
  const { prober, options, route, key, burst } = on;
  const seen: RouteBeside[] = [];
  if (!options.routes.includes('run')) return seen;
  const caller = { sort: 'a key', caller: key.name, tier: key.tier ?? null, key };
  let isRested = false;
  const [first, ...more] = options.further;
  for (const other of [...data, ...(first === undefined ? [] : [first]), ...(await openAmong(on, more))]) {
    if (other === route) continue;
    // What was asked before may have used up the addresses: then every route is refused.
    if (!isRested) await prober.sleep(on.restMs);
    isRested = true;
    await exhaust(on);
    const asked = prober.of(await prober.probe(on.who, other).askMany(2));
    if (asked.some(isRefused)) continue;
    const known = { ...caller, route, at: route };
    const looked = { ...caller, route: other as string, at: other };
    seen.push({ request: other, beside: await sideBySide(prober, options.spread, known, looked, burst) });
    isRested = false;
  }
  return seen;
}

/** One call of each, by an exhausted key: those that are refused need no further look. */
async function openAmong(on: Ground, routes: readonly RouteName[]): Promise<RouteName[]> {
  const { prober } = on;
  if (routes.length === 0) return [];
  await exhaust(on);
  const open: RouteName[] = [];
  for (const route of routes) {
    const [answer] = prober.of([await prober.probe(on.who, route).ask()]);
    if (answer !== undefined && !isRefused(answer)) open.push(route);
  }
  return open;
}
