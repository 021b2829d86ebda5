/** The same calls one after another, and at the same time: a limit that looks before it counts holds for the first alone. */
import type { Exchange } from '../../model/exchange.ts';
import type { LimitsAsk, Paces } from '../../model/limits-ask.ts';
import { admittedIn, isRefused, toldMsBy } from '../model/decision.ts';
import { excessOf, excessOfGoingOn } from '../model/excess.ts';
import { atOnce } from './at-once.ts';
import type { At } from './crews.ts';
import type { Ground, Once } from './ground.ts';
import { exhaust } from './neighbours.ts';
import { newKeys } from './new-keys.ts';

/** One call may be late by chance: an excess must show each time. */
const rounds = 4;

/** How much room is left for the wave. */
const room = 2;

/** If refusals forgive, most of the following calls are admitted; if some calls are not counted, a part of them, of which few may be seen. */
const suspicious = 0.5;
const suspiciousCalls = 2;
/** Of the calls that are left: a flood for a part alone must be small. */
const floodShare = 0.5;
const partShare = 1 / 15;

/** More copies of a service than half of this behind one address are not expected. */
const floods = 16;

/** By chance, one of this many is admitted in addition. */
const goings = 3;

/** `goesOn`: whether going on after a refusal is compared with a pause. */
export async function paces(on: Ground, goesOn = true): Promise<Paces> {
  const inTurn = [{ calls: await oneByOne(on) }];
  const seen: Paces['atOnce'][number][] = [];
  const met = inTurn[0]!.calls.findIndex(isRefused);
  if (met < 0) return { inTurn, atOnce: seen, flood: [], stubborn: [] };
  const further = inTurn[0]!.calls.slice(met);
  const admitted = admittedIn(further);
  const isMost = admitted >= suspicious * further.length;
  const flood = isMost || admitted >= suspiciousCalls ? await flooded(on, isMost ? floodShare : partShare) : [];
  let prime = Math.max(0, Math.min(met, on.burst) - room);
  for (let round = 0; round < rounds; round += 1) {
    const most = Math.max(...inTurn.map(({ calls }) => calls.findIndex(isRefused)));
    const one = await wave(on, prime, most - prime);
    seen.push(one);
    if (one.primed.some(isRefused)) prime = Math.floor(prime * 0.8);
    else if (excessOf(one) <= 0) break;
    else if (round === 0) inTurn.push({ calls: await oneByOne(on) });
  }
  return { inTurn, atOnce: seen, flood, stubborn: goesOn && !on.options.budget.quick ? await goingOn(on) : [] };
}

/** Of the calls and the time that are left. */
const runsShare = 0.05;
/** One alone, then one by one, then a wave at once: more are needed only where the first admits too many. */
const usualRests = 3;
/** Many of longer ones at the same time would be a load, and keep a service from answering anybody. */
const quickRunMs = 100;

/**
 * Runs and reads often have a handler, and a step that counts, of their own. Null where they were looked at already, take long, or the
 * budget is too small.
 */
async function pacesAt(route: 'read' | 'run', on: Ground, { inTurn }: Paces): Promise<Paces | null> {
  const { prober, options, burst } = on;
  // Where long waits are told, the time is for those.
  const restMs = Math.max(on.restMs, ...inTurn.flatMap(({ calls }) => calls.map(toldMsBy)));
  if (on.route === route || !options.routes.includes('run') || options.budget.quick) return null;
  if (usualRests * (burst + atOnce) > runsShare * prober.leftRequests) return null;
  if (usualRests * restMs > runsShare * prober.leftMs) return null;
  // A refusal would be quick, however long runs take.
  await prober.sleep(on.restMs);
  const { admitted, sentAt, headAt } = await prober.probe(on.who, route).ask();
  return admitted && headAt - sentAt <= quickRunMs ? paces({ ...on, route }, false) : null;
}

export function pacesOfKeys(
  once: Once,
  at: At,
): Pick<LimitsAsk, 'paces' | 'pacesOfRuns' | 'pacesOfReads' | 'pacesOfNew'> {
  const inPaces = once('paces', () => at('paces', (on) => paces(on)));
  /** First the usual ones, by whoever is asked for these. */
  const after = async <T>(use: (on: Ground, known: Paces) => Promise<T>): Promise<T> => {
    const known = await inPaces();
    return at('paces', (on) => use(on, known));
  };
  return {
    paces: inPaces,
    pacesOfRuns: once('paces of runs', () => after((on, known) => pacesAt('run', on, known))),
    pacesOfReads: once('paces of reads', () => after((on, known) => pacesAt('read', on, known))),
    pacesOfNew: once('paces of new keys', () => after(newKeys)),
  };
}

/** How many calls after a refusal, and as many times what a rested caller has. */
const callsOn = 160;
const floodsOfOne = 6;

/** Going on is compared with a pause of the same length; where it brings no more, once is enough. */
async function goingOn(on: Ground): Promise<Paces['stubborn'][number][]> {
  const { prober, who, route, burst, restMs } = on;
  const seen: Paces['stubborn'][number][] = [];
  const many = Math.max(callsOn, floodsOfOne * burst);
  const own = prober.probe(who, route);
  for (let round = 0; round < goings; round += 1) {
    if (prober.leftRequests < 6 * many || prober.leftMs < 6 * restMs) break;
    await prober.sleep(restMs);
    await exhaust(on);
    const began = prober.now();
    const calls = prober.of(await own.askMany(many));
    const took = prober.now() - began;
    await prober.sleep(restMs);
    await exhaust(on);
    await prober.sleep(took);
    const control = prober.of(await own.askMany(2 * burst));
    seen.push({ calls, control });
    if (excessOfGoingOn(seen.at(-1)!, burst) <= 0) break;
  }
  return seen;
}

/** Refused so often in a row, and admitted since then: whether that is more than a new window admits takes as many calls. */
const inARow = 10;
const newWindows = 2;

function isLetInAgain(calls: readonly Exchange[], burst: number): boolean {
  const last = calls.findLastIndex(isRefused);
  const own = calls.findIndex(isRefused);
  const isLong = last >= inARow && calls.slice(last - inARow + 1, last + 1).every(isRefused);
  return isLong && calls.length - last - 1 > 0 && calls.length - last - 1 <= newWindows * Math.max(own, burst);
}

async function oneByOne({ prober, who, route, burst, restMs }: Ground): Promise<Exchange[]> {
  await prober.sleep(restMs);
  const probe = prober.probe({ ...who, afresh: true }, route);
  const calls: Exchange[] = [];
  let after = 0;
  const most = 12 * burst + 50;
  while (calls.length < most && (after < atOnce || isLetInAgain(calls, burst))) {
    const [one] = prober.of([await probe.ask()]);
    calls.push(one!);
    if (after > 0 || isRefused(one!)) after += 1;
  }
  return calls;
}

async function wave(
  { prober, who, route, restMs }: Ground,
  prime: number,
  left: number,
): Promise<Paces['atOnce'][number]> {
  await prober.sleep(restMs);
  const probe = prober.probe(who, route);
  const primed = prime === 0 ? [] : prober.of(await probe.askMany(prime));
  if (primed.some(isRefused)) return { primed, left, wave: [] };
  return { primed, left, wave: prober.of(await probe.askMany(atOnce)) };
}

async function flooded({ prober, who, route, burst, restMs }: Ground, most: number): Promise<Exchange[]> {
  const wanted = floods * burst + 20;
  if (wanted > most * prober.leftRequests) return [];
  await prober.sleep(restMs);
  return prober.of(await prober.probe(who, route).askMany(wanted));
}
