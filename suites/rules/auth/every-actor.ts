/** Keys in front of every actor: a check that is in the code of each actor is missing from one of them sooner or later. */
import { expectStatus, otherActors, rule, succeeded } from '../../../src/vocabulary.ts';
import { clauses } from '../../clauses/index.ts';
import { everything } from '../../language/asking.ts';
import { inconclusiveIf } from '../../language/gates.ts';
import { withOtherPrefix, wrongInTheMiddle } from '../../language/near-misses.ts';

export const everyActor = rule({
  id: 'auth.every-actor',
  clause: clauses.keyOnEveryDataRequest,
  needs: ['key', 'other-actors'],
  without: everything,
  cases: (subject) => otherActors(subject).map((actor) => ({ name: actor.name, actor })),
  about: ({ case: { actor } }) => ({ name: actor.name }),
  async ask({ run, read, key, subject, case: { actor } }) {
    const own = actor.entitledKey ?? key;
    // A key of the other environment may be taken for one that needs no record.
    const wrong = [null, wrongInTheMiddle.of(own.secret), withOtherPrefix.of(own.secret), subject.admin?.token ?? null];
    const refused = [];
    for (const call of [read, run]) {
      // A refusal proves something only where the same call with a key is answered.
      if (!succeeded(await call({ actor, key: own }))) continue;
      for (const each of wrong) refused.push(await call({ actor, key: each }));
    }
    return refused;
  },
  given: (refused, { name }) => [
    inconclusiveIf(refused.length === 0, `neither reading nor running ${name} succeeds with a key`),
  ],
  judge: (refused) => refused.flatMap((exchange) => expectStatus(exchange, 401)),
  fix: 'Check the key in one place in front of all actors, not in each actor.',
});
