/** What failing sources leave behind for all runs, not only for the next one. */
import { type Exchange, expectStatus, statusFits, succeeded, sweep } from '../../../src/vocabulary.ts';
import { clauses } from '../../clauses/index.ts';
import { allButActor, everySource, givesUpSoon, patience, pausesMs } from '../../language/asking.ts';
import { isPartial } from '../../language/expectations.ts';

/** As many failures in a row as a circuit breaker usually waits for. */
const atOnce = 6;

const ofSources = [500, 502, 503, 504];

/** A call without an answer is asked so often: chance does not lose as many in a row. */
const triesMs = [...pausesMs, 500, 500, 500];

const isUnanswered = ({ response, failure }: Exchange): boolean =>
  response === undefined && failure?.kind === 'too-slow';

const failed = (exchange: Exchange): boolean => statusFits(exchange, ofSources) || isUnanswered(exchange);

export const worksToTheEnd = sweep({
  id: 'upstream.works-to-the-end',
  clause: clauses.failureDoesNotStick,
  needs: ['key', 'sources'],
  actor: 'sources',
  without: allButActor,
  // After the others, whose sources failed in every way; nothing fails while it waits.
  alone: true,
  answering: true,
  deadlineMs: (subject) =>
    (triesMs.length + 2) * subject.bounds.timeoutMs + triesMs.reduce((sum, each) => sum + each, 0) + patience(subject),
  async *provoke({ run, sleep, subject }) {
    await Promise.all(Array.from({ length: atOnce }, () => run({ sources: everySource('refused') })));
    let clean = await run();
    for (const [at, pause] of triesMs.entries()) {
      if (succeeded(clean) && !isPartial(clean)) break;
      if (at >= pausesMs.length && !isUnanswered(clean)) break;
      await sleep(pause);
      clean = await run();
    }
    yield { clean };
    if (!succeeded(clean) || !givesUpSoon(subject)) return;
    // Beside other runs that meet slow sources, a clean run that fails shows nothing. Here it is alone.
    await run({ sources: everySource('slow') });
    yield { clean: await run() };
  },
  /** A run that never worked shows nothing: the service may not reach our sources. */
  includes: (exchange, { worked }, brought: readonly { readonly clean: Exchange }[]) =>
    brought.some(({ clean }) => clean.id === exchange.id) &&
    (succeeded(exchange) || (failed(exchange) && (worked.get(exchange.request.target) ?? exchange.id) < exchange.id)),
  judge: (exchange) => expectStatus(exchange, '2xx'),
  fix: 'Leave nothing behind failed sources that makes all later runs fail: no open circuit breaker, no worker or connection that nobody gives back.',
});
