/** From the profile and what the command line says to a plan. Everything that is refused is refused here, before anything is sent. */
import { type Phase, phasesOf, type Settings, secondsOf, tailSeconds } from '../../load/shared/phases.ts';
import type { ScenarioName } from '../model/measurement.ts';
import type { Secret } from '../model/secret.ts';
import type { Profile, ProfileActor, ProfileLoad } from '../profile/profile.ts';
import { countAddresses } from './addresses.ts';
import { capsOf, isLoopback, LoadRefused, mayLoad, withinCaps } from './allowed.ts';
import type { LoadPlan, Operation } from './plan.ts';

/** What the command line says; left out, the profile or a small default does. */
export interface LoadWishes {
  readonly scenario: ScenarioName;
  readonly perSecond?: number;
  readonly durationMs?: number;
  readonly warmUpMs?: number;
  readonly slowestMs?: number;
  readonly mostVus?: number;
  readonly workers?: number;
  readonly connections?: number;
  readonly addresses?: string;
  /** Whose limit `limits` looks at. */
  readonly of?: 'key' | 'address';
  /** The limit a second that it multiplies. */
  readonly limit?: number;
  /** Between two multiples of it. */
  readonly restMs?: number;
  readonly seed: number;
  readonly mayLoad?: string;
  readonly targetPid?: number;
  /** So many measurements one after the other. */
  readonly repeat?: number;
}

const nothing: ProfileLoad = { allow: [], mix: [], limits: {}, thresholds: [] };

export const isClosed = (scenario: ScenarioName): boolean => scenario === 'smoke' || scenario === 'saturation';

export function prepare(profile: Profile, wishes: LoadWishes): LoadPlan {
  const load = profile.load ?? nothing;
  const { scenario } = wishes;
  const host = new URL(profile.origin).hostname;
  mayLoad(host, load.allow, wishes.mayLoad);
  if (profile.tls.servername !== undefined)
    throw new LoadRefused('k6 does not support tls.servername: use an address with the name of the certificate');
  refuseMixedModels(wishes);
  const keys = keysFor(profile, load, wishes);
  const settings = settingsOf(host, load, wishes, keys.length);
  const phases = isClosed(scenario) ? [closedPhase(settings)] : phasesOf(scenario, settings);
  const ms = (secondsOf(phases) - tailSeconds) * 1000 * (wishes.repeat ?? 1);
  withinCaps(
    { perSecond: isClosed(scenario) ? 0 : Math.max(...phases.map(({ perSecond }) => perSecond)), ms },
    capsOf(host, load),
  );
  const ranges = wishes.addresses ?? load.addresses;
  return {
    id: scenario,
    scenario,
    target: `${profile.origin}${profile.basePath}`,
    seed: wishes.seed,
    settings,
    phases,
    ...(isClosed(scenario) ? { connections: wishes.connections ?? (scenario === 'smoke' ? 2 : 16) } : {}),
    keys,
    operations: operationsFor(profile, load, scenario),
    ...(ranges === undefined ? {} : { addresses: addressesOf(ranges) }),
    timeoutMs: Math.max(profile.bounds.timeoutMs, wishes.slowestMs ?? load.slowestMs ?? 0),
    slowestMs: wishes.slowestMs ?? load.slowestMs ?? 2000,
    mostVus: wishes.mostVus ?? 1000,
    workers: wishes.workers ?? 1,
    headers: profile.headers,
    tls: profile.tls,
    limits: load.limits,
    thresholds: load.thresholds,
    ...(wishes.targetPid === undefined ? {} : { targetPid: wishes.targetPid }),
  };
}

/** What an engine cannot be told is not passed over in silence. */
function refuseMixedModels({ scenario, perSecond, workers, addresses, connections }: LoadWishes): void {
  if (!isClosed(scenario)) {
    if (connections !== undefined)
      throw new LoadRefused(`${scenario} sends by a schedule: use --rate; --connections is for smoke and saturation`);
    return;
  }
  const given = [
    ...(perSecond === undefined ? [] : ['--rate']),
    ...(workers === undefined ? [] : ['--workers']),
    ...(addresses === undefined ? [] : ['--addresses']),
  ];
  if (given.length > 0)
    throw new LoadRefused(
      `${scenario} sends as fast as it is answered, by autocannon; ${given.join(' and ')} ${given.length === 1 ? 'needs' : 'need'} a scenario of k6, such as latency`,
    );
}

/** A closed loop has no schedule: its slots are the milliseconds in which requests are sent. */
const closedPhase = ({ warmUpSeconds, seconds, keys }: Settings): Phase => ({
  from: 0,
  seconds: warmUpSeconds + seconds,
  perSecond: 1000,
  keys: [0, keys],
  measuredFrom: warmUpSeconds,
});

function settingsOf(host: string, load: ProfileLoad, wishes: LoadWishes, keys: number): Settings {
  const { scenario } = wishes;
  const usual = isLoopback(host) ? 50 : 10;
  const declared = wishes.of === 'address' ? load.limits.address : load.limits.key;
  const limitPerSecond = wishes.limit ?? (declared === undefined ? undefined : declared.perSecond);
  if (scenario === 'limits' && limitPerSecond === undefined)
    throw new LoadRefused(
      `which limit? say --limit <requests a second>, or declare load.limits.${wishes.of ?? 'key'} in the profile`,
    );
  const perSecond =
    wishes.perSecond ??
    load.perSecond ??
    (scenario === 'isolation' && load.limits.key !== undefined ? 2 * load.limits.key.perSecond : usual);
  const quiet = load.limits.key === undefined ? perSecond / 6 : load.limits.key.perSecond / 2;
  return {
    perSecond,
    seconds: (wishes.durationMs ?? load.durationMs ?? usualMs[scenario] ?? 10_000) / 1000,
    warmUpSeconds:
      scenario === 'limits' ? 0 : (wishes.warmUpMs ?? load.warmUpMs ?? (scenario === 'smoke' ? 500 : 3000)) / 1000,
    limitPerSecond: limitPerSecond ?? perSecond,
    quietPerSecond: Math.max(0.5, quiet),
    keys,
    restSeconds: (wishes.restMs ?? 5000) / 1000,
  };
}

const usualMs: Partial<Record<ScenarioName, number>> = { smoke: 3000, soak: 300_000 };

function keysFor(profile: Profile, load: ProfileLoad, { scenario, of }: LoadWishes): readonly Secret[] {
  const entitled = profile.keys.filter(({ role }) => role === 'entitled');
  const named = load.keys?.flatMap((name) => profile.keys.filter((key) => key.name === name));
  const keys = (named ?? entitled).map(({ secret }) => secret);
  if (keys.length === 0)
    throw new LoadRefused('load needs a key: set TOUCHSTONE_API_KEY, or write `keys` into the profile');
  if (scenario === 'isolation' && keys.length < 2)
    throw new LoadRefused('isolation needs two keys, a noisy one and a quiet one: write both into load.keys');
  if (scenario === 'isolation') return keys.slice(0, 2);
  // More keys than one would hide the limit of one.
  return scenario === 'limits' && of !== 'address' ? keys.slice(0, 1) : keys;
}

function addressesOf(ranges: string): { readonly ranges: string; readonly count: number } {
  const count = countAddresses(ranges);
  if (count === undefined)
    throw new LoadRefused(`\`${ranges}\` are no addresses: such as 127.0.0.2-127.0.0.9, or 127.1.0.0/24`);
  return { ranges, count };
}

function operationsFor(profile: Profile, load: ProfileLoad, scenario: ScenarioName): readonly Operation[] {
  if (scenario === 'mixed' && load.mix.length > 0)
    return load.mix.map(({ what, weight }): Operation => {
      if (what === 'verify') return { kind: 'verify', actor: '', input: '', weight };
      if (what.startsWith('read ')) return { kind: 'read', actor: what.slice('read '.length), input: '', weight };
      return { ...runOf(actorCalled(profile, what)), weight };
    });
  const run = runOf(actorFor(profile, load));
  if (scenario !== 'mixed') return [run];
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
