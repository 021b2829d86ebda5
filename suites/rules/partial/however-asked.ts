/** A run whose source fails says so, whatever its request says beside. */
import { type Case, kindOf, member, rule, succeeded, violation } from '../../../src/vocabulary.ts';
import { clauses } from '../../clauses/index.ts';
import { holdsObject } from '../../language/answers.ts';
import { everything } from '../../language/asking.ts';
import { asNew, type RunDress, runDresses } from '../../language/dresses.ts';
import { isPartial } from '../../language/expectations.ts';
import { isPartialRun } from '../../language/gates.ts';

export const howeverAsked = rule({
  id: 'partial.however-asked',
  clause: clauses.partialMeansSomeFailed,
  needs: ['key', 'two-sources'],
  actor: 'sources',
  without: everything,
  cases: (): readonly (Case & RunDress)[] => runDresses,
  async *ask({ run, usualLine, random, case: { how } }) {
    yield { plain: await run({ on: usualLine(), sources: { ok2: 'refused' } }) };
    yield { exchange: await run({ ...asNew(how, random), sources: { ok2: 'refused' } }) };
  },
  given: ({ plain }) => [isPartialRun(plain)],
  judge: ({ exchange }) =>
    succeeded(exchange) && holdsObject(exchange) && !isPartial(exchange)
      ? [violation(exchange, '`status` to be "PARTIAL", as of a plain run', kindOf(member(exchange, 'status')))]
      : [],
  fix: 'Take the status of a run from its sources alone.',
});
