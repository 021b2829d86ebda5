/** Callers without a key: whether their limit is that of their address, and how it refuses. */
import type { Exchange } from '../../model/exchange.ts';
import type { Reconnected, Round, StrangersAsked, StrangersRefused } from '../../model/limits-ask.ts';
import { freshValue } from '../../random.ts';
import { isRefused } from '../model/decision.ts';
import type { RouteName, Who } from './call.ts';
import { addressStated, type Ground } from './ground.ts';
import { roundOf } from './neighbours.ts';
import type { Prober } from './prober.ts';

const most = 600;
const copies = 8;
const rounds = 2;
const episodes = 3;
/** How many are asked at once after a refusal, which it must refuse most of. */
const persistent = 8;

export interface OnConnections {
  readonly rounds: readonly Reconnected[];
  /** Sequential calls that met no limit. */
  readonly free: readonly Exchange[];
}

/** On one connection until it is refused; then, by lot, on that one and on new ones. */
export async function strangersReconnecting(
  prober: Prober,
  random: () => number,
  who: Who,
  route: RouteName,
  letIn?: Exchange,
): Promise<OnConnections> {
  const single = prober.probe({ ...who, keys: [null], single: true }, route);
  const anew = prober.probe({ ...who, keys: [null], afresh: true }, route);
  const seen: Reconnected[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const exhausting: Exchange[] = [];
    const limit = Math.min(most, prober.leftRequests / 4);
    while (exhausting.length < limit && !exhausting.some(isRefused) && !prober.isDistressed)
      exhausting.push(...prober.of([await single.ask()]));
    if (!exhausting.some(isRefused)) return { rounds: seen, free: exhausting };
    const wanted = copies * exhausting.length + 10;
    const room = Math.min(wanted, Math.floor(prober.leftRequests / 3));
    const [kept, fresh]: [Exchange[], Exchange[]] = [[], []];
    while (fresh.length < room && fresh.filter(isRefused).length < 2) {
      const isNew = random() < 0.5;
      const [answer] = prober.of([await (isNew ? anew : single).ask()]);
      (isNew ? fresh : kept).push(answer!);
    }
    const before = exhausting.every(isRefused) ? letIn : undefined;
    seen.push({ ...(before && { before }), exhausting, kept, fresh, most: wanted });
    if (fresh.some(isRefused) && fresh.length < copies * (exhausting.length - 1)) break;
  }
  return { rounds: seen, free: [] };
}

/** The least pace of calls: a service that admits them all in sequence admits as many at once. */
const quickMs = 10;

/** A caller that was admitted often enough to expect no limit is asked less from then on. */
export function lettingInAlways({ free }: OnConnections): StrangersAsked | undefined {
  const [first] = free;
  const last = free.at(-1);
  if (first === undefined || last === undefined || free.length < most) return undefined;
  const isQuick = last.at.sent - first.at.sent < quickMs * most;
  return isQuick && free.every((each) => statusOf(each) === usual) ? { strangers: [], shown: [first] } : undefined;
}

/** A caller without a key is refused for that, unless something else comes first. */
const usual = 401;

const statusOf = ({ response }: Exchange): number => response?.status ?? 0;

/** Let in with one answer, then refused with another one that is no 429; after silence it starts again. */
export async function strangersRefused(prober: Prober, who: Who, route: RouteName): Promise<StrangersAsked> {
  const probe = prober.probe({ ...who, keys: [null] }, route);
  const seen: StrangersRefused[] = [];
  const shown: Exchange[] = [];
  const known = { strangers: seen, shown };
  if (!(await isLetAgain(prober, probe, shown))) return known;
  for (let episode = 0; episode < episodes; episode += 1) {
    prober.forgive();
    const let_: Exchange[] = [];
    let refused: Exchange[] = [];
    const limit = Math.min(most, prober.leftRequests / 4);
    for (let size = 4; let_.length < limit && refused.length === 0; size = Math.min(48, size * 2)) {
      const wave = prober.of(await probe.askMany(size));
      shown.push(...wave.filter(isRefused).slice(0, 1));
      if (wave.some(isRefused)) return known;
      refused = wave.filter((each) => statusOf(each) !== usual);
      let_.push(...wave.filter((each) => statusOf(each) === usual));
    }
    if (refused.length === 0) break;
    prober.forgive();
    const further = prober.of(await probe.askMany(persistent));
    const shut = further.filter((each) => statusOf(each) !== usual);
    // Now and then another answer is no limit.
    if (let_.length === 0 || shut.length * 2 < persistent) break;
    seen.push({ let: let_, refused: [...refused, ...shut] });
    if (!(await isLetAgain(prober, probe, shown))) break;
  }
  prober.forgive();
  return known;
}

/** Silence, until the usual answer is back; and then once more as long. */
async function isLetAgain(prober: Prober, probe: ReturnType<Prober['probe']>, shown: Exchange[]): Promise<boolean> {
  for (let pause = 500; pause <= 64_000 && pause < prober.leftMs * 0.2; pause *= 2) {
    await prober.sleep(pause);
    prober.forgive();
    const [answer] = prober.of([await probe.ask()]);
    shown.push(answer!);
    if (statusOf(answer!) === usual) {
      await prober.sleep(2 * pause);
      return true;
    }
  }
  return false;
}

const guessingRounds = 3;
/** In all rounds together: a bucket that fills up quickly lets in one call now and then, not all of these. */
const guesses = 8;

/** That nobody issued. Drawn apart from the lots of the run, which are those of the other experiments. */
const unknownKey = (): string => `vk_live_${freshValue().slice(0, 24).match(/.{8}/g)!.join('.')}`;

/** More than a small store of accounts has room for, and of each address no more than a few: many would shut it out. */
const crowd = 48;
const mostOfOne = 2;
/** Where it is stated what an address takes: the key that is exhausted calls from one, too. */
const shareOfOne = 0.4;

/** Nothing where there are too few addresses, or where they take too little. */
export async function strangersCrowding({ prober, options, route }: Ground): Promise<Exchange[]> {
  const { spread } = options;
  const ofOne = Math.max(mostOfOne, Math.floor(shareOfOne * (addressStated(options) ?? 0)));
  if (spread.length * ofOne < crowd) return [];
  const called = Array.from({ length: crowd }, (_, at) => {
    const { headers = [], ...place } = spread[at % spread.length]!;
    const who: Who = { ...place, keys: [null], headers: [...headers, ['X-API-Key', unknownKey()]] };
    return prober.probe(who, route).ask();
  });
  return prober.of(await Promise.all(called));
}

const guessed: readonly (readonly [name: string, invent: () => string])[] = [
  ['a key that nobody issued', unknownKey],
  // Refused for its looks, it may never come to what counts.
  ['a key of another service', () => unknownKey().replace('vk_live_', 'sk_live_')],
];

/** While callers without a key are refused at this address: calls with keys that nobody issued, another one in each round. */
export async function guessing(on: Ground): Promise<Round[]> {
  const all: Round[] = [];
  const size = Math.max(1, Math.min(4, Math.floor(on.burst / guessingRounds)));
  const rounds = Math.max(guessingRounds, Math.ceil(guesses / size));
  for (const [name, invent] of guessed) {
    const seen: Round[] = [];
    while (seen.length < rounds && !seen.some(({ answers }) => answers.some(isRefused))) {
      const who: Who = { ...on.who, headers: [...(on.who.headers ?? []), ['X-API-Key', invent()]] };
      seen.push(await roundOf(on, { name, who }, size, []));
    }
    all.push(...seen);
  }
  return all;
}
