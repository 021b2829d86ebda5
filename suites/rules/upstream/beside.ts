/** A run whose sources work, while runs of others wait for theirs. */
import {
  type Exchange,
  type Reason,
  rule,
  statusFits,
  succeeded,
  violation,
  warning,
  whatCame,
} from '../../../src/vocabulary.ts';
import { clauses } from '../../clauses/index.ts';
import { cleanRunOf, everySource, everything, patience } from '../../language/asking.ts';
import { isPartial } from '../../language/expectations.ts';
import { inapplicableIf, reachesOne } from '../../language/gates.ts';
import { headStartMs, isUnderWay } from '../../language/under-way.ts';

/** As many callers as any day brings: more would ask for the capacity of the service. */
const atOnce = 8;

/** Whoever has no place for another run says so with 429 or 503. */
const isOwnFailure = (slow: Exchange): boolean => statusFits(slow, 500);

export const slowRunsHoldUpNobody = rule({
  id: 'upstream.slow-runs-hold-up-nobody',
  clause: clauses.partialMeansSomeFailed,
  needs: ['key', 'sources'],
  actor: 'sources',
  without: everything,
  // Who serves a few runs at a time would refuse what others ask meanwhile.
  alone: true,
  answering: true,
  deadlineMs: (subject) => 2 * patience(subject),
  async *ask(ask) {
    yield* cleanRunOf(ask);
    const slow = Promise.all(Array.from({ length: atOnce }, () => ask.run({ sources: everySource('slow') })));
    const [all, beside] = await Promise.all([slow, ask.sleep(headStartMs).then(() => ask.run())]);
    yield { slow: all, beside };
    // By itself it fails as it must: other rules report where it does not.
    yield { single: all.some(isOwnFailure) ? await ask.run({ sources: everySource('slow') }) : null };
  },
  given: ({ slow, beside, single: _, ...clean }) => [
    ...reachesOne(clean),
    inapplicableIf(!!clean.clean && isPartial(clean.clean), 'a clean run is PARTIAL too: another rule reports that'),
    inapplicableIf(
      !!slow && !!beside && !slow.some((each) => isUnderWay(beside, each)),
      'no run was waiting for its sources any more when the next one was asked',
    ),
    inapplicableIf(
      !!beside && beside.response === undefined,
      'it was not answered in time, as if runs wait for each other',
    ),
  ],
  // Runs of other times asked none by itself.
  judge: ({ beside, slow, single = null }) => [
    ...expectSourcesRead(beside),
    ...(single !== null && statusFits(single, [502, 504])
      ? slow
          .filter(isOwnFailure)
          .slice(0, 1)
          .map((each) => violation(each, '502 or 504, as for such a run by itself', whatCame(each)))
      : []),
  ],
  fix: 'Give each run its own time to read its sources, from when it begins to read them: neither slow sources of other runs nor a wait for a free worker make a source fail.',
});

/** Whether it is refused, queued or served is for the service to decide; that its sources failed is not true. */
function expectSourcesRead(beside: Exchange): readonly Reason[] {
  const expected = 'a run whose sources work to succeed while sources of other runs are slow';
  if (isPartial(beside)) return [violation(beside, expected, '"PARTIAL"')];
  return succeeded(beside) || !statusFits(beside, [500, 502, 504]) ? [] : [warning(beside, expected, whatCame(beside))];
}
