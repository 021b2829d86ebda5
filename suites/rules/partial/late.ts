/** A source that answers later than the others: what it says counts, or it was given up. */
import { type Exchange, kindOf, member, rule, succeeded, violation, warning } from '../../../src/vocabulary.ts';
import { clauses } from '../../clauses/index.ts';
import { allButActor, cleanRunOf } from '../../language/asking.ts';
import { isPartial } from '../../language/expectations.ts';
import { inapplicableIf, inconclusiveIf, reachesOne } from '../../language/gates.ts';
import { holdsAll, plantedIn } from './many-sources.ts';

/** A machine may be too busy once, but hardly each time. */
const times = 3;

const tokensOf = (exchange: Exchange): readonly string[] => plantedIn(exchange).map(({ token }) => token);

/** Where nothing is there, every source failed: what is said then is another matter. */
const hasItems = (exchange: Exchange): boolean => {
  const items = member(exchange, 'items');
  return Array.isArray(items) && items.length > 0;
};

/** Neither what each source said, as in a clean run, nor a word that one is lacking. */
const hides = (clean: Exchange, exchange: Exchange): boolean =>
  succeeded(exchange) &&
  !isPartial(exchange) &&
  hasItems(exchange) &&
  holdsAll(clean, tokensOf(clean)) &&
  !holdsAll(exchange, tokensOf(exchange));

/** All that the sources said is there, as in a clean run: none of them can have failed. */
const exaggerates = (clean: Exchange, exchange: Exchange): boolean =>
  succeeded(exchange) &&
  isPartial(exchange) &&
  holdsAll(clean, tokensOf(clean)) &&
  holdsAll(exchange, tokensOf(exchange));

export const lateSource = rule({
  id: 'partial.late-source',
  clause: clauses.partialMeansSomeFailed,
  needs: ['key', 'sources'],
  actor: 'sources',
  without: allButActor,
  async *ask(ask) {
    const clean = yield* cleanRunOf(ask);
    const runs: Exchange[] = [];
    do runs.push(await ask.run({ sources: { ok: 'late' } }));
    while (runs.length < times && (hides(clean, runs.at(-1)!) || exaggerates(clean, runs.at(-1)!)));
    yield { runs };
    yield { broken: runs.every((each) => hides(clean, each)) ? await ask.run({ sources: { ok: 'refused' } }) : null };
  },
  given: ({ clean, broken, ...so }) => [
    ...reachesOne({ ...(clean && { clean }), ...so }),
    inconclusiveIf(!!clean && isPartial(clean), 'a clean run is PARTIAL too: another rule reports that'),
    inapplicableIf(
      !!broken && succeeded(broken) && !isPartial(broken),
      'PARTIAL is not said of a source that is refused either: another rule reports that',
    ),
  ],
  judge: ({ clean, runs }) =>
    runs.every((each) => hides(clean, each))
      ? [violation(runs[0], 'the items of a source that is late, or PARTIAL', kindOf(member(runs[0]!, 'items')))]
      : runs.every((each) => exaggerates(clean, each))
        ? [warning(runs[0], 'a status other than PARTIAL, because what each source said is there', '"PARTIAL"')]
        : [],
  fix: 'Wait for each source until it answers or is too slow: one that you give up has failed, and the run is PARTIAL.',
});
