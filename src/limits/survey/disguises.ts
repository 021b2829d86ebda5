/** An exhausted key whose requests say something else beside it: a language, a session, a query. It is the same key. */
import { type Exchange, succeeded } from '../../model/exchange.ts';
import type { Disguised } from '../../model/limits-ask.ts';
import { isRefused, isTakenForStranger } from '../model/decision.ts';
import { type Ground, ifTimeIsLeft } from './ground.ts';
import { rests } from './groups.ts';
import { exhaust } from './neighbours.ts';
import type { Disguise, RouteName } from './prober.ts';
import { untilRefused } from './rested.ts';

type Header = readonly [name: string, value: string];

const languages = 'nl fi pt ja el sv cs ko da nb hu pl ro tr uk vi th id he ar hi sk sl et'.split(' ');
const spellings = ['X-API-KEY', 'x-Api-Key', 'X-api-Key', 'x-API-key', 'X-Api-key', 'x-api-Key', 'X-aPi-Key'];
const of = (list: readonly string[], turn: number): string => list[turn % list.length]!;

/** Each with another value each turn: what a counter might be named by, and what might switch it off. */
const headers: readonly ((turn: number) => Header)[] = [
  (turn) => ['User-Agent', `collector/${turn}.4`],
  (turn) => ['Accept-Language', of(languages, turn)],
  (turn) => ['Accept', `application/json, text/plain;q=0.${1 + (turn % 9)}`],
  (turn) => ['Cookie', `session=${4170 + turn}`],
  (turn) => ['Authorization', `Bearer visitor-${4170 + turn}`],
  (turn) => ['Origin', `https://site-${turn}.example`],
  (turn) => ['Referer', `https://site-${turn}.example/list`],
  (turn) => ['X-Request-Id', `request-${4170 + turn}`],
  (turn) => ['X-Session-Id', `session-${4170 + turn}`],
  (turn) => ['X-Client-Id', `client-${4170 + turn}`],
  (turn) => ['X-User-Id', `user-${4170 + turn}`],
  (turn) => ['X-Tenant-Id', `tenant-${4170 + turn}`],
  (turn) => ['Idempotency-Key', `attempt-${4170 + turn}`],
  () => ['Cache-Control', 'no-cache'],
  () => ['Pragma', 'no-cache'],
  (turn) => ['If-None-Match', `"version-${4170 + turn}"`],
  (turn) => ['X-Correlation-Id', `call-${4170 + turn}`],
  (turn) => ['traceparent', `00-${'4170'.repeat(8)}-${String(4_170_000_000_000_000 + turn)}-01`],
  (turn) => ['X-Device-Id', `device-${4170 + turn}`],
  (turn) => ['X-Organization-Id', `organization-${4170 + turn}`],
  (turn) => ['X-Requested-With', `page-${4170 + turn}`],
];

interface Kind {
  readonly name: string;
  readonly as: (turn: number) => Disguise;
}

const withHeader = (header: (turn: number) => Header): Kind => ({
  name: `with another ${header(0)[0]}`,
  as: (turn) => ({ headers: [header(turn)] }),
});

const all: Kind = {
  name: 'with many other headers',
  as: (turn) => ({ headers: headers.map((header) => header(turn)) }),
};

const withQuery: Kind = { name: 'with a query', as: (turn) => ({ query: ['page', String(turn)] }) };

/** As whom and from where a query may claim to call. */
const claims = 'api_key apikey key token access_token client client_id user user_id tenant session ip'.split(' ');

const claiming: Kind = {
  name: 'as somebody else in its query',
  as: (turn) => ({ respell: (path) => `${path}?${claims.map((name) => `${name}=visitor-${4170 + turn}`).join('&')}` }),
};

/** By turn, some of the letters of a part of the path are changed, so that no two paths are the same. */
const changing =
  (part: RegExp, change: (letter: string) => string) =>
  (turn: number) =>
  (path: string): string =>
    path.replace(part, (text) => {
      const letters = [...text.matchAll(/(?<!%.?)[a-z]/gi)].slice(0, mostLetters).map(({ index }) => index);
      const chosen = new Set(letters.filter((_, at) => ((1 + (turn % (2 ** letters.length - 1))) >> at) & 1));
      return [...text].map((each, at) => (chosen.has(at) ? change(each) : each)).join('');
    });

const mostLetters = 8;

const encoded = changing(/(?<=\/actors\/)[^/]+/, (letter) => `%${Buffer.from(letter).toString('hex')}`);
/** One route where case is ignored, and none elsewhere. */
const capitalised = changing(/(?<=^\/v1\/)(?:auth\/verify|actors)/, (letter) => letter.toUpperCase());

const others: readonly Kind[] = [
  withHeader((turn) => ['Host', `service-${4170 + turn}.example`]),
  withHeader((turn) => ['X-Forwarded-Host', `service-${4170 + turn}.example`]),
  // What operators exempt: checks of health, and themselves.
  { name: 'as a check of health', as: (turn) => ({ headers: [['User-Agent', `kube-probe/1.${20 + (turn % 14)}`]] }) },
  withHeader((turn) => ['X-Admin-Token', `visitor-${4170 + turn}`]),
  withQuery,
  claiming,
  { name: 'with a slash at the end of its path', as: () => ({ respell: (path) => `${path}/` }) },
  { name: 'with a second slash in its path', as: () => ({ respell: (path) => path.replace('/v1/', '/v1//') }) },
  { name: 'with capitals in its path', as: (turn) => ({ respell: capitalised(turn) }) },
  { name: 'with its header in another spelling', as: (turn) => ({ keyHeader: of(spellings, turn) }) },
  // As proxies and newer protocols write it.
  { name: 'with its header in small letters', as: () => ({ keyHeader: 'x-api-key' }) },
  { name: 'with a second value in its header', as: (turn) => ({ headers: [['X-API-Key', `visitor.${4170 + turn}`]] }) },
];

const ofRuns: readonly Kind[] = [
  {
    name: 'with another content type',
    as: (turn) => ({ contentType: `application/json;${' '.repeat(turn % 8)}charset=${turn % 2 ? 'utf-8' : 'UTF-8'}` }),
  },
  { name: 'with its actor percent-encoded', as: (turn) => ({ respell: encoded(turn) }) },
];

/** How many bursts of a rested key follow one that was admitted, each in a disguise of its own: another limit may be higher. */
const bursts = 5;
/** Each is a little less than an account holds: what was found may be a call too high. */
const ofBurst = 0.85;

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
  return wearingAll(on, on.route, [withQuery], next, isTakenForStranger);
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
  await exhaust(on);
  const own = prober.probe(who, asked);
  // A limit of its own, perhaps; if it has none, that is another rule's concern.
  if (asked !== on.route && !prober.of([await own.ask()]).every(isRefused))
    await untilRefused(prober, who, asked, 2 * burst + 10, Math.ceil(burst / 2));
  const inDisguise = async (calls: number): Promise<Exchange[]> =>
    prober.of(await prober.probe({ ...who, disguise: as(turn()) }, asked).askMany(calls));
  const before = prober.of(await own.askMany(2));
  const answers = before.every(isRefused) ? await inDisguise(2) : [];
  const more: Exchange[][] = [];
  let isIn = answers.length > 0 && answers.every(isServed);
  while (isIn && more.length < most && prober.leftRequests > 4 * burst) {
    const wave = await inDisguise(Math.max(1, Math.floor(burst * ofBurst)));
    more.push(wave);
    isIn = wave.every(isServed);
  }
  const after = answers.length === 0 ? [] : prober.of(await own.askMany(2));
  return { other: name, request: asked, before, answers, bursts: more, after };
}
