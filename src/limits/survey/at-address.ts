/**
 * What keys meet at an address that callers without a key have exhausted: its limit counts them too, all of them, and tells them
 * the same wait.
 */
import { Inapplicable } from '../../model/ask.ts';
import type { Exchange } from '../../model/exchange.ts';
import type { Between, LimitsAsk, Round, RouteBeside, Waits } from '../../model/limits-ask.ts';
import type { Key } from '../../model/subject.ts';
import { cellOf } from '../model/cells.ts';
import { isRefused } from '../model/decision.ts';
import { patientTrial } from '../model/retry.ts';
import { sideBySide } from './beside.ts';
import type { RouteName, Who } from './call.ts';
import { disguisedAt } from './disguises.ts';
import { type Ground, ifTimeIsLeft, type Once } from './ground.ts';
import { written } from './manners.ts';
import { carefully, exhaust, exhaustingBy, type Other, roundOf } from './neighbours.ts';
import type { Sorted } from './sorts.ts';
import { afterSpending } from './spent.ts';

const trials = 3;
const guardMs = 25;
const longestShare = 0.1;

const here = ({ who: { keys: _, ...place } }: Ground, key: Key): Who => ({ keys: [key], ...place });

/** A key that has rested asks at the exhausted address, waits as it is told, and asks again. */
async function keyWaits(on: Ground, key: Key): Promise<Waits> {
  const { prober, route, restMs } = on;
  ifTimeIsLeft(on);
  const seen: Waits['trials'][number][] = [];
  const probe = prober.probe(here(on, key), route);
  for (let trial = 0; trial < trials; trial += 1) {
    await prober.sleep(restMs);
    await exhaust(on);
    const came = await patientTrial(probe, { longestMs: prober.leftMs * longestShare, maxCalls: 2, guardMs, burst: 0 });
    // Who is served there has no limit of the address.
    if (came.refusal === undefined) break;
    seen.push(written(prober, came, trial > 0));
    // One that is true is enough: only what is not may be chance.
    if (came.came !== 'refused') break;
  }
  return { trials: seen, planned: trials };
}

/** Rounds of each that is served there, if another one is not; so many calls that no trickle of a bucket serves them all. */
const rounds = 3;
const calls = 4;

/** Keys of each sort ask once at the exhausted address; where one is refused and one is not, both are looked at with care. */
async function callersAt(on: Ground, sorted: readonly Sorted[]): Promise<Round[]> {
  ifTimeIsLeft(on);
  const [first] = sorted;
  const elsewhere =
    on.options.routes.includes('run') && first !== undefined ? asked.filter((each) => each !== on.route) : [];
  const others: readonly Other[] = [
    ...sorted.map(({ sort, key }) => ({ name: `${sort} of ${key.tier}`, who: here(on, key) })),
    ...elsewhere.map((route) => ({
      name: `a ${route} by ${first!.sort} of ${first!.key.tier}`,
      who: here(on, first!.key),
      route,
    })),
  ];
  const seen: Round[] = [];
  await on.prober.sleep(on.restMs);
  for (const other of others) {
    seen.push(await roundOf(on, other, calls, []));
    // Where nobody is refused at that route, it is no matter of keys.
    if (other.route === undefined || cellOf(seen, other.name) !== 'apart') continue;
    seen.push(
      await roundOf(on, { name: `a ${other.route} without a key`, who: on.who, route: other.route }, calls, []),
    );
  }
  const isServed = ({ name }: Other): boolean => cellOf(seen, name) === 'apart';
  const served = others.filter(isServed);
  const refused = others.find((each) => !isServed(each));
  if (served.length === 0 || refused === undefined) return seen;
  await carefully(on, refused, calls, seen);
  for (const other of served)
    for (let round = 1; round < rounds; round += 1) seen.push(await roundOf(on, other, calls, []));
  return seen;
}

const asked: readonly RouteName[] = ['verify', 'read', 'run'];

/** A part of what the address has is spent; then a key asks for each route there; then as many calls as a rested address has. */
async function betweenAt(on: Ground, key: Key): Promise<Between[]> {
  ifTimeIsLeft(on);
  const { prober, options } = on;
  const who = here(on, key);
  const routes = asked.filter((each) => each === 'verify' || options.routes.includes('run'));
  const withKey = async (): Promise<Exchange[]> => {
    const answers: Exchange[] = [];
    for (const route of routes) answers.push(...prober.of([await prober.probe(who, route).ask()]));
    return answers;
  };
  return afterSpending(on, [{ name: 'calls with a key', ask: withKey }]);
}

/** Without a key, so that no limit of one is met. */
async function everyRouteAt(on: Ground): Promise<RouteBeside[]> {
  ifTimeIsLeft(on);
  const { prober, options, route, who, burst } = on;
  const seen: RouteBeside[] = [];
  const caller = { sort: 'a caller without a key', caller: 'no key', tier: null, key: null };
  for (const other of options.routes.includes('run') ? asked.filter((each) => each !== route) : []) {
    await exhaust(on);
    const first = prober.of(await prober.probe(who, other).askMany(2));
    if (first.some(isRefused)) continue;
    const known = { ...caller, route, at: route };
    const looked = { ...caller, route: other, at: other };
    seen.push({ request: other, beside: await sideBySide(prober, [options.places[0]], known, looked, burst) });
  }
  return seen;
}

async function runsRefused(on: Ground): ReturnType<LimitsAsk['refusedRunsAt']> {
  ifTimeIsLeft(on);
  const { from, headers } = on.options.places[0];
  if (headers !== undefined) throw new Inapplicable('runs with sources are tried at real addresses alone');
  return on.options.refusedRunsAt(exhaustingBy(on, from));
}

interface Standing {
  /** Who is without a key and has met a limit, once nothing goes on beside that would be taken for what is met here. */
  readonly there: <T>(use: (on: Ground) => Promise<T>) => Promise<T>;
  /** While nobody else calls with the keys of the profile either. */
  readonly thereAlone: <T>(use: (on: Ground) => Promise<T>) => Promise<T>;
  readonly once: Once;
  /** Of the profile, whoever looks at the address. */
  readonly keys: readonly Key[];
}

export const atAddress = ({
  there,
  thereAlone,
  once,
  keys,
}: Standing): Pick<
  LimitsAsk,
  'keyWaits' | 'callersAt' | 'betweenAt' | 'everyRouteAt' | 'disguisedAt' | 'refusedRunsAt'
> => ({
  everyRouteAt: once('every route at the address', () => there(everyRouteAt)),
  disguisedAt: once('disguised at the address', () => there(disguisedAt)),
  refusedRunsAt: once('refused runs at the address', () => there(runsRefused)),
  keyWaits: once('waits of a key', () => there((on) => keyWaits(on, on.key))),
  callersAt: once('callers at the address', () =>
    thereAlone((on) => {
      const configured = keys.map((key): Sorted => ({ sort: `a ${key.kind} key`, key }));
      return on.options.withMore(on.prober.spend, on.key.tier, 1, (made) =>
        callersAt(on, [...configured, ...made.map((key): Sorted => ({ sort: 'an issued key', key }))]),
      );
    }),
  ),
  betweenAt: once('between at the address', () => there((on) => betweenAt(on, on.key))),
});
