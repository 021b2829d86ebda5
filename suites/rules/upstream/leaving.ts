/** Callers that do not wait for their answer: a time-out of their own, a closed page, a lost network. */
import {
  type Ask,
  type Exchange,
  expectStatus,
  type RunOptions,
  rule,
  type Subject,
  statusFits,
  succeeded,
  unless,
  violation,
  whatCame,
} from '../../../src/vocabulary.ts';
import { clauses } from '../../clauses/index.ts';
import { cleanRunOf, everySource, everything, givesUpSoon, patience, pausesMs } from '../../language/asking.ts';
import { isPartial } from '../../language/expectations.ts';
import { inconclusiveIf, reachesOne } from '../../language/gates.ts';

/** As many as a pool of workers or of connections often has, and fewer where their runs take long, one after the other. */
const callersFor = (subject: Subject): number => (givesUpSoon(subject) ? 24 : 8);

/** As many at once as reach what lies below the first of a pool. */
const runsAfter = 8;

/** Long enough for a run to begin, on this machine or far away, and shorter than most of them take. */
const theyWaitMs = [30, 120];

/** Of each two, one has a source that works as well: what it gave is nobody else's. */
const left: readonly NonNullable<RunOptions['sources']>[] = [everySource('slow'), { ok2: 'slow' }];

/** One leaves while its source is late, and the other has begun by then: before a late source answers. */
const joinsAfterMs = 40;
const leavesAfterMs = 150;

/** Two equal runs at once, as one was before: who joins them must not end both where one caller leaves. */
async function joinedByOneThatLeaves(ask: Pick<Ask<unknown>, 'run' | 'sleep'>): Promise<Exchange | null> {
  const sources = { ok: 'late' } as const;
  const before = await ask.run({ sources });
  if (!succeeded(before)) return null;
  const staying = async (): Promise<Exchange> => {
    await ask.sleep(joinsAfterMs);
    return ask.run({ again: before, sources });
  };
  const [stayed] = await Promise.all([staying(), ask.run({ again: before, sources, leavesAfterMs })]);
  return stayed;
}

/** The others end about then. */
const momentMs = 100;

export const callersMayLeave = rule({
  id: 'upstream.callers-may-leave',
  clause: clauses.callersMayLeave,
  needs: ['key', 'sources'],
  actor: 'sources',
  without: everything,
  // Runs that nobody waits for keep a small service busy.
  alone: true,
  deadlineMs: (subject) => 5 * patience(subject) + (callersFor(subject) + 2) * subject.bounds.upstreamMs,
  async *ask(ask) {
    yield* cleanRunOf(ask);
    const callers = callersFor(ask.subject);
    const leaving = Array.from({ length: callers }, (_, at) =>
      ask.run({ sources: left[at % 2]!, leavesAfterMs: theyWaitMs[Math.floor(at / 2) % 2]! }),
    );
    // Not evidence: that they get no answer is their own doing. One stays, so that their runs have ended before the next begins.
    const [stayed] = await Promise.all([ask.run({ sources: everySource('slow') }), ...leaving]);
    await ask.sleep(momentMs);
    // What one of the others shows of a run that was left is seen by who looks at all items.
    let [after] = (await Promise.all(Array.from({ length: runsAfter }, () => ask.run()))) as [Exchange];
    const { upstreamMs } = ask.subject.bounds;
    const areInTurns = stayed.response === undefined || stayed.at.end - stayed.at.sent > 2 * upstreamMs;
    for (const [turn, pause] of pausesMs.entries()) {
      if (succeeded(after) && !isPartial(after)) break;
      // Once the service has given up on the sources that nobody waits for, it is free again, be it one after the other.
      await ask.sleep(pause + upstreamMs * (areInTurns && turn === pausesMs.length - 1 ? callers : 1));
      after = await ask.run();
    }
    yield { after };
    // Where callers that left are not forgotten, one more of them says nothing new.
    yield { joined: succeeded(after) ? await joinedByOneThatLeaves(ask) : null };
  },
  given: (sofar) => [
    ...reachesOne(sofar),
    inconclusiveIf(!!sofar.clean && isPartial(sofar.clean), 'a clean run is PARTIAL too: another rule reports that'),
  ],
  // Runs of other times looked at no equal ones. One that is under way already may be refused.
  judge: ({ after, joined = null }) =>
    unless(expectStatus(after, '2xx'), () =>
      isPartial(after)
        ? [violation(after, 'a status other than PARTIAL, because the sources of this run work', '"PARTIAL"')]
        : joined === null || !statusFits(joined, 500)
          ? []
          : [
              violation(
                joined,
                'a result, as of the same run before, though the caller of an equal run hung up',
                whatCame(joined),
              ),
            ],
    ),
  fix: 'Release what a run holds (a worker, a connection, a lock) when its caller hangs up, and keep nothing of that run.',
});
