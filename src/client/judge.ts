/** What every door to the judging of clients shares: the guardian, the watch over stalls, and the defaults. */
import { systemClock } from '../clock.ts';
import { watchStalls } from '../engine/stalls.ts';
import type { ClientCatalogue } from '../model/client.ts';
import type { Run, RunHeader } from '../model/run.ts';
import type { ProfileClient } from '../profile/profile-client.ts';
import { freshSeed } from '../random.ts';
import { startGuard } from '../target/guard.ts';
import { thisOwner } from '../target/owner.ts';
import { type ClientRunOptions, runClient } from './run.ts';

export interface JudgeClientOptions
  extends Partial<
    Pick<
      ClientRunOptions,
      'depth' | 'seed' | 'strict' | 'concurrency' | 'selected' | 'signal' | 'write' | 'on' | 'waiving' | 'target'
    >
  > {
  readonly profile?: RunHeader['profile'];
}

type Around = Pick<ClientRunOptions, 'env'> & {
  /** How many processors there are for all that is started side by side. */
  readonly processors: number;
};

/** Most of a start is waiting: more of them than there are processors, and not so many that they are late for one another. */
const usualConcurrency = (processors: number): number => Math.max(6, Math.min(24, 8 * processors));

let runs = 0;

export async function judgeClient(
  catalogue: ClientCatalogue,
  client: ProfileClient,
  { env, processors }: Around,
  options: JudgeClientOptions = {},
): Promise<Run> {
  const guard = startGuard(env);
  const stalls = watchStalls(systemClock);
  runs += 1;
  try {
    return await runClient({
      profile: { name: 'a client', digest: '' },
      target: nameOf(client),
      depth: 'standard',
      seed: freshSeed(),
      strict: false,
      concurrency: usualConcurrency(processors),
      ...options,
      catalogue,
      client,
      env,
      clock: systemClock,
      guard,
      stalls,
      // Two runs of one process are each other's strangers.
      owner: `${thisOwner()}_${runs}`,
    });
  } finally {
    stalls.stop();
    await guard.release();
  }
}

/** The program and its distinguishing arguments, without its folders. */
const nameOf = ({ command }: ProfileClient): string =>
  command.map((each) => (each.startsWith('/') ? (each.split('/').at(-1) ?? each) : each)).join(' ');
