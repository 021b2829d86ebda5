/** Keys in front of every actor: a check that stands in the code of each actor is missing from one of them sooner or later. */
import { hasStatus, Inconclusive, otherActors, rule, succeeded } from '../../../src/vocabulary.ts';
import { clauses } from '../../clauses/index.ts';
import { wrongInTheMiddle } from '../../language/near-misses.ts';
import { everything } from '../../language/sure.ts';

export const everyActor = rule({
  id: 'auth.every-actor',
  clause: clauses.keyOnEveryDataRequest,
  needs: ['key', 'other-actors'],
  without: everything,
  cases: (subject) => otherActors(subject).map((actor) => ({ name: actor.name, actor })),
  async ask({ run, read, key, case: { actor } }) {
    const own = actor.entitledKey ?? key;
    const wrong = [null, wrongInTheMiddle.of(own.secret)];
    const refused = [];
    for (const call of [read, run]) {
      // A refusal proves something only where the same call with a key is answered.
      if (!succeeded(await call({ actor, key: own }))) continue;
      for (const each of wrong) refused.push(await call({ actor, key: each }));
    }
    if (refused.length === 0) throw new Inconclusive(`neither reading nor running ${actor.name} succeeds with a key`);
    return refused;
  },
  judge: (refused) => refused.flatMap((exchange) => hasStatus(exchange, 401)),
  mend: 'Check the key in one place, in front of all actors, and not in each of them.',
});
