/** One check from a profile to a run: opens what it needs, asks, closes everything. The command line and vitest share it. */
import { type Clock, systemClock } from './clock.ts';
import { runEngine } from './engine/engine.ts';
import type { EngineOptions, RunEvent } from './engine/options.ts';
import { watchStalls } from './engine/stalls.ts';
import { listensItself } from './http/listener.ts';
import { createTransport } from './http/undici-transport.ts';
import type { Control } from './model/control.ts';
import type { Journal } from './model/journal.ts';
import type { Catalogue } from './model/rule.ts';
import type { Depth, Run, RunRecord } from './model/run.ts';
import type { Waiving } from './model/waiving.ts';
import type { Profile } from './profile/profile.ts';
import { freshSeed, seeded } from './random.ts';
import { startSources } from './sources/server.ts';
import { templatesIn } from './sources/templates.ts';

export interface CheckOptions {
  readonly depth?: Depth;
  readonly seed?: number;
  /** What a verifier's challenge makes of the run's nonces. */
  readonly witness?: NonNullable<EngineOptions['witness']>;
  /** How often each question is asked, for what shows only sometimes. */
  readonly repeat?: number;
  readonly strict?: boolean;
  readonly bail?: boolean;
  readonly concurrency?: number;
  readonly maxWaitMs?: number;
  /** For the whole run; if omitted: as long as it takes. */
  readonly maxDurationMs?: number;
  /** Identifiers of the rules to ask; if omitted: all. */
  readonly selected?: ReadonlySet<string>;
  readonly control?: Control;
  /** Confirms that a service that is not on this machine may be probed for its limits. */
  readonly probeLimits?: boolean;
  readonly signal?: AbortSignal;
  readonly on?: (event: RunEvent) => void;
  readonly write?: (record: RunRecord) => void;
  readonly clock?: Clock;
  readonly waiving?: Waiving;
  /** What is made in the service, written down before it is: `openJournal` keeps one in a folder. */
  readonly journal?: Journal;
}

/** A target that the profile has starts and ends with the run. */
export async function checkWith(catalogue: Catalogue, profile: Profile, options: CheckOptions = {}): Promise<Run> {
  if (profile.target === undefined) return checkStarted(catalogue, profile, options);
  const { openTarget } = await import('./target/index.ts');
  const { clock, signal } = options;
  const target = await openTarget(profile, { ...(clock && { clock }), ...(signal && { signal }) });
  try {
    return await checkStarted(catalogue, target.profile, { ...options, control: target.control });
  } finally {
    await target.close();
  }
}

/** The source server listens only where an input leads to it. */
const wantsSources = ({ actors }: Profile): boolean =>
  actors.some(({ role, input }) => role === 'sources' || templatesIn(input).sources > 0);

async function checkStarted(catalogue: Catalogue, profile: Profile, options: CheckOptions): Promise<Run> {
  const { clock = systemClock, depth = 'standard', seed = freshSeed(), strict = profile.strict, ...rest } = options;
  const random = seeded(freshSeed());
  const sources = await startSources({ ...profile.sources, random, listening: wantsSources(profile) });
  const single = (rest.concurrency ?? profile.concurrency) === 1;
  const transport = createTransport({ clock, tls: profile.tls, single });
  const stalls = watchStalls(clock);
  const direct = profile.limits.budgeted && listensItself(profile.origin);
  try {
    return await runEngine({
      ...rest,
      direct,
      clock,
      stalls,
      depth,
      seed,
      strict,
      profile,
      catalogue,
      transport,
      sources,
    });
  } finally {
    stalls.stop();
    await Promise.all([transport.close(), sources.close()]);
  }
}
