/** An exhausted key in disguise: whether what its requests say beside it brings it another account, or none. */
import { type Exchange, succeeded } from '../../model/exchange.ts';
import type { Disguised } from '../../model/limits-ask.ts';
import { isRefused, isTakenForStranger } from '../model/decision.ts';
import type { Probe } from '../model/trace.ts';
import {
  all,
  headers,
  type Kind,
  ofForms,
  ofRuns,
  others,
  repeating,
  withHeader,
  withQuery,
} from './disguise-kinds.ts';
import { type Ground, ifTimeIsLeft } from './ground.ts';
import { rests } from './groups.ts';
import { exhaust } from './neighbours.ts';
import type { Prober, RouteName } from './prober.ts';
import { untilRefused } from './rested.ts';

/** How many bursts of a rested key follow one that was admitted, each in a disguise of its own: another limit may be higher. */
const bursts = 5;
/** Each is a little less than an account holds: what was found may be a call too high. */
const ofBurst = 0.85;

/** Whose calls come back quickly is exhausted once more. */
const attempts = 3;

/** No value twice. */
export async function disguised(on: Ground): Promise<Disguised[]> {
  ifTimeIsLeft(on);
  const { options, route } = on;
  const seen: Disguised[] = [];
  let turn = 0;
  const next = (): number => {
    turn += 1;
    return turn;
  };
  await on.prober.sleep(on.restMs);
  // So that there is an earlier call, which was admitted.
  await on.prober.probe({ ...on.who, disguise: repeating }, route).ask();
  const further = route !== 'run' && options.routes.includes('run') ? (['run'] as const) : [];
  for (const asked of [route, ...further])
    seen.push(...(await wearingAll(on, asked, [...others, ...(asked === 'run' ? ofRuns : [])], next)));
  return seen;
}

/** All headers at once: where they gain nothing, none of them does. */
async function wearingAll(
  on: Ground,
  asked: RouteName,
  further: readonly Kind[],
  next: () => number,
  isServed = succeeded,
): Promise<Disguised[]> {
  const together = await wearing(on, asked, all, next, isServed);
  const seen: Disguised[] = [{ ...together, together: true }];
  const single = together.answers.every((each) => isRefused(each)) ? [] : headers.map(withHeader);
  for (const kind of [...single, ...further]) seen.push(await wearing(on, asked, kind, next, isServed));
  return seen;
}

/** What an address may be counted by besides itself. */
export async function disguisedAt(on: Ground): Promise<Disguised[]> {
  ifTimeIsLeft(on);
  let turn = 0;
  const next = (): number => {
    turn += 1;
    return turn;
  };
  await on.prober.sleep(on.restMs);
  return wearingAll(on, on.route, [withQuery, ...ofForms], next, isTakenForStranger);
}

/** Who is admitted is looked at again after a rest: what was asked before may have used up its addresses. */
async function wearing(
  on: Ground,
  asked: RouteName,
  kind: Kind,
  turn: () => number,
  isServed = succeeded,
): Promise<Disguised> {
  const first = await worn(on, asked, kind, turn, 0, isServed);
  if (first.answers.length === 0 || !first.answers.every(isServed)) return first;
  await on.prober.sleep(rests * on.restMs);
  return worn(on, asked, kind, turn, bursts, isServed);
}

async function worn(
  on: Ground,
  asked: RouteName,
  { name, as }: Kind,
  turn: () => number,
  most: number,
  isServed: (exchange: Exchange) => boolean,
): Promise<Disguised> {
  const { prober, who, burst } = on;
  const own = prober.probe(who, asked);
  const inDisguise = async (calls: number): Promise<Exchange[]> =>
    prober.of(await prober.probe({ ...who, disguise: as(turn(), asked) }, asked).askMany(calls));
  let before: Exchange[] = [];
  for (let attempt = 0; attempt < attempts && (before.length === 0 || !before.every(isRefused)); attempt += 1) {
    await exhaust(on);
    // A limit of its own, perhaps; if it has none, that is another rule's concern.
    if (asked !== on.route && !prober.of([await own.ask()]).every(isRefused))
      await untilRefused(prober, who, asked, 2 * burst + 10, Math.ceil(burst / 2));
    before = prober.of(await own.askMany(2));
  }
  const began = prober.now();
  const answers = before.every(isRefused) ? await inDisguise(2) : [];
  const more: Exchange[][] = [];
  const size = Math.max(1, Math.floor(burst * ofBurst));
  let isIn = answers.length > 0 && answers.every(isServed);
  while (isIn && more.length < most && prober.leftRequests > 4 * burst) {
    const wave = await inDisguise(size);
    more.push(wave);
    isIn = wave.every(isServed);
  }
  const took = prober.now() - began;
  const after = answers.length === 0 ? [] : prober.of(await own.askMany(2));
  const isUnclear = isIn && more.length > 0 && !after.every(isRefused);
  return {
    other: name,
    request: asked,
    before,
    answers,
    bursts: more,
    after,
    ...(isUnclear && { control: await inAsMuchTime(prober, own, more.length, size, took) }),
  };
}

/** Whose calls come back quickly is admitted now and then: as it is, an exhausted key gets no more than that in the same time. */
async function inAsMuchTime(prober: Prober, own: Probe, waves: number, size: number, ms: number): Promise<Exchange[]> {
  const calls: Exchange[] = [];
  const began = prober.now();
  for (let wave = 0; wave <= waves; wave += 1) {
    await prober.sleep(Math.max(0, began + (wave * ms) / waves - prober.now()));
    calls.push(...prober.of(await own.askMany(size)));
  }
  return calls;
}
