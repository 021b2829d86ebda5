/**
 * What every 429 of a run promises. Whose limits there are, of what kind and how high is not asked here: these rules look at
 * the refusals that were met anyway, and are untested where there were none.
 */
import { type Exchange, headerValues, statusFits, sweep, violation, warning } from '../../../src/vocabulary.ts';
import { clauses } from '../../clauses/index.ts';
import { expectWaitTold } from '../../language/expectations.ts';

const isRefused = (exchange: Exchange): boolean => statusFits(exchange, 429);

export const retryAfterPresent = sweep({
  id: 'limit.retry-after-present',
  clause: clauses.retryAfterStands,
  needs: [],
  provoke: null,
  includes: isRefused,
  judge: expectWaitTold,
  fix: 'Send Retry-After with every 429, whichever limit it is for.',
});

export const retryAfterIsSeconds = sweep({
  id: 'limit.retry-after-is-seconds',
  clause: clauses.retryAfterIsSeconds,
  needs: [],
  provoke: null,
  includes: (exchange) => isRefused(exchange) && headerValues(exchange, 'retry-after').length > 0,
  judge(exchange) {
    const values = headerValues(exchange, 'retry-after');
    const [value = ''] = values;
    if (values.length !== 1 || !/^[0-9]+$/.test(value)) {
      return [
        violation(
          exchange,
          'Retry-After in whole seconds: digits and nothing else',
          values.join(' and ') || 'an empty value',
        ),
      ];
    }
    return /^0+$/.test(value) ? [warning(exchange, 'a time to wait', '0 seconds, with a 429')] : [];
  },
  fix: 'Write whole seconds, rounded up: no date, no fraction, no sign.',
});

/** More seconds than 32 bits hold: RFC 9110 lets recipients take that for any long time, or for none. */
const longestWait = 2 ** 31;

export const waitCanBeRead = sweep({
  id: 'limit.wait-can-be-read',
  clause: clauses.waitsAreReadable,
  needs: [],
  provoke: null,
  includes: (exchange) => statusFits(exchange, 429) && headerValues(exchange, 'retry-after').length === 1,
  judge(exchange) {
    const [value = ''] = headerValues(exchange, 'retry-after');
    return /^[0-9]+$/.test(value) && Number(value) >= longestWait
      ? [violation(exchange, 'a time that a client can wait', `${value.length} digits, ${value.slice(0, 12)}…`)]
      : [];
  },
  fix: 'Send a number of seconds that fits into 31 bits: a larger number overflows in clients, and no client waits that long.',
});
