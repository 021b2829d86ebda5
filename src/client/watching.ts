/** A start of a client is watched until it ends by itself, or until there is a reason to end it. */
import type { Situation } from '../model/client.ts';
import type { Counterpart } from './counterpart.ts';
import type { Program } from './program.ts';
import type { TrialAround } from './trial.ts';

const everyMs = 25;
/** A program that is compiled when it is started may take so long to its first call. */
const startUpMs = 60_000;
const mostRuns = 40;

interface Watching extends Pick<TrialAround, 'clock' | 'client' | 'signal'> {
  readonly graceMs: number;
  hasStarted(): void;
  /** At every turn. */
  look(): void;
}

export interface How {
  readonly exit?: number;
  readonly signal?: string;
  readonly notStarted?: string;
  readonly stopped?: 'late' | 'enough';
}

export async function watch(
  program: Program,
  server: Counterpart,
  situation: Situation,
  around: Watching,
): Promise<How> {
  const { clock, client, signal, graceMs, hasStarted, look } = around;
  const began = clock.now();
  let ended: How | undefined;
  const end = program.ended.then((how) => {
    ended = how;
  });
  let first: number | undefined;
  for (;;) {
    await Promise.race([end, clock.sleep(everyMs)]);
    if (ended !== undefined) return ended;
    look();
    const now = clock.now();
    const last = server.lastAt();
    if (last !== undefined) {
      first ??= now;
      hasStarted();
    }
    const late = first === undefined ? now - began > startUpMs : now - first > client.withinMs;
    const quiet =
      situation.quietMs !== undefined && last !== undefined && server.open() === 0 && now - last > situation.quietMs;
    const seen = situation.watchedMs !== undefined && first !== undefined && now - first > situation.watchedMs;
    const stopped = late
      ? 'late'
      : seen || quiet || server.runs() >= (situation.mostRuns ?? mostRuns)
        ? 'enough'
        : undefined;
    if (stopped === undefined && !signal?.aborted) continue;
    await program.end(graceMs);
    return { stopped: stopped ?? 'enough' };
  }
}
