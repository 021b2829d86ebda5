/** Sources that fail while a key of another plan waits for them. */
import { type Case, type Key, type RunOptions, rule, type Subject, statusFits } from '../../../src/vocabulary.ts';
import { clauses } from '../../clauses/index.ts';
import { allButActor, cleanRunOf, everySource } from '../../language/asking.ts';
import { expectFailureOfSources, expectPartial, isPartial } from '../../language/expectations.ts';
import { furtherKeys, isOpenTo, noFurtherKey, usualKey } from '../../language/further-keys.ts';
import { inapplicableIf, reaches } from '../../language/gates.ts';

interface ByPlan extends Case {
  readonly key: Key;
  readonly isAll: boolean;
}

function casesOf(subject: Subject): readonly ByPlan[] | string {
  const keys = furtherKeys(subject);
  if (keys.length === 0) return noFurtherKey;
  return keys.flatMap((key) => [
    { name: `one source fails, by the key ${key.name}`, key, isAll: false },
    { name: `all sources fail, by the key ${key.name}`, key, isAll: true },
  ]);
}

const ofSources = [502, 504];

export const forEveryPlan = rule({
  id: 'partial.for-every-plan',
  clause: clauses.partialMeansSomeFailed,
  needs: ['key', 'two-sources'],
  actor: 'sources',
  without: allButActor,
  cases: casesOf,
  about: ({ case: { isAll } }) => ({ isAll }),
  async *ask(ask) {
    const usual = usualKey(ask.subject);
    const sources: RunOptions['sources'] = ask.case.isAll ? everySource('refused') : { ok2: 'refused' };
    yield* cleanRunOf(ask);
    yield { usual: await ask.run({ sources, ...(usual && { key: usual }) }) };
    yield { exchange: await ask.run({ sources }) };
  },
  given: ({ clean, reachedByClean, usual }, { isAll }) => [
    isOpenTo(clean),
    reaches(clean, reachedByClean, 1),
    inapplicableIf(!!reachedByClean && reachedByClean.times < 2, 'a run with such a key does not read both sources'),
    inapplicableIf(
      usual !== undefined && (isAll ? !statusFits(usual, ofSources) : !isPartial(usual)),
      `the usual key does not get ${isAll ? '502 or 504' : 'PARTIAL'} either; other rules report that`,
    ),
  ],
  judge: ({ exchange }, { isAll }) => (isAll ? expectFailureOfSources(exchange, false) : expectPartial(exchange, true)),
  fix: 'Say that sources failed to every caller alike, whatever the plan of the key.',
});
