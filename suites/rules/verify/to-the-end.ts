/** What a key is shown as stays the same to the end of the run: only its operator changes it. */
import {
  type Exchange,
  expectStatus,
  type Key,
  presentedKey,
  type Scene,
  type Subject,
  statusFits,
  succeeded,
  sweep,
} from '../../../src/vocabulary.ts';
import { clauses } from '../../clauses/index.ts';
import { everything } from '../../language/asking.ts';
import { expectTier } from '../../language/expectations.ts';

const mostKeys = 8;

/** Each sort of key once, before there is a second of any. */
function keysOf({ keys }: Subject): readonly Key[] {
  const firsts = [...new Map(keys.toReversed().map((key) => [`${key.kind} ${key.tier}`, key])).values()];
  return [...new Set([...firsts, ...keys])].slice(0, mostKeys);
}

/** Before the exchange: what was shown once only is compared with nothing. */
function shownBefore(exchange: Exchange, { shown }: Scene): string | undefined {
  const first = shown.get(presentedKey(exchange));
  return first !== undefined && first.by < exchange.id ? first.tier : undefined;
}

export const sameToTheEnd = sweep({
  id: 'verify.same-to-the-end',
  clause: clauses.verifyReports,
  needs: ['key'],
  without: everything,
  // After all others, before the service is started anew.
  alone: 'end',
  async *provoke({ verify, subject, usualLine }) {
    const last: Exchange[] = [];
    for (const key of keysOf(subject)) last.push(await verify({ key, on: usualLine() }));
    yield { last };
  },
  includes: (exchange, scene, brought: readonly { readonly last: readonly Exchange[] }[]) =>
    brought.some(({ last }) => last.some(({ id }) => id === exchange.id)) &&
    shownBefore(exchange, scene) !== undefined &&
    statusFits(exchange, ['2xx', 401, 403]),
  judge: (exchange, scene) =>
    succeeded(exchange) ? expectTier(exchange, shownBefore(exchange, scene) ?? '') : expectStatus(exchange, '2xx'),
  fix: 'Report `valid` and `tier` from the record of the key each time, however old it is and however often it was used.',
});
