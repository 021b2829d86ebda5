/** 403 says that the key lacks access to an actor, and is no answer to anything else that such a key asks. */
import {
  type Actor,
  type Case,
  type Json,
  type Key,
  rule,
  type Subject,
  statusFits,
  violation,
  whatCame,
} from '../../../src/vocabulary.ts';
import { clauses } from '../../clauses/index.ts';
import { invented } from '../../language/asking.ts';
import { inapplicableIf, succeeds } from '../../language/gates.ts';
import { validatingActors } from '../../language/wrong-inputs.ts';

interface Elsewhere extends Case {
  readonly key: Key;
  readonly actor: Actor;
  /** If omitted: an actor that nobody has. */
  readonly input?: Json;
}

/** Each key that lacks access to some actor once, with actors that are open to it. */
function elsewhere(subject: Subject): readonly Elsewhere[] {
  const barred = subject.actors.restricted.flatMap(({ restrictedKey }) => restrictedKey ?? []);
  const keys = new Map(barred.map((key) => [key.name, key]));
  const [open] = subject.actors.clean;
  const wrong = validatingActors(subject).flatMap(({ actor, key }) => {
    const mutant = actor.mutants.find(({ fault }) => fault === 'missing') ?? actor.mutants[0];
    return key === undefined && mutant !== undefined ? [{ actor, mutant }] : [];
  });
  return [...keys.values()].flatMap((key) => [
    ...(open === undefined ? [] : [{ name: `an unknown actor, with the key ${key.name}`, key, actor: open }]),
    ...wrong.map(({ actor, mutant: { field, input } }) => ({
      name: `${actor.name} with a wrong ${field}, with the key ${key.name}`,
      key,
      actor,
      input,
    })),
  ]);
}

export const fewRights = rule({
  id: 'access.few-rights-elsewhere',
  clause: clauses.keyWithoutAccessIs403,
  needs: ['restricted', 'clean'],
  without: ['key', 'actor'],
  cases: elsewhere,
  about: ({ case: { input } }) => ({ unknown: input === undefined }),
  async *ask({ run, case: { input }, random }) {
    yield { clean: await run() };
    yield { exchange: await run(input === undefined ? { actor: invented(random) } : { input }) };
  },
  given: ({ clean }) => [
    inapplicableIf(clean !== undefined && statusFits(clean, [403]), 'this actor is not open to such a key'),
    succeeds(clean, 'a run with a key of few rights'),
  ],
  // Another wrong status is that for any key: other rules ask for it.
  judge: ({ exchange }, { unknown }) =>
    statusFits(exchange, [403]) ? [violation(exchange, unknown ? '404' : '400 or 422', whatCame(exchange))] : [],
  fix: 'Look up the actor and validate its input as for any other key: answer 403 only where the actor needs what the key lacks.',
});
