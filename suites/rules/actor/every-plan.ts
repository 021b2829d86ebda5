/** Who may run an actor may read what it takes, by a key of whatever plan. */
import { type Case, expectStatus, type Key, rule, type Subject } from '../../../src/vocabulary.ts';
import { clauses } from '../../clauses/index.ts';
import { allButActor } from '../../language/asking.ts';
import { furtherKeys, isOpenTo, noFurtherKey, usualKey } from '../../language/further-keys.ts';
import { succeeds } from '../../language/gates.ts';

const casesOf = (subject: Subject): readonly (Case & { readonly key: Key })[] | string => {
  const keys = furtherKeys(subject);
  return keys.length === 0 ? noFurtherKey : keys.map((key) => ({ name: `by the key ${key.name}`, key }));
};

export const forEveryPlan = rule({
  id: 'actor.for-every-plan',
  clause: clauses.readGivesSchema,
  needs: ['key', 'clean'],
  actor: 'clean',
  without: allButActor,
  cases: casesOf,
  async *ask({ read, run, subject }) {
    const usual = usualKey(subject);
    yield { clean: await run() };
    yield { usual: usual === undefined ? null : await read({ key: usual }) };
    yield { exchange: await read() };
  },
  given: ({ clean, usual }) => [
    isOpenTo(clean),
    succeeds(clean, 'a run with such a key'),
    succeeds(usual, 'a read with the usual key'),
  ],
  // What it says is looked at with every read.
  judge: ({ exchange }) => expectStatus(exchange, '2xx'),
  fix: 'Show the schema of an actor to every key that may run it.',
});
