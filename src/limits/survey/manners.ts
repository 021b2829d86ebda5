/** What a limit does to patient callers, to impatient ones, and to those who come back through another door. */
import type { Exchange } from '../../model/exchange.ts';
import type { LimitModel } from '../../model/limit-model.ts';
import type { OtherRefusal, Reconnected, Wait, Waits } from '../../model/limits-ask.ts';
import type { Key } from '../../model/subject.ts';
import { isRefused, toldMsBy } from '../model/decision.ts';
import { favoursNew } from '../model/excess.ts';
import { type Patience, patientTrial, type Trial } from '../model/retry.ts';
import type { RouteName, Who } from './call.ts';
import type { Ground, SurveyOptions } from './ground.ts';
import { exhaust } from './neighbours.ts';
import type { Prober } from './prober.ts';
import { callEarly, type Waiter, waitersWait } from './waiters.ts';

/** A timer may fire a little early, and clocks drift. */
export const guardMs = 25;

const fewWaits = 3;
/** Of the time that is left. */
const waitsShare = 0.12;

/** A refused trial is followed by more, after a rest: another limit may have refused it, because of earlier calls. */
const restedTrials = 8;

/** Who waits beside the first key: others of its plan in its stead, and those that may be told something else. */
export interface Company {
  readonly alikes: readonly Who[];
  readonly others: readonly Waiter[];
}

/** Others of the same plan wait next to the first: each trial is one key's alone. */
export async function waiting(on: Ground, planned: number, company?: Company): Promise<Waits> {
  // Where a rest takes long, fewer waits leave time for other rules.
  const affordable = Math.max(fewWaits, Math.floor((waitsShare * on.prober.leftMs) / on.restMs));
  const wanted = Math.min(planned, on.options.budget.quick ? fewWaits : affordable);
  // Another handler may say another time.
  const byRun = on.route !== 'run' && on.options.routes.includes('run') && wanted > 3 ? 2 : 0;
  const usual = wanted - byRun;
  const lanes = [on.who, ...(company?.alikes ?? [])].slice(0, Math.max(1, Math.floor(usual / 3)));
  const shares = lanes.map((_, lane) => Math.floor((usual + lane) / lanes.length));
  const waits = await Promise.all(lanes.map((who, lane) => trialsOf({ ...on, who }, shares[lane]!)));
  const runs = byRun === 0 ? [] : await trialsOf({ ...on, route: 'run' }, byRun);
  const others = await waitersWait(on, on.options.budget.quick ? [] : (company?.others ?? []));
  const trials = [...waits.flat(), ...runs];
  return { trials: [...trials, ...others], planned: wanted, early: await callEarly(on, trials) };
}

/** Which refusal counts: one that came alone after others, the first of all, or one after a part of its wait. */
const ways: readonly Pick<Patience, 'later' | 'byTheFirst'>[] = [
  {},
  { later: 'soon' },
  { byTheFirst: true },
  { later: 'in the last second' },
];

/** More are not sent one by one. */
const fewCalls = 60;

/** `before`: how many waits of it did not help already; then it is rested before each further one. */
export async function trialsOf(on: Ground, wanted: number, before = 0): Promise<Waits['trials'][number][]> {
  const { prober, who, route, burst } = on;
  const trials: Waits['trials'][number][] = [];
  const probe = prober.probe(who, route);
  let refused = before;
  for (let trial = 0; trial < wanted + (refused > 0 ? restedTrials : 0); trial += 1) {
    const rested = trial >= wanted;
    if (rested) {
      // A caller that is never admitted is never rested either.
      const restMs = Number.isFinite(on.restMs) ? 2 * on.restMs : 0;
      if (prober.leftMs < 2 * restMs) break;
      await prober.sleep(restMs);
    }
    const left = prober.leftMs;
    // The others want to be looked at too.
    const longestMs = trial === 0 ? left * 0.6 : left * 0.25;
    if (prober.leftRequests < 3 * burst + 20) break;
    const way = ways[trial % ways.length]!;
    const how = { longestMs, maxCalls: Math.ceil(3 * burst) + 16, guardMs, burst };
    const came = await patientTrial(probe, way.byTheFirst && burst > fewCalls ? how : { ...how, ...way });
    trials.push(written(prober, came, rested));
    if (came.came === 'refused') refused += 1;
    if (rested && came.came === 'refused' && refused > 1) break;
    if (came.came === 'inconclusive' && trial >= 2 && trials.every(({ answer }) => answer === null)) break;
  }
  return trials;
}

export function written(prober: Prober, trial: Trial, rested: boolean): Wait {
  const [refusal = null] = trial.refusal === undefined ? [] : prober.of([trial.refusal]);
  const [answer = null] = trial.answer === undefined ? [] : prober.of([trial.answer]);
  return { rested, refusal, answer, why: trial.why ?? unlessOver(prober, refusal, answer) };
}

/** So much longer, what a key was told before is the wait of another limit, and not this one rounded otherwise. */
const muchLonger = 1.5;
const muchLongerMs = 2000;

/** A key that was told far more at another address is not yet at the end of that wait, whatever it was told here. */
export function unlessOver(prober: Prober, refusal: Exchange | null, answer: Exchange | null): string | null {
  if (refusal === null || answer === null || !isRefused(answer)) return null;
  const here = prober.calls.findLast(({ exchange }) => exchange.id === answer.id)?.call;
  const untilOf = (each: Exchange): number => each.at.end + toldMsBy(each);
  const most = Math.max(untilOf(refusal) + muchLongerMs, refusal.at.end + muchLonger * toldMsBy(refusal));
  const isLonger = prober.calls.some(
    ({ call: { key, from, headers }, exchange }) =>
      here?.key != null &&
      key === here.key &&
      (from !== here.from || headers !== here.headers) &&
      isRefused(exchange) &&
      exchange.at.end < refusal.at.sent &&
      untilOf(exchange) > Math.max(most, answer.at.sent),
  );
  return isLonger ? 'at another address this key had been told a longer wait' : null;
}

/** Twice, at a few times the pace that the limit allows: once may be luck. */
export async function hammering(
  { prober, who, route, burst, restMs }: Ground,
  model: LimitModel,
): Promise<Exchange[][]> {
  const perSecond = model.perSecond?.high ?? (1000 * burst) / (model.windowMs?.low ?? 1000);
  const pace = Math.min(400, Math.max(50, 8 * perSecond));
  const forMs = Math.min(Math.max(1500, 1.5 * restMs), 15_000);
  const rounds: Exchange[][] = [];
  for (let round = 0; round < 2; round += 1) {
    await prober.sleep(restMs);
    const enough = Math.max(300, 5 * burst + 100);
    const calls = Math.ceil(Math.min((forMs * pace) / 1000 + burst, enough, prober.leftRequests / 3));
    if (calls < 2 * burst || prober.leftMs < 2 * forMs) break;
    rounds.push(prober.of(await prober.probe(who, route).askMany(calls, 1000 / pace)));
  }
  return rounds;
}

/** More copies of a service than this behind one address are not expected. */
const copies = 8;
const rounds = 2;

/** From one address after the other, at once: each has a limit of its own, which may stand behind one of the connection. */
const furtherRounds = 12;

/**
 * At random, because a token for every second call would admit the same half each time.
 */
export async function reconnecting(on: Ground): Promise<Reconnected[]> {
  const { prober, who, route, restMs, burst, options } = on;
  const seen: Reconnected[] = [];
  let began = 0;
  for (let round = 0; round < furtherRounds; round += 1) {
    const { spread, ...caller } = who;
    const isFurther = round > 0 && seen.every(favoursNew) && options.spread.length > round;
    const places = isFurther ? options.spread : spread;
    const from: Who = { ...caller, ...places?.[round % places.length] };
    const single = prober.probe({ ...from, single: true }, route);
    const anew = prober.probe({ ...from, afresh: true }, route);
    if (round >= rounds && !isFurther) break;
    if (isFurther && prober.now() - began > restMs / 2) break;
    if (!isFurther) await prober.sleep(restMs);
    if (round === 0) began = prober.now();
    const exhausting: Exchange[] = [];
    while (exhausting.length < 2 * burst + 50 && !exhausting.some(isRefused)) {
      exhausting.push(...prober.of([await single.ask()]));
    }
    if (!exhausting.some(isRefused)) break;
    const wanted = copies * exhausting.length + 10;
    const most = Math.min(wanted, Math.floor(prober.leftRequests / 3));
    const [kept, fresh]: [Exchange[], Exchange[]] = [[], []];
    while (fresh.length < most && fresh.filter(isRefused).length < 2) {
      const isNew = options.random() < (isFurther ? 0.75 : 0.5);
      const [answer] = prober.of([await (isNew ? anew : single).ask()]);
      (isNew ? fresh : kept).push(answer!);
    }
    seen.push({ ...(isFurther && { further: true }), exhausting, kept, fresh, most: wanted });
    if (favoursNew(seen.at(-1)!)) continue;
    if (fresh.some(isRefused) && fresh.length < copies * (exhausting.length - 1)) break;
  }
  return seen;
}

const everyRoute: readonly RouteName[] = ['verify', 'read', 'run'];

export async function routesRefused(on: Ground): Promise<{ request: string; answer: Exchange }[]> {
  const { prober, who, options } = on;
  const answers: { request: string; answer: Exchange }[] = [];
  for (const route of everyRoute) {
    if (route !== 'verify' && !options.routes.includes(route)) continue;
    await exhaust(on);
    answers.push({ request: route, answer: prober.of([await prober.probe(who, route).ask()])[0]! });
  }
  await exhaust(on);
  const nobody = prober.probe({ ...who, keys: [null] }, 'verify');
  answers.push({ request: 'verify without a key', answer: prober.of([await nobody.ask()])[0]! });
  return answers;
}

const episodes = 3;

/** Where calls were refused, but not with 429: whether that is a limit all the same. */
export async function otherRefusals(
  prober: Prober,
  { keys: [key, other], routes: [route], spread }: Pick<SurveyOptions, 'keys' | 'routes' | 'spread'>,
): Promise<OtherRefusal[]> {
  if (key === undefined || route === undefined) return [];
  const seen: OtherRefusal[] = [];
  // From many addresses: what one of them is refused is not the key's.
  const whoIs = (each: Key): Who => ({ keys: [each], spread });
  const own = prober.probe(whoIs(key), route);
  for (let episode = 0; episode < episodes; episode += 1) {
    prober.forgive();
    const rested = await untilAdmitted(prober, own);
    if (rested === undefined) break;
    const refused: Exchange[] = [];
    for (let size = 8; refused.length === 0 && size <= 256; size *= 2) {
      refused.push(...prober.of(await own.askMany(size)).filter((each) => !isGood(each)));
    }
    if (refused.length === 0) break;
    // Refusals by 503 are no distress here.
    prober.forgive();
    const again = prober.of([await own.ask()]);
    const otherKey = other === undefined ? null : prober.of([await prober.probe(whoIs(other), route).ask()])[0]!;
    seen.push({ rested, refused: [...refused.slice(0, 5), ...again], otherKey });
  }
  return seen;
}

const isGood = ({ response }: Exchange): boolean =>
  response !== undefined && response.status >= 200 && response.status < 300;

async function untilAdmitted(prober: Prober, own: ReturnType<Prober['probe']>): Promise<Exchange | undefined> {
  for (let pause = 500; pause <= 64_000 && pause < prober.leftMs; pause *= 2) {
    await prober.sleep(pause);
    const [answer] = prober.of([await own.ask()]);
    if (isGood(answer!)) return answer;
  }
  return undefined;
}
