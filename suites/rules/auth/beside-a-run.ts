/** Whoever joins equal runs to one must not let a caller join before its key was looked at. */
import { type Exchange, expectStatus, rule, succeeded } from '../../../src/vocabulary.ts';
import { clauses } from '../../clauses/index.ts';
import { cleanRunOf, everything, patience } from '../../language/asking.ts';
import { reachesOne, succeeds } from '../../language/gates.ts';
import { wrongInTheMiddle } from '../../language/near-misses.ts';
import { besideRun, expectRefusedBeside, wasUnderWay } from '../../language/under-way.ts';

/** Each run of an echo actor has an input of its own, which is known once it has run. */
export const refusedForKnownInputs = rule({
  id: 'auth.refused-for-known-inputs',
  clause: clauses.keyOnEveryDataRequest,
  needs: ['key', 'echo'],
  actor: 'echo',
  without: everything,
  async *ask({ run, key }) {
    const clean = await run();
    yield { clean };
    const refused: Exchange[] = [];
    for (const other of [null, wrongInTheMiddle.of(key.secret)])
      if (succeeded(clean)) refused.push(await run({ again: clean, key: other }));
    yield { refused };
  },
  given: ({ clean }) => [succeeds(clean, 'a clean run')],
  judge: ({ refused }) => refused.flatMap((each) => expectStatus(each, 401)),
  fix: 'Check the key of each caller before you look for a result that is known already.',
});

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
