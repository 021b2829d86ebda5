import {
  type Actor,
  type Case,
  expectStatus,
  type Key,
  mayRun,
  observation,
  rule,
  type Subject,
  type Twin,
  whatCame,
} from '../../../src/vocabulary.ts';
import { clauses } from '../../clauses/index.ts';
import { workOf } from '../../language/asking.ts';
import { expectNoWork, expectVerified } from '../../language/expectations.ts';
import { refusedWork } from '../../language/gates.ts';

export interface Barred extends Case {
  readonly actor: Actor;
  readonly entitled: Key;
  readonly barred: Key;
}

/**
 * Every actor that some key may not run, with each such key. Where the profile states no facts and there are several actors,
 * a key that lacks access to one may have it to another: then each actor has its own key alone.
 */
export function barredFrom({ actors, keys }: Subject): readonly Barred[] {
  const restricted = actors.restricted.filter(
    (actor, at, all) => all.findIndex(({ name }) => name === actor.name) === at,
  );
  return restricted.flatMap((actor) => {
    const { entitledKey: entitled, restrictedKey } = actor;
    if (entitled === undefined || restrictedKey === undefined) return [];
    const others = keys.filter((key) => {
      const may = actor.needs === undefined ? undefined : mayRun(actor.needs, key);
      return may === false || (may === undefined && restricted.length === 1 && key.role === 'restricted');
    });
    const barred = [restrictedKey, ...others.filter(({ name }) => name !== restrictedKey.name)];
    return barred.map((key) => ({ name: `${actor.name} with the key ${key.name}`, actor, entitled, barred: key }));
  });
}

/** Each of these actors, with every key of which it is known that it may run it. */
function entitledTo(subject: Subject): readonly Barred[] {
  const actors = new Map(barredFrom(subject).map((each) => [each.actor.name, each]));
  return [...actors.values()].flatMap((each) => {
    const { actor, entitled } = each;
    const others = subject.keys.filter((key) => actor.needs !== undefined && mayRun(actor.needs, key) === true);
    const may = [entitled, ...others.filter(({ name, kind }) => name !== entitled.name && kind !== 'issued')];
    return may.map((key) => ({ ...each, name: `${actor.name} with the key ${key.name}`, entitled: key }));
  });
}

const entitledRun: Twin = {
  name: 'entitled-run',
  ask: ({ run, actor }) => run({ key: actor.entitledKey ?? null }),
};

export const restrictedRun = rule({
  id: 'access.restricted-run',
  clause: clauses.keyWithoutAccessIs403,
  needs: ['restricted'],
  without: ['key', 'actor'],
  cases: barredFrom,
  twin: entitledRun,
  ask: ({ run, case: { barred } }) => run({ key: barred }),
  judge: (exchange) => expectStatus(exchange, 403),
  fix: 'Answer 403, not 401 or a result, to a valid key that lacks the tier or feature.',
});

export const restrictedKeyIsValid = rule({
  id: 'access.restricted-key-is-valid',
  clause: clauses.restrictedKeyIsValid,
  needs: ['restricted'],
  without: ['key', 'actor'],
  cases: barredFrom,
  ask: ({ verify, case: { barred } }) => verify({ key: barred }),
  judge: expectVerified,
  fix: 'Report whether the key is valid, not what it may do: a lower plan does not make it invalid.',
});

export const runWithAccess = rule({
  id: 'access.entitled-run',
  clause: clauses.keyWithAccessRuns,
  needs: ['restricted'],
  without: ['key', 'actor'],
  cases: entitledTo,
  ask: ({ run, case: { entitled } }) => run({ key: entitled }),
  judge: (exchange) => expectStatus(exchange, '2xx'),
  fix: 'Compare the tier and the features of the presented key with what the actor needs, by name.',
});

export const refusalDoesNoWork = rule({
  id: 'access.refusal-does-no-work',
  waits: true,
  clause: clauses.refusedRunDoesNotRun,
  needs: ['restricted-sources'],
  without: ['key', 'actor'],
  cases: (subject) => barredFrom(subject).filter(({ actor }) => actor.sources > 0),
  ask: ({ run, reached, case: { barred, entitled } }) =>
    workOf({ run: (options) => run({ key: entitled, ...options }), reached }, { key: barred }),
  given: refusedWork,
  judge: expectNoWork,
  fix: 'Decide about access before the actor starts, not in parallel.',
});

export const restrictedRead = observation({
  id: 'access.restricted-read',
  clause: clauses.restrictedReadNotShown,
  needs: ['restricted'],
  cases: barredFrom,
  ask: ({ read, case: { barred } }) => read({ key: barred }),
  observe: (exchange) => [`reading an actor that the key may not run gets ${whatCame(exchange)}`],
  fix: 'Nothing to fix: the specification leaves open whether such a key may read the schema.',
});
