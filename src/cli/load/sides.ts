/** What is loaded: one service, or two that take turns. Each has its profile, its plan and its run file, and is started where the profile says so. */
import { systemClock } from '../../clock.ts';
import { leastRuns } from '../../load/compare/comparable.ts';
import type { Engine } from '../../load/engine.ts';
import type { LoadPlan } from '../../load/plan.ts';
import { preflight } from '../../load/preflight.ts';
import { type LoadWishes, prepare } from '../../load/prepare.ts';
import type { Run } from '../../model/run.ts';
import type { Profile } from '../../profile/profile.ts';
import { compareMeasured } from '../commands/compare.ts';
import { UsageError } from '../errors.ts';
import { profileOf } from '../profile.ts';
import { startTarget } from '../target.ts';
import type { LoadFlags } from './load.ts';
import { type LoadRun, openLoadRun } from './run.ts';

export interface Side {
  /** Of what runs: its address is known. */
  readonly profile: Profile;
  readonly plan: LoadPlan;
  readonly file: LoadRun;
  /** Undefined: it runs, or is not ours to watch. */
  ended(): Promise<string | undefined>;
  close(): Promise<void>;
}

type Flags = Pick<LoadFlags, 'profile' | 'repeat' | 'against' | 'targetPid' | 'quiet'>;

/** Two sides need as many runs as a comparison needs. */
export const repeatsOf = ({ repeat, against }: Flags): number => repeat ?? (against === undefined ? 1 : leastRuns);

/** The base: an address, asked by the same profile, or another profile. */
export async function againstOf(against: string, flags: Flags): Promise<Profile> {
  if (flags.targetPid !== undefined)
    throw new UsageError('--target-pid names one process, but --against measures two services: remove one of them');
  const which = /^https?:\/\//i.test(against) ? { path: flags.profile, address: against } : { path: against };
  return profileOf(which);
}

/** What is still to be started will be on this machine, at a port that nobody knows yet. */
export const placedSomewhere = (profile: Profile): Profile =>
  profile.target === undefined ? profile : { ...profile, origin: 'http://127.0.0.1' };

export async function openSide(
  profile: Profile,
  wishes: LoadWishes,
  folder: string,
  { quiet }: Flags,
  signal: AbortSignal,
): Promise<Side> {
  const started =
    profile.target === undefined
      ? undefined
      : await startTarget(profile, { alone: true, ...(quiet && { quiet }) }, signal);
  try {
    const here = started?.profile ?? profile;
    const plan = prepare(here, { ...(started?.pid === undefined ? {} : { targetPid: started.pid }), ...wishes });
    const file = openLoadRun(folder, `load-${wishes.scenario}`, here, wishes.seed);
    return {
      profile: here,
      plan,
      file,
      ended: async () => started?.ended(),
      close: async () => {
        try {
          file.close();
        } finally {
          await started?.close();
        }
      },
    };
  } catch (error) {
    await started?.close();
    throw error;
  }
}

/** The first that is not there. Throws where one is, and cannot be loaded. */
export async function unreachable(
  sides: readonly Side[],
  engine: Engine,
  signal: AbortSignal,
): Promise<{ readonly side: Side; readonly why: string } | undefined> {
  for (const side of sides) {
    const first = await preflight(side.plan, systemClock, signal);
    if (signal.aborted) return undefined;
    if (!first.ready && first.unreachable) return { side, why: first.why };
    if (!first.ready)
      throw new UsageError(
        `nothing was measured: the first request failed, because ${first.why} (touchstone check says more)`,
      );
    if (first.closesConnections && engine.name === 'autocannon')
      throw new UsageError(
        'the service closes each connection (Connection: close), and autocannon then loses requests: use k6 (touchstone load latency), or let the service keep connections',
      );
  }
  return undefined;
}

/** `--against` is the base. The exit code is that of `touchstone compare`. */
export const comparedSides = (sides: readonly Side[], runs: readonly Run[]): number =>
  compareMeasured(
    sides.map(({ file }, at) => ({ name: file.path, measurements: runs[at]?.measurements ?? [] })).toReversed(),
    {},
  );
