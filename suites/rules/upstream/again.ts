/** The same sources once more, which work again by now. */
import {
  type Case,
  type Exchange,
  expectStatus,
  type RunOptions,
  rule,
  succeeded,
  warning,
} from '../../../src/vocabulary.ts';
import { clauses } from '../../clauses/index.ts';
import { allButActor, cleanRunOf, everySource, patience, pausesMs } from '../../language/asking.ts';
import { isPartial } from '../../language/expectations.ts';
import { inapplicableIf, inconclusiveIf, reachesOne } from '../../language/gates.ts';

interface Again extends Case {
  readonly sources: NonNullable<RunOptions['sources']>;
}

const again: readonly Again[] = [
  { name: 'reset connections', sources: everySource('reset') },
  { name: 'answers of 503', sources: everySource('status-503') },
  { name: 'answers that do not come', sources: everySource('slow') },
  { name: 'a reset connection of one source of two', sources: { ok2: 'reset' } },
];

const isClean = (exchange: Exchange): boolean => succeeded(exchange) && !isPartial(exchange);

export const sameSourcesAgain = rule({
  id: 'upstream.same-sources-again',
  waits: true,
  clause: clauses.failureDoesNotStick,
  needs: ['key', 'sources'],
  actor: 'sources',
  without: allButActor,
  cases: () => again,
  deadlineMs: (subject) => patience(subject) + pausesMs.reduce((sum, each) => sum + each, 0),
  async *ask(ask) {
    yield* cleanRunOf(ask);
    const failed = await ask.run({ sources: ask.case.sources });
    yield { failed };
    let again = await ask.run({ again: failed });
    for (const pause of pausesMs) {
      if (isClean(again)) break;
      await ask.sleep(pause);
      again = await ask.run({ again: failed });
    }
    yield { again };
  },
  given: (sofar) => [
    ...reachesOne(sofar),
    inapplicableIf(
      !!sofar.failed && succeeded(sofar.failed) && !isPartial(sofar.failed),
      'a run of such sources is answered like one whose sources worked; another rule reports that',
    ),
    inconclusiveIf(!!sofar.clean && isPartial(sofar.clean), 'a clean run is PARTIAL too: another rule reports that'),
  ],
  // A result with some of the items does less harm than none.
  judge: ({ again }) =>
    isPartial(again)
      ? [warning(again, 'a status other than PARTIAL once the sources work again', '"PARTIAL"')]
      : expectStatus(again, '2xx'),
  fix: 'Ask a source again in the next run, even if it failed before: do not remember the address as broken.',
});
