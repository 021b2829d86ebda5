/** The very same run, once more: an input does not wear out. */
import {
  type Actor,
  type Case,
  type Exchange,
  holdsText,
  kindOf,
  member,
  rule,
  statusFits,
  succeeded,
  warning,
  whatCame,
} from '../../../src/vocabulary.ts';
import { clauses } from '../../clauses/index.ts';
import { everything } from '../../language/asking.ts';
import { isPartial } from '../../language/expectations.ts';
import { inconclusiveIf, succeeds } from '../../language/gates.ts';
import { marksIn, showing } from '../../language/marks.ts';

/** A source may have failed meanwhile, and then the run says so. */
const lacks = (first: Exchange, exchange: Exchange): boolean =>
  succeeded(exchange) &&
  !isPartial(exchange) &&
  marksIn(first).some((mark) => !holdsText(member(exchange, 'items'), mark));

const repetitions = 2;

interface Repeated extends Case {
  readonly actor: Actor;
}

export const sameRunAgain = rule({
  id: 'run.same-run-again',
  clause: clauses.runGivesItsOwnItems,
  needs: ['key', 'clean'],
  without: everything,
  cases: (subject): readonly Repeated[] | string => {
    const actors = showing(subject);
    return actors.length === 0
      ? 'no actor of the profile echoes its input or reads sources'
      : actors.map((actor) => ({ name: actor.name, actor }));
  },
  async *ask({ run, line, case: { actor } }) {
    const on = line();
    const first = await run({ actor, on });
    yield { first };
    const again: Exchange[] = [];
    for (let turn = 0; turn < repetitions; turn += 1) again.push(await run({ actor, on, again: first }));
    yield { again };
  },
  given: ({ first }) => [
    succeeds(first, 'a run'),
    inconclusiveIf(
      !!first && marksIn(first).length === 0,
      'the items contain neither the nonce nor what a source said: the actor does not show whose they are',
    ),
  ],
  // Whoever refuses to do the same again says so with a status of the client; what fails once may fail by chance.
  judge: ({ first, again }) => {
    const lost = again.filter((each) => statusFits(each, 500) || lacks(first, each));
    return lost.length < repetitions
      ? []
      : lost
          .slice(0, 1)
          .map((each) =>
            warning(
              each,
              'the items that the same input gave a moment ago',
              succeeded(each) ? `${kindOf(member(each, 'items'))} without them` : whatCame(each),
            ),
          );
  },
  fix: 'Run the actor again for the same input, or return the whole result that was kept: a repeated input must not come back empty.',
});
