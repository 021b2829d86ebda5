/** A limit for each source is none for a run that reads many of them one after the other. */
import { rule } from '../../../src/vocabulary.ts';
import { clauses } from '../../clauses/index.ts';
import { allButActor, cleanRunOfMany, everySource, givesUpSoon, patience } from '../../language/asking.ts';
import { inapplicableIf, reachesOne } from '../../language/gates.ts';
import { takesLongList } from '../partial/many-sources.ts';
import { expectWithin } from './upstream.ts';

/** A few may be read at once, and the others after them. */
const inTurns = 2;

export const boundedForMany = rule({
  id: 'upstream.bounded-for-many',
  clause: clauses.answersComeInTime,
  needs: ['key', 'many-sources', 'upstream-bound'],
  actor: 'sources',
  without: allButActor,
  // Other runs may be in the way of so many.
  alone: true,
  answering: true,
  deadlineMs: patience,
  about: ({ subject }) => ({
    withinMs: inTurns * subject.bounds.upstreamMs,
    isLong: !givesUpSoon(subject),
  }),
  async *ask(ask) {
    yield* cleanRunOfMany(ask);
    yield { exchange: await ask.run({ input: ask.actor.manySources ?? null, sources: everySource('slow') }) };
  },
  given: (clean, { isLong }) => [
    inapplicableIf(isLong, 'the stated bound is so long that everything else would wait for this'),
    takesLongList(clean.clean),
    ...reachesOne(clean),
  ],
  judge: ({ exchange }, { withinMs }) => expectWithin(exchange, withinMs),
  fix: 'Limit the total time that a run waits for all of its sources, not only for each of them.',
});
