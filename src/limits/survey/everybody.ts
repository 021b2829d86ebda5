/**
 * Everybody in turn: each sort of key of each plan, at another route in each round, until it is refused, and then as long as it is
 * told. Where the profile states what plans have, that needs no model, and only a few of the stated windows.
 */
import { Inapplicable, Inconclusive } from '../../model/ask.ts';
import { type Exchange, succeeded } from '../../model/exchange.ts';
import type { EarlyCall, Turn, Wait } from '../../model/limits-ask.ts';
import { atOnceOf, type StatedLimit } from '../../model/subject.ts';
import { decisionOf, isRefused, toldMsBy } from '../model/decision.ts';
import { secondsTold } from '../model/retry-header.ts';
import { data } from './beside.ts';
import type { RouteName, Who } from './call.ts';
import { addressStated, type Ground } from './ground.ts';
import { guardMs, unlessOver } from './manners.ts';
import type { Prober } from './prober.ts';
import { untilRefused } from './rested.ts';
import type { Sorted } from './sorts.ts';

/** Of the time and of the calls that are left. */
const timeShare = 0.3;
const callsShare = 0.12;
/** Where so many windows are left, other rules have the time for all of their experiments, and need the calls. */
const manyWindows = 60;
const callsShareThen = 0.03;
const fewestRounds = 2;
/** Of what addresses take: callers without a key are looked at there too. */
const room = 0.6;
/** A window and a full bucket, a fifth more, and a few calls: more than that nothing stated explains. */
const times = 2.6;
/** Test keys may have a limit of their own. */
const timesOfTest = 6;
const few = 8;
/** Between two rounds, in stated windows. */
const rest = 1.1;
/** Actors that not every key may run. */
const furthest = 2;
/** Who waited in vain is asked again, rested: that takes long. */
const enough = 2;
/** A token may come while the last call is asked. */
const moreAlone = 3;
/** Of the wait that is told; and so many calls then. */
const laterShare = 0.6;
const insisting = 24;
/** A wait this much longer than the stated window is looked at before it is over. */
const farTooLong = 2.5;
const leastLongMs = 5000;

interface Stated extends Sorted {
  readonly stated: StatedLimit;
}

interface Account extends Stated {
  readonly who: Who;
}

type Asking = Pick<Account, 'who' | 'stated' | 'sort'>;

/** Where it has the limit that is stated, and where it has none. */
const callsOf = ({ stated }: Pick<Asking, 'stated'>): number => atOnceOf(stated) + few;
const mostOf = ({ stated, sort }: Asking): number =>
  Math.ceil((sort.includes('test') ? timesOfTest : times) * atOnceOf(stated)) + few;

type Asked = Turn & Pick<Account, 'who' | 'stated'> & { readonly goOn: boolean };

export async function everybody(on: Ground): Promise<Turn[]> {
  const { prober, options } = on;
  if (options.budget.quick) throw new Inapplicable('--quick ends after the experiments that it needs');
  return options.withSorts(prober.spend, async (sorted) => {
    const longestMs = timeShare * prober.leftMs;
    const fitting = sorted.flatMap((each): Stated[] => {
      const stated = options.statedFor(each.key);
      return stated !== undefined && rest * stated.perMs <= longestMs ? [{ ...each, stated }] : [];
    });
    const longest = Math.max(...fitting.map(({ stated }) => stated.perMs));
    const most = (prober.leftMs >= manyWindows * longest ? callsShareThen : callsShare) * prober.leftRequests;
    const accounts = affordable(on, fitting, most / fewestRounds);
    if (accounts.length === 0)
      throw new Inapplicable(
        'the stated windows are too long, or too large, for the budget; raise limits: { max_seconds }',
      );
    const windowMs = rest * longest;
    const calls = accounts.reduce((sum, each) => sum + callsOf(each), 0);
    const routes = routesOf(on);
    const rounds = Math.min(longestMs / windowMs, most / calls, routes.length + 1);
    const asked: Asked[] = [];
    const patience = { windowMs, longestMs };
    const all = Math.max(1, Math.floor(rounds));
    for (let round = 0; round < all; round += 1) {
      const first = Math.floor((round * accounts.length) / all);
      asked.push(...(await orSoFar(asked, roundOf(on, accounts, routes, { round, first }, patience))));
    }
    return [...asked.map(turnOf), ...(await orSoFar(asked, waitingAgain(on, asked, patience)))];
  });
}

const turnOf = ({ who: _, stated: __, goOn: ___, ...turn }: Asked): Turn => turn;

/** What is known of some stays known where the budget ends. */
async function orSoFar<T>(known: readonly unknown[], next: Promise<T[]>): Promise<T[]> {
  try {
    return await next;
  } catch (error) {
    if (known.length === 0 || !(error instanceof Inconclusive)) throw error;
    return [];
  }
}

interface Patience {
  readonly windowMs: number;
  readonly longestMs: number;
}

/** One after the other until they are refused, and all at the same time while they wait. */
async function roundOf(
  on: Ground,
  accounts: readonly Account[],
  routes: readonly RouteName[],
  { round, first }: { readonly round: number; readonly first: number },
  { windowMs, longestMs }: Patience,
): Promise<Asked[]> {
  const { prober } = on;
  await prober.sleep(round === 0 ? windowMs : 0);
  const turns: Promise<Asked>[] = [];
  const plans = new Set<string | undefined>();
  /** Going on takes calls that addresses must have, too. */
  const isFirstOfPlan = ({ key: { tier } }: Account): boolean => !plans.has(tier) && plans.add(tier) !== undefined;
  for (let at = 0; at < accounts.length; at += 1) {
    // Another one comes first in each round, and each comes to another route.
    const nth = (at + first) % accounts.length;
    const account = accounts[nth]!;
    const route = routes[(nth + round) % routes.length]!;
    const calls = await untilShut(on, account, route);
    const { sort, key, who, stated } = account;
    const goOn = round % 2 === 1 && isFirstOfPlan(account);
    const turn = { sort, caller: key.name, tier: key.tier ?? null, route, round, calls, who, stated, goOn };
    const came = waits(on, account, route, calls, { longestMs, goOn }).then((each): Asked => ({ ...turn, ...each }));
    came.catch(() => {});
    turns.push(came);
  }
  const restedAt = prober.now() + windowMs;
  const seen = await Promise.allSettled(turns);
  if (!prober.isDistressed) await prober.sleep(Math.max(0, restedAt - prober.now()));
  return seen.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
}

/** Who waited in vain waits again in the same way, alone and rested. */
async function waitingAgain(on: Ground, asked: readonly Asked[], { longestMs }: Patience): Promise<Turn[]> {
  const inVain = asked.filter(({ wait }) => wait?.answer && wait.why === null && isRefused(wait.answer));
  const turns: Turn[] = [];
  for (const one of [...new Map(inVain.map((each) => [each.caller, each])).values()].slice(0, enough)) {
    const { route, goOn, stated } = one;
    await on.prober.sleep(2 * rest * stated.perMs);
    const calls = await untilShut(on, one, route as RouteName);
    const { wait, early } = await waits(on, one, route as RouteName, calls, { longestMs, goOn });
    const round = asked.length + turns.length;
    turns.push({ ...turnOf(one), round, calls, early, wait: wait && { ...wait, rested: true } });
  }
  return turns;
}

/** As many as a round and each address bear; where there is room for fewer, one of each sort and plan comes first. */
function affordable({ options }: Ground, all: readonly Stated[], most: number): readonly Account[] {
  const { spread, addressLimit } = options;
  const atAddress = room * (addressStated(options) ?? Number.POSITIVE_INFINITY);
  const places = spread.map((place) => ({ place, left: atAddress, own: 0 }));
  let left = most;
  const byKind = [...Map.groupBy(all, ({ sort, key }) => `${sort} ${key.tier}`).values()];
  const inTurn = [...byKind.flatMap((own) => own.slice(0, 1)), ...byKind.flatMap((own) => own.slice(1))];
  return inTurn.flatMap((one): Account[] => {
    // The emptiest, and of those that take any number of calls the one with the fewest keys.
    const [at] = places.toSorted((a, b) => (a.left === b.left ? a.own - b.own : b.left - a.left));
    const takes = callsOf(one);
    const takesThere = takes * Math.max(1, (addressLimit?.perMs ?? 0) / one.stated.perMs);
    if (at === undefined || takesThere > at.left || takes > left) return [];
    left -= takes;
    at.left -= takesThere;
    at.own += 1;
    return [{ ...one, who: { keys: [one.key], ...at.place } }];
  });
}

/** Data routes, and actors that not every key may run. */
function routesOf({ options: { routes, further } }: Ground): readonly RouteName[] {
  return routes.includes('run') ? [...data, ...further.slice(0, furthest), 'HEAD'] : routes;
}

/** Until it is refused; the last call was alone. */
async function untilShut({ prober }: Ground, account: Asking, route: RouteName): Promise<Exchange[]> {
  const { who, stated } = account;
  const calls = await untilRefused(prober, who, route, mostOf(account), Math.ceil(atOnceOf(stated) / 4));
  // What looks like distress may be how this one is refused: each is left alone after a few such answers.
  if (prober.isDistressed && calls.some(succeeded)) prober.forgive();
  if (calls.some(isRefused)) calls.push(...(await alone(prober, who, route)));
  return calls;
}

/** One call after the other, until one is refused: a token may come while it is asked. */
async function alone(prober: Prober, who: Who, route: RouteName): Promise<Exchange[]> {
  const own = prober.probe(who, route);
  const calls: Exchange[] = [];
  while (calls.length < moreAlone && !calls.some(isRefused)) calls.push(...prober.of([await own.ask()]));
  return calls;
}

/** Who goes on when most of the wait is over is told what is left then; the refusals of it may count. */
async function goingOn(prober: Prober, who: Who, route: RouteName, last: Exchange, many: number): Promise<Exchange> {
  await prober.sleep(Math.max(0, last.at.end + laterShare * toldMsBy(last) - prober.now()));
  const calls = prober.of(await prober.probe(who, route).askMany(many));
  calls.push(...(await alone(prober, who, route)));
  return calls.at(-1)!;
}

type Came = Pick<Turn, 'wait' | 'early'>;

/** One that is told nothing, or was refused otherwise, is asked again when the stated window is over. */
async function waits(
  { prober }: Ground,
  { who, stated }: Pick<Account, 'who' | 'stated'>,
  route: RouteName,
  calls: readonly Exchange[],
  { longestMs, goOn }: { readonly longestMs: number; readonly goOn: boolean },
): Promise<Came> {
  let last = calls.at(-1);
  if (last === undefined || succeeded(last)) return { wait: null, early: null };
  const ask = async (afterMs: number): Promise<Exchange> => {
    await prober.sleep(Math.max(0, last!.at.end + afterMs + guardMs - prober.now()));
    return prober.of([await prober.probe(who, route).ask()])[0]!;
  };
  const of = (wait: Partial<Wait>): Came => ({
    wait: { refusal: last!, answer: null, rested: false, why: null, ...wait },
    early: null,
  });
  if (!isRefused(last)) return of({ answer: await ask(rest * stated.perMs), why: 'it was refused otherwise' });
  if (goOn && toldMsBy(last) > 0 && toldMsBy(last) <= longestMs)
    last = await goingOn(prober, who, route, last, Math.max(insisting, atOnceOf(stated)));
  const toldMs = toldMsBy(last);
  if (!(toldMs > 0) || secondsTold(decisionOf(last).retryAfter) === undefined)
    return of({ why: 'no wait was told that can be read' });
  if (toldMs >= Math.max(farTooLong * stated.perMs, leastLongMs)) {
    const early: EarlyCall = { refused: [last], answer: await ask(rest * stated.perMs) };
    return { ...of({ why: 'the wait is longer than the stated window' }), early };
  }
  if (toldMs > longestMs) return of({ why: 'the wait is longer than the patience' });
  const answer = await ask(toldMs);
  return of({ answer, why: unlessOver(prober, last, answer) });
}
