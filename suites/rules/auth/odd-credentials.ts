/** Keys that nobody was given and that no code expects. */
import { expectNoServerError, rule, type Subject, succeeded } from '../../../src/vocabulary.ts';
import { clauses } from '../../clauses/index.ts';
import { everything } from '../../language/asking.ts';
import { expectNoValidKey } from '../../language/expectations.ts';
import { inapplicableIf } from '../../language/gates.ts';
import { hasControl, letsIn, type Odd, odd, withOdd } from '../../language/odd-credentials.ts';
import { plainVerify } from '../../language/twins.ts';

export const oddCredentials = rule({
  id: 'auth.odd-credentials',
  clause: clauses.badInputIsNoServerError,
  needs: ['key'],
  without: everything,
  cases: odd,
  twin: plainVerify,
  byStatus: true,
  ask: async (ask) => ({ exchange: await withOdd(ask, ask.case)(ask.case.of) }),
  given: ({ exchange }) => [
    inapplicableIf(!!exchange && succeeded(exchange), 'such a credential is not refused: another rule reports that'),
  ],
  // So long a header may end the connection.
  judge: ({ exchange }) => (exchange.response === undefined ? [] : expectNoServerError(exchange)),
  fix: 'Hash what was presented, as bytes, and compare the hashes: an odd credential is a wrong one.',
});

const ofKeys = (subject: Subject): readonly Odd[] => odd(subject).filter(({ call }) => call !== 'list');

export const oddKeys = rule({
  id: 'auth.odd-keys-open-nothing',
  clause: clauses.invalidKeyIs401,
  needs: ['key'],
  without: everything,
  cases: ofKeys,
  twin: plainVerify,
  answering: true,
  byStatus: true,
  ask: letsIn,
  given: hasControl,
  // How it is refused, and whether anything comes back at all, is for others.
  judge: ({ exchange }) => (succeeded(exchange) ? expectNoValidKey(exchange) : []),
  fix: 'Hash the key as it was presented, byte for byte: who cleans or joins texts first finds a key that nobody sent.',
});
