/** Sources that answer with a status of their own. Whether they have failed is left open; whose status it is, is not. */
import {
  type Case,
  type Exchange,
  observation,
  rule,
  type SourceBehaviour,
  statusFits,
  violation,
  whatCame,
} from '../../../src/vocabulary.ts';
import { clauses } from '../../clauses/index.ts';
import { allButActor, cleanRunOf, everySource } from '../../language/asking.ts';
import { reachesOne, succeeds } from '../../language/gates.ts';

interface Answering extends Case {
  readonly behaviour: SourceBehaviour;
}

/** What the service itself may say with 429 is its own limit: that one is not tried. */
const answering: readonly Answering[] = [401, 403, 404, 503].map((status) => ({
  name: `sources that answer ${status}`,
  behaviour: `status-${status}`,
}));

/** Key, actor and service are all right: a run just before and just after says so. */
const ofSources = [401, 403, 404, 503];

export const statusIsItsOwn = rule({
  id: 'upstream.status-is-its-own',
  clause: clauses.runStatusIsItsOwn,
  needs: ['key', 'sources'],
  actor: 'sources',
  without: ['history', 'company'],
  cases: () => answering,
  async *ask(ask) {
    yield* cleanRunOf(ask);
    yield { exchange: await ask.run({ sources: everySource(ask.case.behaviour) }) };
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
