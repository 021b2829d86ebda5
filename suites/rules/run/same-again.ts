/** The very same run, once more: an input does not wear out. */
import {
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
import { allButActor } from '../../language/asking.ts';
import { inconclusiveIf, succeeds } from '../../language/gates.ts';

const echoes = (first: Exchange, exchange: Exchange): boolean =>
  first.planted?.nonce !== undefined && holdsText(member(exchange, 'items'), first.planted.nonce);

const repetitions = 2;

export const sameRunAgain = rule({
  id: 'run.same-run-again',
  clause: clauses.runGivesItsOwnItems,
  needs: ['key', 'echo'],
  actor: 'echo',
  without: allButActor,
  async *ask({ run }) {
    const first = await run();
    yield { first };
    const again: Exchange[] = [];
    for (let turn = 0; turn < repetitions; turn += 1) again.push(await run({ again: first }));
    yield { again };
  },
  given: ({ first }) => [
    succeeds(first, 'a run'),
    inconclusiveIf(!!first && !echoes(first, first), 'the items do not contain the nonce: the actor does not echo'),
  ],
  // Whoever refuses to do the same again says so with a status of the client; what fails once may fail by chance.
  judge: ({ first, again }) => {
    const lost = again.filter((each) => statusFits(each, 500) || (succeeded(each) && !echoes(first, each)));
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
