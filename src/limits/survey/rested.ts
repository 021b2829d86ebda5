/**
 * The smallest thing that the other experiments need to know: how many calls a rested caller has, and how long a rest is. No
 * model is fitted for it, so it is known also of limits that behave as no model says.
 */
import { type Exchange, statusOf } from '../../model/exchange.ts';
import { isRefused } from '../model/decision.ts';
import { secondsTold } from '../model/retry-header.ts';
import type { RouteName, Who } from './call.ts';
import type { Prober } from './prober.ts';

export interface Met {
  readonly calls: readonly Exchange[];
  /** Calls that were admitted after a rest. */
  readonly burst: number;
  /** Infinite: nobody knows. */
  readonly restMs: number;
}

/** Told to wait for longer, it is first seen whether less is enough. */
const believedMs = 20_000;

/** How many bursts are looked at after a rest that was enough: a window may have ended just then. */
const confirmations = 2;

const attempts = 11;

const longWave = 24;

const failingWave = 4;

const isFailing = (exchange: Exchange): boolean => (statusOf(exchange) ?? 500) >= 500;

const isTurnedAway = (exchange: Exchange): boolean => (statusOf(exchange) ?? 0) >= 400;

/** Ever larger waves until something is refused. */
export async function untilRefused(
  prober: Prober,
  who: Who,
  route: RouteName,
  most: number,
  first = 1,
): Promise<Exchange[]> {
  const probe = prober.probe(who, route);
  const isKeyed = who.keys.every((key) => key !== null);
  const calls: Exchange[] = [];
  for (let size = Math.max(1, first); calls.length < most; size = Math.min(96, size < 8 ? size * 2 : size * 1.4)) {
    const wave = prober.of(await probe.askMany(Math.ceil(Math.min(size, most - calls.length))));
    calls.push(...wave);
    if (wave.some(isRefused) || prober.isDistressed) break;
    // Served before, and failing now that it calls often: that is looked at more slowly.
    if (isKeyed && wave.length >= failingWave && wave.filter(isFailing).length * 2 >= wave.length) break;
    // Turned away otherwise, each call of a long wave: that is another refusal, and no call is left to be counted.
    if (isKeyed && wave.length >= longWave && wave.every(isTurnedAway)) break;
  }
  return calls;
}

/** Without what was sent when a refusal was known already: a limit that forgives would have no end. */
function admittedIn(calls: readonly Exchange[]): number {
  const known = Math.min(...calls.filter(isRefused).map(({ at }) => at.end));
  return calls.filter((each) => !isRefused(each) && each.at.sent <= known).length;
}

/** How long to wait from now on, by the last refusal of some calls. */
function toldMs(prober: Prober, calls: readonly Exchange[]): number | undefined {
  const last = calls.findLast(isRefused);
  const header = last?.response?.headers.find(([name]) => name.toLowerCase() === 'retry-after')?.[1];
  const seconds = secondsTold(header);
  return seconds === undefined || last === undefined ? undefined : last.at.end + seconds * 1000 - prober.now();
}

const guardMs = 30;

/** Calls and rests until a rest is known after which as much is admitted as at first. `statedMs` is tried before anything longer. */
export async function meet(prober: Prober, who: Who, route: RouteName, most: number, statedMs?: number): Promise<Met> {
  const calls = await untilRefused(prober, who, route, most);
  let burst = Math.max(1, admittedIn(calls));
  if (!calls.some(isRefused)) return { calls, burst, restMs: 0 };
  const all = [...calls];
  let told = toldMs(prober, calls);
  /** The run waited for the stated time once, and less had not been enough. */
  let proven = false;
  const isBelieved = (ms: number | undefined): ms is number => ms !== undefined && (proven || ms <= believedMs);
  let wait = isBelieved(told) ? Math.max(50, told + guardMs) : told === undefined ? 500 : 1000;
  let restMs = Number.POSITIVE_INFINITY;
  let enough = 0;
  let before = { admitted: 0, wait: 0 };
  /** What was admitted after the last rest that seemed to be enough. */
  let usual = burst;
  for (let attempt = 0; attempt < attempts && enough <= confirmations; attempt += 1) {
    if (wait > prober.leftMs * 0.3 || prober.isDistressed) break;
    // The last time twice as long: where that brings more, what was asked before had still counted.
    const isLong = enough === confirmations;
    if (isLong) wait *= 2;
    const isToldOut = told !== undefined && wait > told;
    await prober.sleep(wait);
    const again = await untilRefused(
      prober,
      who,
      route,
      // Who is refused by chance would be called twice as often each time.
      Math.min(most, 2 * burst + 50),
      Math.max(1, Math.floor(burst * 0.75)),
    );
    all.push(...again);
    const admitted = admittedIn(again);
    proven ||= admitted > 0 && told !== undefined && wait > told && before.wait > 0 && before.admitted === 0;
    told = toldMs(prober, again);
    // Twice as long and no more than before: that is all there is, and the first burst lay across the end of a window.
    const isAll =
      admitted > 1 && before.admitted > 0 && wait >= 1.8 * before.wait && admitted <= 1.05 * before.admitted;
    // Half of the first burst after the whole stated wait: the first one had more by chance.
    if (admitted >= (isToldOut ? 0.5 : 0.8) * burst || isAll) {
      if (isLong && admitted > 1.2 * usual + 1) {
        burst = Math.max(burst, admitted);
        usual = admitted;
        enough = 1;
        restMs = wait;
        continue;
      }
      usual = admitted;
      if (isAll) burst = admitted;
      enough += 1;
      if (!isLong) restMs = Math.max(Number.isFinite(restMs) ? restMs : 0, isAll ? before.wait : wait);
      burst = Math.max(burst, admitted);
      if (isBelieved(told)) wait = Math.max(wait, told + guardMs);
      continue;
    }
    before = { admitted, wait };
    const grown = admitted === 0 ? 2 : Math.min(30, Math.max(1.9, (1.25 * burst) / admitted));
    const isStatedBetween = statedMs !== undefined && wait < statedMs && statedMs < wait * grown;
    const next = isStatedBetween ? statedMs + guardMs : wait * grown;
    wait = isBelieved(told)
      ? Math.max(next, told + guardMs)
      : told === undefined || next < told
        ? next
        : told + guardMs;
    restMs = Number.POSITIVE_INFINITY;
    enough = 0;
  }
  return { calls: all, burst, restMs: enough === 0 ? Number.POSITIVE_INFINITY : restMs * 1.15 + 100 };
}
