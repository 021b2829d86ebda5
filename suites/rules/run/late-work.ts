/** What refused runs do after everybody has looked. */
import { rule, statusFits, violation } from '../../../src/vocabulary.ts';
import { clauses } from '../../clauses/index.ts';
import { everything } from '../../language/asking.ts';
import { inapplicableIf } from '../../language/gates.ts';

const refusals = [400, 401, 403, 422];

export const noLateWork = rule({
  id: 'run.refusal-does-no-late-work',
  clause: clauses.refusedRunDoesNotRun,
  needs: ['key', 'sources'],
  without: everything,
  // What was put into a queue has had the time of all other rules by then.
  alone: 'end',
  ask: async ({ reachedLater }) => ({ idle: reachedLater().filter(({ of }) => statusFits(of, refusals)) }),
  given: ({ idle }) => [inapplicableIf(idle?.length === 0, 'no refused run named a source')],
  judge: ({ idle }) =>
    idle
      .filter(({ times }) => times > 0)
      .map(({ of, times }) =>
        violation(of, 'a refused run to reach no source, later neither', `${times} reached after the refusal`),
      ),
  fix: 'Decide before the run is queued or its sources are fetched ahead: what is refused leaves no work behind.',
});
