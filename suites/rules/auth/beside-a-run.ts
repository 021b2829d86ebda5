/** Whoever joins equal runs to one must not let a caller join before its key was looked at. */
import {
  type Ask,
  type Credential,
  type Exchange,
  expectStatus,
  type Gate,
  type Key,
  rule,
  statusFits,
  succeeded,
} from '../../../src/vocabulary.ts';
import { clauses } from '../../clauses/index.ts';
import { cleanRunOf, everything, patience } from '../../language/asking.ts';
import { inapplicableIf, reachesOne, succeeds } from '../../language/gates.ts';
import { wrongInTheMiddle } from '../../language/near-misses.ts';
import { besideRun, expectRefusedBeside, wasUnderWay } from '../../language/under-way.ts';

const othersThan = (key: Key): readonly Credential[] => [null, wrongInTheMiddle.of(key.secret)];

/** With inputs of their own. */
async function controlled(run: Ask<unknown>['run'], key: Key): Promise<readonly Exchange[]> {
  const answers: Exchange[] = [];
  for (const other of othersThan(key)) answers.push(await run({ key: other }));
  return answers;
}

const areRefused = (control: readonly Exchange[] = []): readonly Gate[] =>
  control.map((each) =>
    inapplicableIf(
      !statusFits(each, [401]),
      'a run without a valid key is not refused with 401 anyway: another rule reports that',
    ),
  );

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
    yield { control: await controlled(run, key) };
    const refused: Exchange[] = [];
    for (const other of othersThan(key)) if (succeeded(clean)) refused.push(await run({ again: clean, key: other }));
    yield { refused };
  },
  given: ({ clean, control }) => [succeeds(clean, 'a clean run'), ...areRefused(control)],
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
    yield { control: await controlled(ask.run, ask.key) };
    yield* besideRun(ask, clean, { key: ask.key, others: othersThan(ask.key) });
  },
  given: ({ control, ...evidence }) => [...reachesOne(evidence), ...areRefused(control), wasUnderWay(evidence)],
  judge: (evidence) => expectRefusedBeside(evidence, 401),
  fix: 'Check the key of each caller before you look for an equal run that is under way.',
});
