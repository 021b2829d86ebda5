/** The prober's way out: calls through the recorder that wait for nobody, and runs whose sources are watched. */
import { platform } from 'node:os';
import { crewNames } from '../limits/model/crews.ts';
import type { Call, Place, PlainRoute } from '../limits/survey/call.ts';
import { isAlike } from '../limits/survey/near.ts';
import { type Surveyed, survey } from '../limits/survey/survey.ts';
import type { LimitsAsk } from '../model/limits-ask.ts';
import type { Actor, Key } from '../model/subject.ts';
import { hashOf, seeded } from '../random.ts';
import { anyWord, digits } from '../words.ts';
import { furtherActors, isRunOf, routeOf } from './further-actors.ts';
import { administering, withMore, withPlans, withSorts } from './keys-of-sorts.ts';
import type { Sending } from './recorder.ts';
import { refusedRuns, refusedRunsAt } from './refused-runs.ts';
import { asClient, type Defaults, rawRequest, readRequest, runRequest, verifyRequest } from './requests.ts';
import type { Session } from './session.ts';

export function limitsAsker(session: Session): LimitsAsk {
  session.survey ??= begin(session);
  return session.survey;
}

/**
 * A target on this machine is called from several of its addresses, where the system has them. Of the first, the second has the
 * network, and the last has the end.
 */
const ownAddresses = ['127.0.0.1', '127.0.0.2', '127.0.0.3', '127.0.5.1'];

/** Documentation addresses: nobody's. Only sent to a service that trusts the header. */
const toldAddresses = ['198.51.100.1', '198.51.100.2', '198.51.100.3', '203.0.113.1'];

function placesOf({ profile: { origin, limits } }: Session): readonly [Place, ...Place[]] {
  const { addresses, trustedHeader } = limits;
  const places: readonly Place[] =
    addresses === undefined && trustedHeader !== undefined
      ? toldAddresses.map((address): Place => ({ headers: [[trustedHeader, address]] }))
      : (addresses ?? (/^https?:\/\/(127\.|localhost)/.test(origin) ? ownAddresses : [])).map((from) => ({ from }));
  const [home = {}, ...others] = places;
  return [home, ...others];
}

/** Where there are many addresses to call from, none is asked often. */
function spreadOf(session: Session): readonly [Place, ...Place[]] {
  const { origin, limits } = session.profile;
  const isOurs = limits.addresses === undefined && limits.trustedHeader === undefined;
  if (!isOurs || platform() !== 'linux' || !/^https?:\/\/(127\.|localhost)/.test(origin)) {
    const places = placesOf(session);
    // The last one is left to whoever is compared with a key that calls from everywhere.
    return places.length > 3 ? (places.slice(0, -1) as [Place, ...Place[]]) : places;
  }
  const [first, ...others] = Array.from({ length: 24 }, (_, at): Place => ({ from: `127.0.1.${at + 1}` }));
  return [first!, ...others];
}

/** Of each block of addresses: there is one for each crew, and one for the keys of the profile. */
const inBlock = 24;

/** About as many keys are made for it, and so long it may take. */
const keysOfCrews = 20;
const longestMs = 10_000;

/**
 * Experiments go on side by side where a service on this machine is asked by all rules about limits, and calls may come from any of its
 * addresses.
 */
function blocksOf(session: Session): readonly (readonly Place[])[] {
  const { subject, isWhole, newKeys } = session;
  const { origin, limits } = session.profile;
  const isLocal = platform() === 'linux' && /^https?:\/\/(127\.|localhost)/.test(origin);
  const isOurs = (limits.addresses ?? []).every((address) => address.startsWith('127.'));
  const canChoose = subject.admin?.chooses.create.includes('tier') === true;
  // Each new key is waited for, where keys are not known at once.
  const isQuick = keysOfCrews * (newKeys.takeMs ?? 0) <= longestMs;
  if (!isWhole || !isLocal || !isOurs || limits.trustedHeader !== undefined || !canChoose || !isQuick) return [];
  // No two end alike, but the first and the last of a block, which have another network.
  return Array.from({ length: crewNames.length + 1 }, (_, block) => {
    const ends = Array.from({ length: inBlock }, (_, at) => block * inBlock + at + 1);
    const own = ends.map((end): Place => ({ from: `127.0.${10 + block}.${end}` }));
    return [...own, { from: `127.0.${30 + block}.${ends[0]}` }];
  });
}

/** More than any copies of a service admit that rules have patience with. */
const farBeyond = 3;

function begin(session: Session): Surveyed {
  const { profile, subject, clock, recorder, signal } = session;
  const { limits } = profile;
  const keys = subject.keys.filter(({ kind, role }) => kind !== 'issued' && role === 'entitled');
  const others = subject.keys.filter((key) => key.kind !== 'issued' && !keys.includes(key));
  const actor = subject.actors.clean[0];
  const usual: PlainRoute[] = actor === undefined ? ['verify'] : ['verify', 'run'];
  return survey({
    spread: spreadOf(session),
    tierOrder: subject.tierOrder,
    withSorts: (spend, use) => withSorts(session, spend, [...keys, ...others], use),
    withMore: (spend, tier, count, use) => withMore(session, spend, tier, count, use),
    withPlans: (spend, wanted, use) => withPlans(session, spend, wanted, use),
    makesTestKeys: subject.admin?.chooses.create.includes('environment') === true,
    blocks: blocksOf(session),
    refusedRuns: (exhausting) => refusedRuns(session, exhausting),
    refusedRunsAt: (exhausting) => refusedRunsAt(session, exhausting),
    administering: (spend) => administering(session, spend),
    ...(subject.limits.address === undefined ? {} : { addressLimit: subject.limits.address }),
    statedFor: ({ tier }) => subject.limits.tiers[tier ?? ''],
    wire: {
      now: () => recorder.elapsed,
      sleep: (ms) => clock.sleep(ms, signal),
      send: (call) => recorder.probe(sendingOf(session, call, actor)),
    },
    keys: alikeFirst([...keys, ...others]),
    tierKeys: tierKeys(subject.tierOrder, [...keys, ...others]),
    places: placesOf(session),
    seesApart: session.seesApart,
    budget: limits,
    barred: barredOf(session)?.restrictedKey,
    trials: limits.trials,
    wantsNumbers: session.wantsNumbers,
    routes: limits.route === undefined ? usual : [limits.route],
    further: furtherActors(session.subject).map(routeOf),
    ...(limits.trustedHeader === undefined ? {} : { trustedHeader: limits.trustedHeader }),
    beyondStated: ({ tier }) => {
      const { requests = 0, burst = 0 } = subject.limits.tiers[tier ?? ''] ?? {};
      return farBeyond * (Math.max(requests, burst) + requests) + 10;
    },
    random: session.random,
  });
}

/** Behind the first key those that are most like it. */
const alikeFirst = ([first, ...rest]: readonly Key[]): Key[] => {
  if (first === undefined) return [];
  const unlike = (key: Key): number => (isAlike(first, key) ? 0 : key.tier === first.tier ? 1 : 2);
  return [first, ...rest.toSorted((one, other) => unlike(one) - unlike(other))];
};

/** One key of each tier that the profile puts in order, the lowest first. */
const tierKeys = (order: readonly string[], keys: readonly Key[]): Key[] =>
  order.flatMap((tier) => keys.find((key) => key.tier === tier) ?? []);

/** One that a key of the profile may not run. */
const barredOf = ({ subject }: Session): Actor | undefined =>
  subject.actors.restricted.find(({ restrictedKey }) => restrictedKey !== undefined);

const verifyPath = '/v1/auth/verify';

/** A path that no service has, the same throughout a run. */
function nowhere({ seed }: Session): string {
  const random = seeded(seed ^ hashOf('nowhere'));
  return `/v1/${anyWord(random)}-${anyWord(random)}-${digits(random, 4)}`;
}

function sendingOf(session: Session, call: Call, actor: Actor | undefined): Sending {
  const { key, from, afresh, single, headers, route, disguise } = call;
  const pool = `probe ${key?.name ?? 'nobody'} ${from ?? headers?.[0]?.[1] ?? ''}${single ? ' alone' : ''}`;
  const defaults: Defaults = {
    purpose: 'probe',
    instance: 'main',
    ...(afresh ? {} : { line: pool }),
    ...asClient(session, pool),
  };
  const copies = key === null ? 0 : (disguise?.copies ?? 0);
  const again = Array.from({ length: copies }, () => ['X-API-Key', key!.secret] as const);
  const options = { key, ...disguise, headers: [...(headers ?? []), ...(disguise?.headers ?? []), ...again] };
  const { nonce } = session;
  const [crashing] = session.subject.actors.crashing;
  const requests: Readonly<Record<PlainRoute, (actor: Actor) => Sending>> = {
    verify: () => verifyRequest(session, options, defaults),
    read: (of) => readRequest(session, { ...options, actor: of }, defaults),
    run: (of) => runRequest(session, { ...options, actor: of }, defaults, nonce),
    'an unknown path': () => rawRequest(session, { ...options, method: 'GET', target: nowhere(session) }, defaults),
    OPTIONS: () => rawRequest(session, { ...options, method: 'OPTIONS', target: verifyPath }, defaults),
    HEAD: () => rawRequest(session, { ...options, method: 'HEAD', target: verifyPath }, defaults),
    'an unknown actor': () =>
      rawRequest(
        session,
        { ...options, method: 'GET', target: nowhere(session).replace('/v1/', '/v1/actors/') },
        defaults,
      ),
    DELETE: () => rawRequest(session, { ...options, method: 'DELETE', target: verifyPath }, defaults),
    'a run without input': (of) => runRequest(session, { ...options, actor: of, body: '{}' }, defaults, nonce),
    'a run of an unknown actor': () =>
      runRequest(session, { ...options, actor: nowhere(session).slice('/v1/'.length) }, defaults, nonce),
    'a run without access': () => runRequest(session, { ...options, actor: barredOf(session)! }, defaults, nonce),
    // Where no actor can be made to fail, it does not.
    'a run that fails': (of) => runRequest(session, { ...options, actor: crashing ?? of }, defaults, nonce),
    'a run of malformed JSON': (of) => runRequest(session, { ...options, actor: of, body: '{' }, defaults, nonce),
  };
  const ofRoute = (): Sending => {
    if (isRunOf(route)) {
      const other = furtherActors(session.subject).find((each) => routeOf(each) === route)!;
      return runRequest(session, { ...options, actor: other }, defaults, nonce);
    }
    const needsActor = !['an unknown path', 'an unknown actor', 'HEAD', 'OPTIONS', 'DELETE'].includes(route);
    return actor === undefined && needsActor ? verifyRequest(session, options, defaults) : requests[route](actor!);
  };
  const sending = ofRoute();
  return {
    ...sending,
    headers: [...(disguise?.before ?? []), ...sending.headers],
    ...(from === undefined ? {} : { from }),
  };
}
