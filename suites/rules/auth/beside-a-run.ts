/** Whoever joins equal runs to one must not let a caller join before its key was looked at. */
import { rule } from '../../../src/vocabulary.ts';
import { clauses } from '../../clauses/index.ts';
import { cleanRunOf, everything, patience } from '../../language/asking.ts';
import { reachesOne } from '../../language/gates.ts';
import { wrongInTheMiddle } from '../../language/near-misses.ts';
import { besideRun, expectRefusedBeside, wasUnderWay } from '../../language/under-way.ts';

export const refusedBesideARun = rule({
  id: 'auth.refused-beside-a-run',
  waits: true,
  clause: clauses.keyOnEveryDataRequest,
  needs: ['key', 'sources'],
  actor: 'sources',
  without: everything,
  deadlineMs: patience,
  async *ask(ask) {
    const clean = yield* cleanRunOf(ask);
    yield* besideRun(ask, clean, { key: ask.key, others: [null, wrongInTheMiddle.of(ask.key.secret)] });
  },
  given: (evidence) => [...reachesOne(evidence), wasUnderWay(evidence)],
  judge: (evidence) => expectRefusedBeside(evidence, 401),
  fix: 'Check the key of each caller before you look for an equal run that is under way.',
});
