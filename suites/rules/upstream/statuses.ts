/** Sources that answer with a status of their own. Whether they have failed is left open; whose status it is, is not. */
import {
  type Actor,
  type Case,
  type Exchange,
  type Key,
  observation,
  type RunOptions,
  rule,
  type SourceBehaviour,
  type Subject,
  statusFits,
  succeeded,
  violation,
  whatCame,
} from '../../../src/vocabulary.ts';
import { clauses } from '../../clauses/index.ts';
import { allButActor, cleanRunOf, everySource, runnableRestricted } from '../../language/asking.ts';
import { inconclusiveIf, reachesOne, succeeds } from '../../language/gates.ts';

interface OfSources extends Case {
  readonly actor?: Actor;
  /** One of two alone, and the other one works. */
  readonly ofOne?: true;
}

interface Answering extends OfSources {
  readonly behaviour: SourceBehaviour;
}

const sourcesOf = ({ ofOne }: OfSources, behaviour: SourceBehaviour): NonNullable<RunOptions['sources']> =>
  ofOne ? { ok2: behaviour } : everySource(behaviour);

/** A 429 may be the service's own: that one has a rule of its own. */
const statuses = [401, 403, 404, 503];

const answering = statuses.map(
  (status): Answering => ({ name: `sources that answer ${status}`, behaviour: `status-${status}` }),
);

/** It names no place to go to. */
const turningAway: Answering = { name: 'sources that redirect to nowhere', behaviour: 'status-302' };

/** Key, actor and service are all right: a run just before and just after says so. */
const ofSources = [301, 302, 303, 307, 308, 401, 403, 404, 503];

/** Each actor may read its sources by code of its own: those that are not asked anyway, each once. */
function further(subject: Subject): readonly { readonly actor: Actor; readonly key?: Key }[] {
  const restricted = runnableRestricted(subject).filter(({ actor }) => actor.sources > 0);
  const all = [...subject.actors.sources.map((actor) => ({ actor })), ...restricted];
  return all.filter(({ actor }, at) => at > 0 && all.findIndex((each) => each.actor.name === actor.name) === at);
}

const byFurther = (subject: Subject): readonly Answering[] =>
  further(subject).flatMap((each) =>
    answering.map((one) => ({ ...one, ...each, name: `${each.actor.name}: ${one.name}` })),
  );

/** Who leaves its work at the first answer that is no success passes it on here, too. */
function byOne<Of extends object>({ actors }: Subject, name: string, of: Of): readonly (Of & OfSources)[] {
  const actor = actors.sources.find(({ sources }) => sources === 2);
  return actor === undefined ? [] : [{ ...of, name, actor, ofOne: true }];
}

export const statusIsItsOwn = rule({
  id: 'upstream.status-is-its-own',
  inOneGo: true,
  clause: clauses.runStatusIsItsOwn,
  needs: ['key', 'sources'],
  actor: 'sources',
  without: ['history', 'company'],
  cases: (subject): readonly Answering[] => [
    ...answering,
    turningAway,
    ...byFurther(subject),
    ...byOne(subject, 'one source of two that answers 403', { behaviour: 'status-403' as const }),
  ],
  async *ask(ask) {
    yield* cleanRunOf(ask);
    yield { exchange: await ask.run({ sources: sourcesOf(ask.case, ask.case.behaviour) }) };
    yield { after: await ask.run() };
  },
  given: ({ clean, reachedByClean, after }) => [
    ...reachesOne({ ...(clean && { clean }), ...(reachedByClean !== undefined && { reachedByClean }) }),
    succeeds(after, 'the next clean run'),
  ],
  judge: ({ exchange }) => (statusFits(exchange, ofSources) ? [passedThrough(exchange)] : []),
  fix: 'Return the status of the run, not of its source: 502 or 504 if sources returned nothing, whatever their own status.',
});

const passedThrough = (exchange: Exchange) =>
  violation(exchange, 'a status of the run itself, because key, actor and service are fine', whatCame(exchange));

/** A limiter that refuses these and no other run, every time, would have to know the sources. */
const enough = 3;
const most = 6;
const longestRestMs = 4000;

interface Turn {
  readonly [name: string]: Exchange;
  readonly limited: Exchange;
  readonly clean: Exchange;
}

/** The clean run next to it was admitted at once: the refusal was not for calling too often. */
const tells = ({ limited, clean }: Turn): boolean =>
  statusFits(limited, 429) && succeeded(clean) && clean.earlier === undefined;

export const limitIsItsOwn = rule({
  id: 'upstream.limit-is-its-own',
  clause: clauses.runStatusIsItsOwn,
  needs: ['key', 'sources'],
  actor: 'sources',
  without: allButActor,
  // Where the service limits its callers, what others ask would leave nothing for the clean run.
  alone: true,
  deadlineMs: () => 2 * most * longestRestMs + 30_000,
  meets429: true,
  cases: (subject): readonly OfSources[] => [
    { name: 'sources that answer 429' },
    ...further(subject).map((each) => ({ ...each, name: `${each.actor.name}: sources that answer 429` })),
    ...byOne(subject, 'one source of two that answers 429', {}),
  ],
  async *ask(ask) {
    yield* cleanRunOf(ask);
    const turns: Turn[] = [];
    let restMs = 0;
    while (turns.length < most && turns.filter(tells).length < enough) {
      await ask.sleep(restMs);
      const limited = await ask.run({ sources: sourcesOf(ask.case, 'status-429'), once: true });
      await ask.sleep(restMs);
      const turn = { limited, clean: await ask.run() };
      turns.push(turn);
      if (!statusFits(limited, 429)) break;
      // Where the service limits its callers, a rested one is admitted.
      if (!tells(turn)) restMs = Math.min(2 * restMs + 1000, longestRestMs);
    }
    yield { turns };
  },
  given: ({ clean, reachedByClean, turns }) => [
    ...reachesOne({ ...(clean && { clean }), ...(reachedByClean !== undefined && { reachedByClean }) }),
    inconclusiveIf(
      !!turns && turns.every(({ limited }) => statusFits(limited, 429)) && turns.filter(tells).length < enough,
      'clean runs got 429 too: the service limits its callers',
    ),
  ],
  judge: ({ turns }) => {
    const telling = turns.filter(tells);
    return telling.length < enough ? [] : [passedThrough(telling[0]!.limited)];
  },
  fix: 'Answer 429 only for your own limits: a source that limits you has failed, so return 502 or 504.',
});

export const answersOfSources = observation({
  id: 'upstream.answers-of-sources',
  clause: clauses.failedSourceNotShown,
  needs: ['key', 'sources'],
  actor: 'sources',
  without: allButActor,
  cases: () => [...answering, { name: 'sources that answer 500', behaviour: 'status-500' as const }],
  about: ({ case: { name } }) => ({ name }),
  ask: async ({ run, case: { behaviour } }) => ({ exchange: await run({ sources: everySource(behaviour) }) }),
  observe: ({ exchange }, { name }) => [`${name}: the run gets ${whatCame(exchange)}`],
  fix: 'Nothing to fix: the specification leaves open whether such a source counts as failed.',
});
