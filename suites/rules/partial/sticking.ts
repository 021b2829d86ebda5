/** The failure of a source belongs to its run. */
import { rule, violation } from '../../../src/vocabulary.ts';
import { clauses } from '../../clauses/index.ts';
import { isPartial } from '../../language/expectations.ts';
import { isPartialRun, succeeds } from '../../language/gates.ts';

export const doesNotStick = rule({
  id: 'partial.does-not-stick',
  clause: clauses.partialDoesNotStick,
  needs: ['key', 'two-sources'],
  actor: 'sources',
  async *ask({ run, line }) {
    const on = line();
    const before = await run({ on });
    yield { before };
    // PARTIAL before this rule has made a source fail: it stuck from another run, or every run says it.
    const stuck = isPartial(before);
    yield { partial: stuck ? null : await run({ on, sources: { ok2: 'refused' } }) };
    yield { next: stuck ? before : await run({ on }) };
  },
  given: ({ before, partial, next }) => [
    succeeds(before, 'a clean run'),
    isPartialRun(partial),
    succeeds(next, 'the next clean run'),
  ],
  judge: ({ next }) =>
    isPartial(next) ? [violation(next, 'a status other than PARTIAL once the sources work again', '"PARTIAL"')] : [],
  fix: 'Keep the failure of a source with its run: do not carry it over to the next one.',
});
