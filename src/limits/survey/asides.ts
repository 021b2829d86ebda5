/** What an exhausted key can do at once, without waiting: ask for something else, or say that it calls from elsewhere. */
import type { Exchange } from '../../model/exchange.ts';
import type { Between, Round } from '../../model/limits-ask.ts';
import type { Key } from '../../model/subject.ts';
import { cellOf } from '../model/cells.ts';
import { admittedIn, isRefused } from '../model/decision.ts';
import type { RouteName, Who } from './call.ts';
import { type Ground, isTimeLeft } from './ground.ts';
import { rests } from './groups.ts';
import { exhaust } from './neighbours.ts';
import { untilRefused } from './rested.ts';
import { type Aside, afterSpending } from './spent.ts';
import { strangersCrowding } from './strangers.ts';

/** Documentation addresses: nobody's. */
const forgeries: readonly (readonly [string, string])[] = [
  ['X-Forwarded-For', '203.0.113.77'],
  ['X-Real-IP', '203.0.113.78'],
  ['Forwarded', 'for=203.0.113.79'],
  ['True-Client-IP', '203.0.113.80'],
  ['CF-Connecting-IP', '203.0.113.81'],
  ['X-Client-IP', '203.0.113.82'],
  ['X-Cluster-Client-IP', '203.0.113.83'],
  ['Fastly-Client-IP', '203.0.113.84'],
];

/** What may lift the limit of an address: who trusts its own machine, and who takes the first of a list. */
export const furtherForgeries: typeof forgeries = [
  ['X-Originating-IP', '203.0.113.85'],
  ['X-Forwarded-For', '127.0.0.1'],
  ['X-Forwarded-For', '203.0.113.86, 198.51.100.7'],
  // Networks within a house, and addresses of the other kind.
  ['X-Forwarded-For', '10.20.30.40'],
  ['X-Forwarded-For', '2001:db8::77'],
];

/** Of one platform or product each, and rarer forms: asked for together, and one by one where they gain anything. */
const ofPlatforms: typeof forgeries = [
  ['Forwarded', 'for="[2001:db8::78]"'],
  ['X-Forwarded-For', '203.0.113.87:4711'],
  ...[
    'X-Original-Forwarded-For',
    'X-Envoy-External-Address',
    'X-Azure-ClientIP',
    'X-Appengine-User-IP',
    'Fly-Client-IP',
    'X-Vercel-Forwarded-For',
    'X-Nf-Client-Connection-IP',
    'DO-Connecting-IP',
    'Proxy-Client-IP',
    'WL-Proxy-Client-IP',
    'X-Forwarded',
    'Forwarded-For',
    'X-Remote-IP',
    'X-Remote-Addr',
  ].map((name, at) => [name, `203.0.113.${90 + at}`] as const),
];

interface Forger {
  readonly name: string;
  readonly who: Who;
}

const forger = ({ who }: Ground, name: string, headers: typeof forgeries): Forger => ({
  name,
  who: { ...who, headers: [...(who.headers ?? []), ...headers] },
});

/** Those that the profile does not call trusted. */
const untrusted = ({ options }: Ground, headers: typeof forgeries): typeof forgeries =>
  headers.filter(([name]) => name.toLowerCase() !== options.trustedHeader?.toLowerCase());

/** With each forged header. */
export async function forging(on: Ground, further: typeof forgeries = []): Promise<Round[]> {
  const one = ([name, value]: (typeof forgeries)[number]): Forger =>
    forger(on, `with ${name}: ${value}`, [[name, value]]);
  const together = forger(on, 'with many headers of platforms', untrusted(on, ofPlatforms));
  const seen = await evading(on, [...untrusted(on, [...forgeries, ...further]).map(one), together]);
  if (cellOf(seen, together.name) !== 'apart') return seen;
  const singly = await evading(on, untrusted(on, ofPlatforms).map(one));
  const isNamed = singly.some(({ other }) => cellOf(singly, other) === 'apart');
  return [...(isNamed ? seen.filter(({ other }) => other !== together.name) : seen), ...singly];
}

const rounds = 3;

/** One that is refused like the exhausted one needs no second look: nothing was gained. */
async function evading(on: Ground, others: readonly Forger[]): Promise<Round[]> {
  const { prober, restMs, route } = on;
  const size = Math.max(1, Math.min(4, Math.floor(on.burst / rounds)));
  const own = prober.probe(on.who, route);
  const seen: Round[] = [];
  await prober.sleep(restMs);
  for (const { name, who } of others) {
    for (let round = 0; round < rounds; round += 1) {
      const exhausting = await exhaust(on);
      const before = prober.of(await own.askMany(2));
      const answers = prober.of(await prober.probe(who, route).askMany(size));
      const after = prober.of(await own.askMany(2));
      seen.push({ other: name, twin: [], exhausting, before, answers, after });
      if (answers.some(isRefused)) break;
    }
  }
  return seen;
}

/** Of the time that is left: longer rests are kept for waiting as told. */
const shortShare = 0.05;
const several = 4;
const failing: readonly RouteName[] = [
  'a run without input',
  'a run of malformed JSON',
  'a run of an unknown actor',
  'a run that fails',
];

/** Of other keys: fewer are no crowd, up to so many are made, and no more than so many call. */
const fewest = 3;
const crowd = 20;
const most = 24;

/** What can be asked where nothing can be run; `HEAD`, `OPTIONS` and `DELETE` of verify. */
const plainest: readonly RouteName[] = ['verify', 'an unknown path', 'an unknown actor', 'HEAD', 'OPTIONS', 'DELETE'];
const requests: readonly RouteName[] = [...plainest, 'read', 'run', 'a run of malformed JSON'];

/** The exhausted key asks for something else once; where it is admitted again after that, a pause alone is tried too. */
export async function between(on: Ground): Promise<Between[]> {
  const { options, who, prober } = on;
  const others = options.keys.filter((each) => !who.keys.includes(each)).slice(0, most);
  return options.withMore(prober.spend, undefined, Math.max(0, crowd - others.length), async (made) =>
    betweenAmong(on, [...others, ...made]),
  );
}

async function betweenAmong(on: Ground, others: readonly Key[]): Promise<Between[]> {
  const { prober, options, route, who, burst } = on;
  const withRuns = options.routes.includes('run');
  // What gives everything back may count itself, and one call of ours.
  const size = Math.min(burst, Math.max(2, Math.min(6, burst - 2)));
  const own = prober.probe(who, route);
  const many = async (): Promise<Exchange[]> => prober.of(await own.askMany(size));
  const isIn = (calls: readonly Exchange[]): boolean => calls.every((each) => !isRefused(each));
  const seen: Between[] = [];
  await prober.sleep(on.restMs);
  const [, elsewhere] = options.places;
  const asking = (of: Who, name: RouteName) => async (): Promise<Exchange[]> =>
    prober.of(await prober.probe(of, name).askMany(of.keys.length));
  const asides: readonly Aside[] = [
    ...requests
      .filter((name) => name !== route && (withRuns || plainest.includes(name)))
      .map((name) => ({ name, ask: asking(who, name) })),
    { name: `${route} without a key`, ask: asking({ ...who, keys: [null] }, route) },
    // Who moves is not forgiven: the account is the key's, or its own at each address.
    ...(who.spread === undefined && elsewhere !== undefined
      ? [{ name: `${route} from another address`, ask: asking({ keys: who.keys, ...elsewhere }, route) }]
      : []),
    // Who remembers a few keys alone forgets this one.
    ...(others.length >= fewest
      ? [{ name: 'a call of each other key', ask: asking({ ...who, keys: others }, route) }]
      : []),
    {
      name: 'making and revoking another key',
      ask: () => options.withMore(prober.spend, undefined, 1, (made) => asking({ ...who, keys: made }, route)()),
    },
    { name: 'a crowd of keys that nobody issued', ask: () => strangersCrowding(on) },
    { name: 'a list of keys and a change of another key', ask: () => options.administering(prober.spend) },
  ];
  const look = async ({ ask }: Aside) => {
    await exhaust(on);
    const before = prober.of([await own.ask(), await own.ask()]);
    const began = prober.now();
    const [asked] = await ask();
    const took = prober.now() - began;
    return asked === undefined ? undefined : { before, between: asked, took, after: await many() };
  };
  /** What was asked before may have used up the addresses: who is refused by them is not exhausted itself. */
  const rest = async (): Promise<void> => (isTimeLeft(on) ? prober.sleep(rests * on.restMs) : undefined);
  for (const other of asides) {
    let came = await look(other);
    for (let round = 0; came !== undefined && round < rounds; round += 1) {
      if (isIn(came.after)) {
        await rest();
        came = (await look(other)) ?? came;
      }
      const { took, ...seenThen } = came;
      let control: Exchange[] = [];
      if (isIn(came.after)) {
        await rest();
        await exhaust(on);
        prober.of([await own.ask(), await own.ask()]);
        await prober.sleep(took);
        control = await many();
      }
      seen.push({ other: other.name, ...seenThen, control });
      if (!isIn(came.after)) break;
    }
  }
  if (!withRuns || options.budget.quick) return seen;
  const calling = async (name: RouteName, count: number): Promise<Exchange[]> =>
    prober.of(await prober.probe(who, name).askMany(count));
  // An exhausted key makes neither: they are refused as well. Together, because each look costs two rests.
  const worked: Aside = {
    name: 'a read and a run',
    ask: async () => [...(await calling('read', 1)), ...(await calling('run', 1))],
  };
  const isShort = 2 * on.restMs <= shortShare * prober.leftMs;
  return [...seen, ...(await afterFailing(on)), ...(isShort ? await afterSpending(on, [worked]) : [])];
}

/** What gives back more than it takes shows by several. Each by a key of its own, at the same time: each look costs two rests. */
async function afterFailing(on: Ground): Promise<Between[]> {
  const { prober, options } = on;
  const { spread } = options;
  return options.withMore(prober.spend, on.key.tier, failing.length, async (made) => {
    const lanes = failing.map((name, at): Promise<Between[]> => {
      const key = made[at];
      if (key === undefined) return Promise.resolve([]);
      const who: Who = { keys: [key], ...spread[at % spread.length] };
      const ask = async (): Promise<Exchange[]> => prober.of(await prober.probe(who, name).askMany(several));
      return afterSpending({ ...on, who, key }, [{ name, ask }]);
    });
    const seen = (await Promise.all([...lanes, afterBarred(on)])).flat();
    if (made.length > 0 || !isTimeLeft(on)) return seen;
    const own = failing.map(
      (name): Aside => ({
        name,
        ask: async () => prober.of(await prober.probe(on.who, name).askMany(several)),
      }),
    );
    return [...seen, ...(await afterSpending(on, own))];
  });
}

/** A key that may not run an actor, which is counted like any other. */
async function afterBarred(on: Ground): Promise<Between[]> {
  const { prober, options, route, restMs } = on;
  if (options.barred === undefined || !isTimeLeft(on)) return [];
  const who: Who = { ...on.who, keys: [options.barred] };
  await prober.sleep(restMs);
  const calls = await untilRefused(prober, who, route, 2 * on.burst + 10, Math.ceil(on.burst / 4));
  const burst = admittedIn(calls);
  if (burst === calls.length) return [];
  const ask = async () => prober.of(await prober.probe(who, 'a run without access').askMany(several));
  return afterSpending({ ...on, who, key: options.barred, burst }, [{ name: 'a run without access', ask }]);
}
