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
  async *ask({ run, verify, usualLine, restart }) {
    const failing = () => run({ sources: { ok2: 'refused' } });
    // Another rule may have started it anew just now: before this start it has at least refused some calls.
    for (let calls = 0; calls < 4; calls += 1) await verify({ key: null, on: usualLine() });
    yield { before: await failing() };
    await restart();
    yield { after: await failing() };
  },
  given: ({ before }) => [isPartialRun(before)],
  judge: ({ after }) => expectPartial(after, true),
  fix: 'Look at each source of each run in the same way, however long the service has run and whatever it was asked before.',
});
