/** A run gives what it gives, whatever its request says beside. */
import { type Case, rule, succeeded, violation } from '../../../src/vocabulary.ts';
import { clauses } from '../../clauses/index.ts';
import { echoes, holdsObject } from '../../language/answers.ts';
import { everything } from '../../language/asking.ts';
import { asNew, type RunDress, runDresses } from '../../language/dresses.ts';
import { inapplicableIf, succeeds } from '../../language/gates.ts';

export const howeverAsked = rule({
  id: 'run.however-asked',
  clause: clauses.runGivesItsOwnItems,
  needs: ['key', 'echo'],
  actor: 'echo',
  without: everything,
  // What others ask at the same time is for other rules.
  alone: true,
  cases: (): readonly (Case & RunDress)[] => runDresses,
  async *ask({ run, usualLine, random, case: { how } }) {
    yield { plain: await run({ on: usualLine() }) };
    yield { exchange: await run(asNew(how, random)) };
  },
  given: ({ plain }) => [
    succeeds(plain, 'the same run, asked plainly'),
    inapplicableIf(plain !== undefined && !echoes(plain), 'the items of a plain run do not hold its nonce'),
  ],
  // A form may be refused, or a page be given to who asks for one: other rules look at that.
  judge: ({ exchange }) =>
    succeeded(exchange) && holdsObject(exchange) && !echoes(exchange)
      ? [violation(exchange, 'the items to hold what stood in the input, as of a plain run', 'items without it')]
      : [],
  fix: 'Run an actor on its input alone: no header, no query and no coding of the body changes what it gives.',
});
