/** What a source hears of the caller: not the key by which the caller is known to the service. */
import { type Case, rule, type SourceBehaviour, type Subject, violation } from '../../../src/vocabulary.ts';
import { clauses } from '../../clauses/index.ts';
import { cleanRunOf, everySource, runnableRestricted } from '../../language/asking.ts';
import { secretsSent } from '../../language/echoes.ts';
import { reaches } from '../../language/gates.ts';

interface Told extends Case {
  readonly behaviour?: SourceBehaviour;
}

/** Whoever asks a source again may do so by other code. */
const ways: readonly Told[] = [
  { name: 'sources that work' },
  { name: 'sources that break the connection', behaviour: 'reset' },
  { name: 'sources that answer 500', behaviour: 'status-500' },
];

/** Actors that not every key may run. */
const ofRestricted = (subject: Subject): readonly Told[] =>
  runnableRestricted(subject)
    .filter(({ actor }) => actor.sources > 0)
    .map((each) => ({ ...each, name: `sources of ${each.actor.name}` }));

export const sourcesSeeNoKey = rule({
  id: 'upstream.sees-no-key',
  clause: clauses.sourcesSeeNoKey,
  needs: ['key', 'sources'],
  actor: 'sources',
  without: ['connection', 'history', 'company'],
  cases: (subject) => [...ways, ...ofRestricted(subject)],
  async *ask(ask) {
    yield* cleanRunOf(ask);
    const { behaviour } = ask.case;
    const failed = behaviour === undefined ? null : await ask.run({ sources: everySource(behaviour) });
    yield { failed: failed && (await ask.reached(failed)) };
  },
  given: ({ clean, reachedByClean }) => [reaches(clean, reachedByClean, 1)],
  // Runs of other times asked sources that work.
  judge: ({ clean, reachedByClean, failed = null }) =>
    [
      ...(reachedByClean ? [{ of: clean, heard: reachedByClean.heard ?? [] }] : []),
      ...(failed === null ? [] : [{ of: failed.of, heard: failed.heard ?? [] }]),
    ].flatMap(({ of, heard }) =>
      secretsSent(of, heard).map((shown) =>
        violation(of, 'a source that is not told the key', `${shown} in the request that reached it`),
      ),
    ),
  fix: 'Ask sources with headers of your own: do not pass on those of the call, above all X-API-Key.',
});
