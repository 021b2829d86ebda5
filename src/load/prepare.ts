/** From the profile and what the command line says to a plan. Everything that is refused is refused here, before anything is sent. */
import { highestRate, secondsOf, tailSeconds } from '../../load/shared/phases.ts';
import { type ScenarioName, type Settings, scenarios } from '../../load/shared/scenarios.ts';
import type { Profile, ProfileActor, ProfileKey, ProfileLoad } from '../profile/profile.ts';
import { countAddresses } from './addresses.ts';
import { capsOf, isLoopback, LoadRefused, mayLoad, withinCaps } from './allowed.ts';
import { documentedFor } from './documented.ts';
import type { DeclaredLimits, LoadPlan, Operation } from './plan.ts';

/** What the command line says, by its own names, durations in ms; if omitted, the profile or a small default does. */
export interface LoadWishes {
  readonly scenario: ScenarioName;
  readonly rate?: number;
  readonly duration?: number;
  readonly warmUp?: number;
  readonly maxResponseTime?: number;
  readonly vus?: number;
  readonly workers?: number;
  readonly connections?: number;
  readonly addresses?: string;
  /** Whose limit `limits` looks at. */
  readonly of?: 'key' | 'address';
  /** The limit a second that it multiplies. */
  readonly limit?: number;
  /** Between two multiples of it. */
  readonly pause?: number;
  readonly seed: number;
  readonly allowRemoteLoad?: string;
  readonly targetPid?: number;
  /** This many measurements in sequence. */
  readonly repeat?: number;
}

const nothing: ProfileLoad = { allow: [], mix: [], thresholds: [] };

/** As fast as it is answered, by no schedule. */
export const isClosed = (scenario: ScenarioName): boolean => scenarios[scenario].engine === 'autocannon';

export function prepare(profile: Profile, wishes: LoadWishes): LoadPlan {
  const load = profile.load ?? nothing;
  const { scenario } = wishes;
  const host = new URL(profile.origin).hostname;
  mayLoad(host, load.allow, wishes.allowRemoteLoad);
  if (profile.tls.servername !== undefined)
    throw new LoadRefused('k6 does not support tls.servername: use an address with the name of the certificate');
  refuseMixedModels(wishes);
  const keys = keysFor(profile, load, wishes);
  const limits = documentedFor(profile.limits, keys);
  const settings = settingsOf(host, load, limits, wishes, keys.length);
  const { phases: phasesOf, usual, mixes } = scenarios[scenario];
  const phases = phasesOf(settings);
  const ms = (secondsOf(phases) - tailSeconds) * 1000 * (wishes.repeat ?? 1);
  withinCaps({ perSecond: isClosed(scenario) ? 0 : Math.max(...phases.map(highestRate)), ms }, capsOf(host, load));
  const ranges = wishes.addresses ?? load.addresses;
  return {
    id: scenario,
    scenario,
    target: `${profile.origin}${profile.basePath}`,
    seed: wishes.seed,
    settings,
    phases,
    ...(usual.connections === undefined ? {} : { connections: wishes.connections ?? usual.connections }),
    keys: keys.map(({ secret }) => secret),
    operations: operationsFor(profile, load, mixes === true),
    ...(ranges === undefined ? {} : { addresses: addressesOf(ranges) }),
    timeoutMs: Math.max(profile.bounds.timeoutMs, wishes.maxResponseTime ?? load.slowestMs ?? 0),
    slowestMs: wishes.maxResponseTime ?? load.slowestMs ?? 2000,
    mostVus: wishes.vus ?? 1000,
    workers: wishes.workers ?? 1,
    headers: profile.headers,
    tls: profile.tls,
    limits,
    thresholds: load.thresholds,
    ...(wishes.targetPid === undefined ? {} : { targetPid: wishes.targetPid }),
  };
}

/** A setting that an engine does not support is not ignored silently. */
function refuseMixedModels({ scenario, rate, workers, addresses, connections }: LoadWishes): void {
  if (!isClosed(scenario)) {
    if (connections !== undefined)
      throw new LoadRefused(`${scenario} sends by a schedule: use --rate; --connections is for smoke and saturation`);
    return;
  }
  const given = [
    ...(rate === undefined ? [] : ['--rate']),
    ...(workers === undefined ? [] : ['--workers']),
    ...(addresses === undefined ? [] : ['--addresses']),
  ];
  if (given.length > 0)
    throw new LoadRefused(
      `${scenario} sends as fast as it is answered, by autocannon; ${given.join(' and ')} ${given.length === 1 ? 'needs' : 'need'} a scenario of k6, such as latency`,
    );
}

function settingsOf(
  host: string,
  load: ProfileLoad,
  limits: DeclaredLimits,
  wishes: LoadWishes,
  keys: number,
): Settings {
  const { usual, keys: whose } = scenarios[wishes.scenario];
  const usualRate = isLoopback(host) ? 50 : 10;
  const declared = wishes.of === 'address' ? limits.address : limits.key;
  const limitPerSecond = wishes.limit ?? declared?.perSecond;
  if (whose === 'limited' && limitPerSecond === undefined)
    throw new LoadRefused(
      `which limit? say --limit <requests a second>, or write limits.documented.${wishes.of ?? 'key'} into the profile`,
    );
  const perSecond =
    wishes.rate ??
    load.perSecond ??
    (whose === 'noisy and quiet' && limits.key !== undefined ? 2 * limits.key.perSecond : usualRate);
  const quiet = limits.key === undefined ? perSecond / 6 : limits.key.perSecond / 2;
  return {
    perSecond,
    seconds: (wishes.duration ?? load.durationMs ?? 1000 * usual.seconds) / 1000,
    warmUpSeconds:
      usual.warmUpSeconds === 0 ? 0 : (wishes.warmUp ?? load.warmUpMs ?? 1000 * usual.warmUpSeconds) / 1000,
    limitPerSecond: limitPerSecond ?? perSecond,
    quietPerSecond: Math.max(0.5, quiet),
    keys,
    restSeconds: (wishes.pause ?? 5000) / 1000,
  };
}

function keysFor(profile: Profile, load: ProfileLoad, { scenario, of }: LoadWishes): readonly ProfileKey[] {
  // A check may have revoked the expendable one.
  const entitled = profile.keys.filter(({ role, expendable }) => role === 'entitled' && expendable === undefined);
  const named = load.keys?.flatMap((name) => profile.keys.filter((key) => key.name === name));
  const keys = named ?? entitled;
  if (keys.length === 0)
    throw new LoadRefused('load needs a key: set TOUCHSTONE_API_KEY, or write `keys` into the profile');
  const whose = scenarios[scenario].keys;
  if (whose === 'noisy and quiet' && keys.length < 2)
    throw new LoadRefused(`${scenario} needs two keys, a noisy one and a quiet one: write both into load.keys`);
  if (whose === 'noisy and quiet') return keys.slice(0, 2);
  // More keys than one would hide the limit of one.
  return whose === 'limited' && of !== 'address' ? keys.slice(0, 1) : keys;
}

function addressesOf(ranges: string): { readonly ranges: string; readonly count: number } {
  const count = countAddresses(ranges);
  if (count === undefined)
    throw new LoadRefused(`\`${ranges}\` are no addresses: such as 127.0.0.2-127.0.0.9, or 127.1.0.0/24`);
  return { ranges, count };
}

function operationsFor(profile: Profile, load: ProfileLoad, mixes: boolean): readonly Operation[] {
  if (mixes && load.mix.length > 0)
    return load.mix.map(({ what, weight }): Operation => {
      if (what === 'verify') return { kind: 'verify', actor: '', input: '', weight };
      if (what.startsWith('read ')) return { kind: 'read', actor: what.slice('read '.length), input: '', weight };
      return { ...runOf(actorCalled(profile, what)), weight };
    });
  const run = runOf(actorFor(profile, load));
  if (!mixes) return [run];
  return [
    { ...run, weight: 8 },
    { kind: 'verify', actor: '', input: '', weight: 1 },
    { kind: 'read', actor: run.actor, input: '', weight: 1 },
  ];
}

const actorCalled = (profile: Profile, name: string): ProfileActor | undefined =>
  profile.actors.find((actor) => actor.name === name && actor.input !== undefined);

function actorFor(profile: Profile, load: ProfileLoad): ProfileActor | undefined {
  if (load.actor !== undefined) return actorCalled(profile, load.actor);
  const ofRole = (role: string) => profile.actors.find((actor) => actor.role === role && actor.input !== undefined);
  return ofRole('echo') ?? ofRole('clean');
}

function runOf(actor: ProfileActor | undefined): Operation {
  if (actor === undefined)
    throw new LoadRefused(
      'load needs an actor with an input: write one into the profile, best `actors: { echo: { name: …, input: { …: "{{nonce}}" } } }`, so that each answer can be matched to its request',
    );
  const input = JSON.stringify(actor.input);
  if (input.includes('{{source.'))
    throw new LoadRefused(
      `the input of ${actor.name} names sources of Touchstone, which don't take part in load: set load.actor to one that needs none`,
    );
  return { kind: 'run', actor: actor.name, input: input.replaceAll(/\{\{\s*nonce\s*\}\}/g, '{{nonce}}'), weight: 1 };
}
