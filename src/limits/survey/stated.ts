/**
 * What a profile states for plans, tried without any model: a key that calls more slowly than its plan is never refused by its own
 * limit, and one that never rests gets no more than a few windows of it hold.
 */
import { Inapplicable } from '../../model/ask.ts';
import type { Exchange } from '../../model/exchange.ts';
import type { Neighbours, StatedPace } from '../../model/limits-ask.ts';
import { atOnceOf, type Key, type StatedLimit } from '../../model/subject.ts';
import { cellOf } from '../model/cells.ts';
import { isShort } from '../model/crews.ts';
import { isRefused } from '../model/decision.ts';
import type { RouteName, Who } from './call.ts';
import type { Ground, SurveyOptions } from './ground.ts';
import { atOnePlaceIfApart } from './near.ts';
import type { Prober } from './prober.ts';

/** Of the stated pace: slow enough for clocks and networks that are no better than usual. */
export const gently = 0.85;
/** Times the stated pace, at most, and of what the addresses take, where that is stated: they may count refused calls. */
const hard = 3;
const hardRoom = 0.85;
/** So many stated windows long is each of the two. */
const windows = 3;
const fewAtOnce = 3;
const longGapMs = 100;
const fewest = 8;
/** Calls that show that a refusal has no other reason, next to those that are refused. */
export const mostBeside = 8;
/** Of what is left of the budget. */
const share = 0.3;
/** Of the time, where windows are long for it: what is stated is then decided best by this. */
const shareInHaste = 0.5;
/** Of what the addresses take: other keys call from them too. */
const room = 0.6;
const rests = 1.5;

interface Asked {
  readonly key: Key;
  readonly stated: StatedLimit;
}

/** Who has so few calls at once may be refused for two calls that arrive close together. */
export const isUneven = (atOnce: number, gapMs: number): boolean => atOnce < fewAtOnce && gapMs < longGapMs;

const callsFor = ({ requests }: StatedLimit): number =>
  Math.max(fewest, Math.ceil(windows * gently * requests)) + Math.ceil(windows * hard * requests);

/** One key of each plan, all at once. Another key is asked beside one that is refused, if possible one that is not looked at. */
export async function pacedAsStated(all: Ground, near: Neighbours): Promise<StatedPace[]> {
  const on: Ground = { ...all, options: atOnePlaceIfApart(all.options, near.rounds) };
  const { prober, options } = on;
  const { tierKeys, keys, statedFor } = options;
  const stated = (tierKeys.length === 0 ? [on.key] : tierKeys).flatMap((key): Asked[] => {
    const limit = statedFor(key);
    return limit === undefined ? [] : [{ key, stated: limit }];
  });
  if (stated.length === 0) throw new Inapplicable('the profile states no limit for the plans of its keys');
  const apart = cellOf(near.rounds, 'another key at the same address') === 'apart';
  if (!apart || keys.length < 2)
    throw new Inapplicable('no other key shows whether a refusal is of a key or of its address; add keys');
  const asked = affordable(on, stated);
  if (asked.length === 0)
    throw new Inapplicable(
      'the stated windows are too long, or too large, for the budget; raise limits: { max_seconds }',
    );
  const isAsked = (key: Key): boolean => asked.some((each) => each.key === key);
  const free = keys.find((key) => !isAsked(key));
  if (free !== undefined) return paced(on, asked, () => free);
  // Where one is refused, a few calls more of another one do no harm.
  const another = (own: Key): Key => keys.findLast((key) => key !== own)!;
  return options.withMore(prober.spend, on.key.tier, 1, async ([made]) =>
    paced(on, asked, (own) => made ?? another(own)),
  );
}

async function paced(on: Ground, asked: readonly Asked[], besideOf: (own: Key) => Key): Promise<StatedPace[]> {
  const { prober, options } = on;
  const longest = Math.max(on.restMs * rests, ...asked.map(({ stated: { perMs } }) => perMs));
  await prober.sleep(longest);
  const below = await Promise.all(asked.map(async (each) => slowly(on, each, besideOf(each.key))));
  const pace = asked.reduce((sum, { stated: { requests, perMs } }) => sum + requests / perMs, 0);
  const times = Math.min(hard, (hardRoom * addressPace(options)) / pace);
  const beyond = await Promise.all(asked.map(async (each) => hastily(on, each, times)));
  const withPauses = await Promise.all(pausing(on, asked).map(async (each) => inBursts(on, each)));
  return [...below, ...beyond, ...withPauses];
}

/** Of a stated window: who forgets a key that is silent for less than that forgets it each time. */
const pauseShare = 0.45;
const bursts = Math.ceil((windows + 1) / pauseShare);
/** Of what is left of the calls, and of the time. */
const burstsShare = 0.04;
const burstsTimeShare = 0.1;

/** Those whose bursts the addresses take, all at once; the lowest plans first. */
function pausing({ prober, options }: Ground, asked: readonly Asked[]): readonly Asked[] {
  let calls = burstsShare * prober.leftRequests;
  let pace = hardRoom * addressPace(options);
  return asked.filter(({ stated }) => {
    calls -= bursts * atOnceOf(stated);
    pace -= atOnceOf(stated) / (pauseShare * stated.perMs);
    return calls > 0 && pace > 0 && (windows + 1) * stated.perMs < burstsTimeShare * prober.leftMs;
  });
}

async function inBursts({ prober, options, route }: Ground, { key, stated }: Asked): Promise<StatedPace> {
  const probe = prober.probe({ keys: [key], spread: options.spread }, route);
  const calls: Exchange[] = [];
  for (let burst = 0; burst < bursts; burst += 1) {
    if (burst > 0) await prober.sleep(pauseShare * stated.perMs);
    calls.push(...prober.of(await probe.askMany(atOnceOf(stated))));
  }
  return { ...callerOf(key, route), pace: 'beyond', calls, beside: [] };
}

/** The lowest plans first, as far as time, calls and addresses go. */
function affordable({ prober, options, burst, restMs, key }: Ground, all: readonly Asked[]): readonly Asked[] {
  const own = all.find((each) => each.key === key)?.stated;
  // Who is known to take few calls at once, and whose plan says many, is no window and no bucket.
  const atOnce = ({ requests }: StatedLimit): number => (own === undefined ? burst : (burst * requests) / own.requests);
  let calls = share * prober.leftRequests;
  const timeMs = (isShort(restMs, prober.leftMs) ? shareInHaste : share) * prober.leftMs;
  let pace = room * addressPace(options);
  return all.filter(({ stated }) => {
    const gapMs = stated.perMs / (gently * stated.requests);
    const takesMs = 2 * windows * stated.perMs + Math.max(stated.perMs, rests * restMs);
    calls -= callsFor(stated);
    pace -= (gently * stated.requests) / stated.perMs;
    return !isUneven(atOnce(stated), gapMs) && takesMs <= timeMs && calls > 0 && pace > 0;
  });
}

/** Calls a millisecond that all addresses together take. */
const addressPace = ({ addressLimit, spread }: SurveyOptions): number =>
  addressLimit === undefined ? Number.POSITIVE_INFINITY : (spread.length * addressLimit.requests) / addressLimit.perMs;

/** Never closer together than that: calls that are late are not made up for. */
export async function steadily(
  prober: Prober,
  count: number,
  gapMs: number,
  one: (call: number) => Promise<Exchange>,
): Promise<Exchange[]> {
  const answers: Promise<Exchange>[] = [];
  for (let call = 0; call < count; call += 1) {
    const answer = one(call);
    answer.catch(() => {});
    answers.push(answer);
    await prober.sleep(gapMs);
  }
  return Promise.all(answers);
}

async function slowly(on: Ground, { key, stated }: Asked, other: Key): Promise<StatedPace> {
  const { prober, options, route } = on;
  const places = options.spread;
  const count = Math.max(fewest, Math.ceil(windows * gently * stated.requests));
  const gapMs = stated.perMs / (gently * stated.requests);
  const beside: { refused: Exchange; answer: Exchange }[] = [];
  let nextBeside = 0;
  const calls = await steadily(prober, count, gapMs, async (call) => {
    const place = places[call % places.length]!;
    const came = await askOnce(prober, { keys: [key], ...place }, route);
    if (!isRefused(came) || beside.length >= mostBeside || prober.now() < nextBeside) return came;
    // Seldom enough for the limit of the other one.
    nextBeside = prober.now() + stated.perMs / 3;
    beside.push({ refused: came, answer: await askOnce(prober, { keys: [other], ...place }, route) });
    return came;
  });
  return { ...callerOf(key, route), pace: 'below', calls, beside };
}

async function hastily({ prober, options, route }: Ground, { key, stated }: Asked, times: number) {
  const count = Math.ceil(windows * times * stated.requests);
  const probe = prober.probe({ keys: [key], spread: options.spread }, route);
  const calls = prober.of(await probe.askMany(count, stated.perMs / (times * stated.requests)));
  return { ...callerOf(key, route), pace: 'beyond' as const, calls, beside: [] };
}

const callerOf = (key: Key, route: RouteName) => ({
  sort: 'a live key',
  caller: key.name,
  tier: key.tier ?? null,
  route,
});

export async function askOnce(prober: Prober, who: Who, route: RouteName): Promise<Exchange> {
  return prober.of([await prober.probe(who, route).ask()])[0]!;
}
