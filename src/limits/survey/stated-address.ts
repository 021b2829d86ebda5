/**
 * What a profile states for an address, tried without any model: keys that together call more slowly are never refused there, and
 * callers without a key, where the address counts them, get no more than a few windows of it hold.
 */
import { Inapplicable } from '../../model/ask.ts';
import type { Exchange } from '../../model/exchange.ts';
import type { StatedPace } from '../../model/limits-ask.ts';
import type { StatedLimit } from '../../model/subject.ts';
import { isRefused } from '../model/decision.ts';
import { type AddressFound, alike, largestCrowd } from './address-limit.ts';
import type { Place, Who } from './call.ts';
import { type Ground, ifTimeIsLeft } from './ground.ts';
import { askOnce, gently, isUneven, mostBeside, steadily } from './stated.ts';

/** So many stated windows long is each of the two. */
const slowWindows = 3;
const fastWindows = 6;
/** Times the stated pace. */
const hard = 2;
/** Of what a key has by itself, so that no refusal is due to its own limit. */
const ofOwn = 0.4;
/** Of what is left of the budget: little is asked after this. */
const shareOfTime = 0.35;
const shareOfCalls = 0.7;
const rests = 1.5;

export async function addressAsStated(on: Ground, found: AddressFound): Promise<StatedPace[]> {
  const { prober, options, restMs } = on;
  const { addressLimit: stated } = options;
  const there = options.places.at(-1)!;
  if (stated === undefined) throw new Inapplicable('the profile states no limit of an address');
  if (options.places.length < 2)
    throw new Inapplicable('there is only one client address; add limits: { addresses: […] }');
  ifTimeIsLeft(on);
  const longestMs = Math.max(restMs, stated.perMs);
  const calls = (slowWindows + hard * fastWindows) * stated.requests;
  if (
    (slowWindows + fastWindows) * stated.perMs + 2 * rests * longestMs > shareOfTime * prober.leftMs ||
    calls > shareOfCalls * prober.leftRequests
  )
    throw new Inapplicable(
      'the stated window is too long, or too large, for the budget; raise limits: { max_seconds, max_requests }',
    );
  await prober.sleep(rests * longestMs);
  const below = await slowly(on, found, stated, there);
  if (found.evidence.by !== 'no key') return below;
  await prober.sleep(rests * longestMs);
  return [...below, await hastily(on, stated, there)];
}

/** Keys in turn, each far within its own limit. One that is refused asks at once from another address, where it is served. */
async function slowly(on: Ground, found: AddressFound, stated: StatedLimit, there: Place): Promise<StatedPace[]> {
  const { prober, options, burst, restMs, key, route } = on;
  const pace = (gently * stated.requests) / stated.perMs;
  const needed = Math.ceil(pace / ((ofOwn * burst) / Math.max(1, restMs)));
  const own = alike(on);
  if (needed > largestCrowd || isUneven(found.burst, 1 / pace)) return [];
  return options.withMore(prober.spend, key.tier, Math.max(0, needed - own.length), async (made) => {
    const keys = [...own, ...made];
    if (keys.length < needed) return [];
    const beside: { refused: Exchange; answer: Exchange }[] = [];
    const count = Math.ceil(slowWindows * gently * stated.requests);
    const calls = await steadily(prober, count, 1 / pace, async (call) => {
      const key = keys[call % keys.length]!;
      const came = await askOnce(prober, { keys: [key], ...there }, route);
      if (!isRefused(came) || beside.length >= mostBeside) return came;
      beside.push({ refused: came, answer: await askOnce(prober, { keys: [key], ...options.places[0] }, route) });
      return came;
    });
    return [{ sort: 'keys', caller: 'keys in turn', tier: null, route, pace: 'below', calls, beside }];
  });
}

async function hastily({ prober, route }: Ground, stated: StatedLimit, there: Place): Promise<StatedPace> {
  const nobody: Who = { keys: [null], ...there };
  const probe = prober.probe(nobody, route);
  const count = Math.ceil(fastWindows * hard * stated.requests);
  const calls = prober.of(await probe.askMany(count, stated.perMs / (hard * stated.requests)));
  const sort = 'callers without a key';
  return { sort, caller: 'no key', tier: null, route, pace: 'beyond', calls, beside: [] };
}
