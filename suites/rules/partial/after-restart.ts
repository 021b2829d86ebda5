/** A run of which a source fails, as the first thing that a service does after a start. */
import { rule } from '../../../src/vocabulary.ts';
import { clauses } from '../../clauses/index.ts';
import { everything } from '../../language/asking.ts';
import { expectPartial } from '../../language/expectations.ts';
import { isPartialRun } from '../../language/gates.ts';

export const partialAfterRestart = rule({
  id: 'partial.after-restart',
  clause: clauses.partialMeansSomeFailed,
  needs: ['key', 'two-sources', 'admin.restart'],
  actor: 'sources',
  without: everything,
  // Of what others ask, it would know again how it is called.
  alone: 'last',
  async *ask({ run, restart }) {
    const failing = () => run({ sources: { ok2: 'refused' } });
    yield { before: await failing() };
    await restart();
    yield { after: await failing() };
  },
  given: ({ before }) => [isPartialRun(before)],
  judge: ({ after }) => expectPartial(after, true),
  fix: 'Look at each source of each run in the same way, however long the service has run and whatever it was asked before.',
});
