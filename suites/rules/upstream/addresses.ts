/** The address of a source is all of it: what stands behind the question mark says which page is meant. */
import { expectNoServerError, rule, statusFits, succeeded, warning, whatCame } from '../../../src/vocabulary.ts';
import { clauses } from '../../clauses/index.ts';
import { allButActor, cleanRunOf } from '../../language/asking.ts';
import { inapplicableIf, reaches } from '../../language/gates.ts';

/** In the last of them, an ampersand that separates nothing (RFC 3986, section 2.2). */
const parameters = ['page=2', 'of=3', 'by=north%26south'];
/** A service may put more behind them, and in another order. */
const seen = [/(?:^|&)page=2/, /(?:^|&)of=3/, /(?:^|&)by=north%26south/];

/** Addresses of sources have no query of their own. */
const withQuery = (json: string): string =>
  json.replaceAll(/"(https?:\/\/[^"?#\\]+)"/g, (_, address: string) => `"${address}?${parameters.join('&')}"`);

/** The same sources, and another page of them. */
const withOtherPage = (json: string): string => json.replaceAll('page=2', 'page=7');

export const wholeAddresses = rule({
  id: 'upstream.whole-addresses',
  clause: clauses.workingSourcesGiveItems,
  needs: ['key', 'sources'],
  actor: 'sources',
  without: allButActor,
  async *ask(ask) {
    yield* cleanRunOf(ask);
    let exchange = await ask.run({ rewrite: withQuery });
    // A source may be late by chance.
    if (statusFits(exchange, ['5xx'])) exchange = await ask.run({ rewrite: withQuery });
    yield { exchange };
    yield { reached: succeeded(exchange) ? await ask.reached(exchange) : null };
    const other = succeeded(exchange) ? await ask.run({ again: exchange, rewrite: withOtherPage }) : null;
    yield { other };
    yield { reachedByBoth: other && succeeded(other) ? await ask.reached(other) : null };
  },
  given: ({ clean, reachedByClean, exchange }) => [
    reaches(clean, reachedByClean, 1),
    inapplicableIf(
      !!exchange && statusFits(exchange, ['4xx']),
      'the service does not take an address with a query for a source',
    ),
  ],
  // Runs of other times asked for one page alone.
  judge({ exchange, reached, other = null, reachedByBoth = null }) {
    if (!succeeded(exchange))
      return [warning(exchange, 'the items of sources whose addresses have a query', whatCame(exchange))];
    const { times, queries = [] } = reached ?? { times: 0 };
    const isWhole = queries.some((query) => seen.every((each) => each.test(query)));
    const isKept = times > 0 && other !== null && reachedByBoth?.times === times;
    if (isKept && isWhole)
      return [warning(other, 'sources to be asked for another page, too', 'what they said of the first one')];
    return times === 0 || isWhole
      ? []
      : [warning(exchange, 'sources to be asked by their whole address', 'their query was lost or changed')];
  },
  fix: 'Ask a source by the address as it was given: take it apart with a parser of addresses, and put all of it together again.',
});

/** Beyond what ports are: a text that many take for an address, and that nobody can call. */
const withoutPort = (json: string): string => json.replaceAll(/"(https?:\/\/[^"/?#\\:]+):\d+\//g, '"$1:99999/');

export const impossibleAddresses = rule({
  id: 'upstream.impossible-address',
  clause: clauses.badInputIsNoServerError,
  needs: ['key', 'sources'],
  actor: 'sources',
  without: allButActor,
  async *ask(ask) {
    yield* cleanRunOf(ask);
    yield { exchange: await ask.run({ rewrite: withoutPort }) };
  },
  given: ({ clean, reachedByClean, exchange }) => [
    reaches(clean, reachedByClean, 1),
    inapplicableIf(
      !!exchange && !exchange.request.body?.text?.includes(':99999/'),
      'the addresses of sources have no port that could be another one',
    ),
  ],
  // A source that cannot be called has failed, and a text that is no address is bad input.
  judge: ({ exchange }) => (statusFits(exchange, [502, 504]) ? [] : expectNoServerError(exchange)),
  fix: 'Parse the address of a source where its failure is caught, or refuse it as bad input: 400, 422, 502 or 504.',
});
