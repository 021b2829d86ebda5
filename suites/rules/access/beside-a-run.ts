/** Whoever joins equal runs to one must not let a caller join that has no access to the actor. */
import { rule } from '../../../src/vocabulary.ts';
import { clauses } from '../../clauses/index.ts';
import { cleanRunOf, patience } from '../../language/asking.ts';
import { reachesOne } from '../../language/gates.ts';
import { besideRun, expectRefusedBeside, wasUnderWay } from '../../language/under-way.ts';
import { barredFrom } from './access.ts';

export const barredBesideARun = rule({
  id: 'access.barred-beside-a-run',
  waits: true,
  clause: clauses.keyWithoutAccessIs403,
  needs: ['restricted-sources'],
  without: ['key', 'actor'],
  cases: (subject) => barredFrom(subject).filter(({ actor }) => actor.sources > 0),
  deadlineMs: patience,
  async *ask(ask) {
    const { entitled, barred } = ask.case;
    const clean = yield* cleanRunOf({ ...ask, run: (options) => ask.run({ key: entitled, ...options }) });
    yield* besideRun(ask, clean, { key: entitled, others: [barred] });
  },
  given: (evidence) => [...reachesOne(evidence), wasUnderWay(evidence)],
  judge: (evidence) => expectRefusedBeside(evidence, 403),
  fix: 'Check the access of each caller before you look for an equal run that is under way.',
});
