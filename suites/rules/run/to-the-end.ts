/** What everything that was asked before leaves behind: a run that worked goes on working. */
import {
  type Actor,
  type Ask,
  type Exchange,
  expectStatus,
  type Key,
  statusFits,
  succeeded,
  sweep,
} from '../../../src/vocabulary.ts';
import { clauses } from '../../clauses/index.ts';
import { holdsObject } from '../../language/answers.ts';
import { everything, pausesMs, runnableRestricted } from '../../language/asking.ts';

const mostActors = 6;

const broken = [500, 502, 503, 504];

const isUnanswered = ({ response, failure }: Exchange): boolean =>
  response === undefined && failure?.kind === 'too-slow';

/** A service may fail once, and tell who asks too fast to come back later. */
async function patiently({ run, sleep }: Ask, actor: Actor, key: Key): Promise<Exchange> {
  let last = await run({ actor, key });
  for (const pause of pausesMs) {
    if (!statusFits(last, broken) && !isUnanswered(last)) break;
    await sleep(pause);
    last = await run({ actor, key });
  }
  return last;
}

export const worksToTheEnd = sweep({
  id: 'run.works-to-the-end',
  clause: clauses.runsGoOnWorking,
  needs: ['key', 'clean'],
  without: everything,
  // After all others, before the service is started anew: what they left behind is there.
  alone: 'end',
  answering: true,
  deadlineMs: ({ bounds }) => (mostActors + pausesMs.length) * bounds.timeoutMs + 60_000,
  async *provoke(ask) {
    const { clean } = ask.subject.actors;
    const last: Exchange[] = [];
    const plain = clean.slice(0, mostActors / 2).map((actor) => ({ actor, key: ask.key }));
    for (const { actor, key } of [...plain, ...runnableRestricted(ask.subject).slice(0, mostActors / 2)]) {
      last.push(await patiently(ask, actor, key));
      // Who answers nobody any more is waited for once.
      if (last.some(isUnanswered)) break;
    }
    yield { last };
  },
  /** A run that never worked shows nothing. */
  includes: (exchange, { served }, brought: readonly { readonly last: readonly Exchange[] }[]) =>
    brought.some(({ last }) => last.some(({ id }) => id === exchange.id)) &&
    ((succeeded(exchange) && holdsObject(exchange)) ||
      ((statusFits(exchange, broken) || isUnanswered(exchange)) &&
        (served.get(exchange.request.target) ?? exchange.id) < exchange.id)),
  judge: (exchange) => expectStatus(exchange, '2xx'),
  fix: 'Leave nothing behind a call, whatever it was, that makes later runs fail: no lock, no slot, no worker or connection that nobody gives back.',
});
