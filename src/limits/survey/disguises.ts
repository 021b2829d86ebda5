/** An exhausted key in disguise: whether what its requests say beside it brings it another account, or none. */
import { type Exchange, succeeded } from '../../model/exchange.ts';
import type { Disguised } from '../../model/limits-ask.ts';
import type { Key } from '../../model/subject.ts';
import { isRefused, isTakenForStranger } from '../model/decision.ts';
import type { Probe } from '../model/trace.ts';
import type { Place, RouteName } from './call.ts';
import { forAddresses, forKeys, forRuns, type Kind, type Kinds, repeating, together } from './disguise-kinds.ts';
import { type Ground, ifTimeIsLeft } from './ground.ts';
import { rests } from './groups.ts';
import { exhaust } from './neighbours.ts';
import type { Prober } from './prober.ts';
import { untilRefused } from './rested.ts';
import { roomAt, waitAt } from './room.ts';

/** How many bursts of a rested key follow one that was admitted, each in a disguise of its own: another limit may be higher. */
const bursts = 5;
/** Each is a little less than an account holds: what was found may be a call too high. */
const ofBurst = 0.85;

/** As a rule the key is still exhausted by what was asked before. */
const few = 5;

/** Whose calls come back quickly is exhausted once more. */
const attempts = 3;

/** Keys that have accounts of their own, and where the exhausted one may call from. */
export interface Beside {
  readonly others: readonly Key[];
  readonly places: readonly Place[];
}

/** No value twice. */
export async function disguised(on: Ground, beside: Beside): Promise<Disguised[]> {
  ifTimeIsLeft(on);
  const { options, route } = on;
  const seen: Disguised[] = [];
  const [next, nextPlace] = [counting(), counting()];
  await on.prober.sleep(on.restMs);
  // So that there is an earlier call, which was admitted.
  await on.prober.probe({ ...on.who, disguise: repeating }, route).ask();
  const further = route !== 'run' && options.routes.includes('run') ? (['run'] as const) : [];
  for (const asked of [route, ...further]) {
    const kinds = asked === 'run' ? forRuns : forKeys;
    seen.push(...(await wearingAll({ on, asked, next, nextPlace, ...beside, isServed: succeeded }, kinds)));
  }
  return seen;
}

function counting(): () => number {
  let turn = 0;
  return () => {
    turn += 1;
    return turn;
  };
}

/** What an address may be counted by besides itself. */
export async function disguisedAt(on: Ground): Promise<Disguised[]> {
  ifTimeIsLeft(on);
  await on.prober.sleep(on.restMs);
  const { route: asked } = on;
  return wearingAll(
    { on, asked, next: counting(), nextPlace: counting(), others: [], places: [], isServed: isTakenForStranger },
    forAddresses,
  );
}

interface Wearer extends Beside {
  readonly on: Ground;
  readonly asked: RouteName;
  readonly next: () => number;
  readonly nextPlace: () => number;
  readonly isServed: (exchange: Exchange) => boolean;
}

/**
 * Where all at once gain nothing, none of them does; else each half of them is asked, down to those that make the difference. Those
 * that got no answer are not asked apart: that the key does not stay refused, or its address does, is no matter of what it says.
 */
async function wearingAll(wearer: Wearer, { atOnce, alone }: Kinds): Promise<Disguised[]> {
  const seen: Disguised[] = [];
  const wear = async (kind: Kind, isGroup: boolean, most: number): Promise<boolean> => {
    const came = await witnessed(wearer, kind, most);
    seen.push(isGroup ? { ...came, together: true } : came);
    return !came.answers.every(isRefused);
  };
  const halve = async (kinds: readonly Kind[], most = 0): Promise<void> => {
    const [first, ...more] = kinds;
    if (more.length === 0) await wear(first!, false, bursts);
    else if (await wear(together(kinds), true, most)) {
      const half = Math.ceil(kinds.length / 2);
      await halve(kinds.slice(0, half));
      await halve(kinds.slice(half));
    }
  };
  await halve(atOnce, bursts);
  for (const kind of alone) await wear(kind, false, bursts);
  return seen;
}

/** Whose address is exhausted is refused whatever it says: then it is no answer, and is asked again after a rest. */
async function witnessed(wearer: Wearer, kind: Kind, most: number): Promise<Disguised> {
  const { on, others, places, nextPlace } = wearer;
  for (let attempt = 1; ; attempt += 1) {
    // Each from another place, so that no place is asked too often.
    const place = places[nextPlace() % Math.max(1, places.length)];
    const there: Wearer = { ...wearer, on: { ...on, who: { ...on.who, ...place } } };
    const came = await wearing(there, kind, most);
    const isOpen = others.length === 0 || !came.answers.every(isRefused) || (await isServedThere(there));
    if (isOpen) return came;
    if (attempt === attempts) return { ...came, answers: [] };
    await on.prober.sleep(on.restMs);
  }
}

/** Any key but the exhausted one: the first may have spent what is its own. */
async function isServedThere({ on: { prober, who }, asked, others }: Wearer): Promise<boolean> {
  // The highest plans have the most.
  for (const key of others.toReversed()) {
    const [answer] = prober.of([await prober.probe({ ...who, keys: [key] }, asked).ask()]);
    if (!isRefused(answer!)) return true;
  }
  return false;
}

/** Who is admitted is looked at again after a rest: what was asked before may have used up its addresses. */
async function wearing(wearer: Wearer, kind: Kind, most: number): Promise<Disguised> {
  const { on, isServed } = wearer;
  const first = await worn(wearer, kind, 0);
  if (most === 0 || first.answers.length === 0 || !first.answers.every(isServed)) return first;
  await on.prober.sleep(rests * on.restMs);
  return worn(wearer, kind, most);
}

async function worn(
  { on, asked, next, places, isServed }: Wearer,
  { name, as }: Kind,
  most: number,
): Promise<Disguised> {
  const { prober, who, burst } = on;
  const own = prober.probe(who, asked);
  const room = async (calls: number, there = who) => (who.keys[0] === null ? undefined : roomAt(on, there, calls));
  const inDisguise = async (calls: number, there = who): Promise<Exchange[]> =>
    prober.of(await prober.probe({ ...there, disguise: as(next(), asked) }, asked).askMany(calls));
  const once = async (): Promise<Exchange[]> => prober.of([await own.ask()]);
  let before: Exchange[] = [];
  for (let attempt = 0; attempt < attempts && (before.length === 0 || !before.every(isRefused)); attempt += 1) {
    await room(few);
    await exhaust(on);
    before = await once();
    // A limit of its own, perhaps; if it has none, that is another rule's concern.
    if (asked === on.route || before.every(isRefused)) continue;
    await untilRefused(prober, who, asked, 2 * burst + 10, Math.ceil(burst / 2));
    before = await once();
  }
  const began = prober.now();
  const answers = before.every(isRefused) ? await inDisguise(1) : [];
  if (answers.some((each) => !isRefused(each))) answers.push(...(await inDisguise(1)));
  const more: Exchange[][] = [];
  const size = Math.max(1, Math.floor(burst * ofBurst));
  let isIn = answers.length > 0 && answers.every(isServed);
  while (isIn && more.length < most && prober.leftRequests > 4 * burst) {
    // While room is waited for, the key as it is gets more, too.
    const there = [who, ...places.map((place) => ({ ...who, ...place }))].find(
      (each) => waitAt(on, each, size + 2) === 0,
    );
    await room(size + 2, there);
    const wave = await inDisguise(size, there);
    more.push(wave);
    isIn = wave.every(isServed);
  }
  const took = prober.now() - began;
  const after = isIn ? prober.of(await own.askMany(2)) : [];
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
