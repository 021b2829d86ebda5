/** The limit of an address, met by callers without a key: whose it is, and how it refuses. */
import {
  admittedIn,
  describe,
  isRefused,
  modelOfProbed,
  observation,
  rule,
  statusOf,
  violation,
  whatCame,
} from '../../../src/vocabulary.ts';
import { clauses } from '../../clauses/index.ts';
import { inapplicableIf, inconclusiveIf } from '../../language/gates.ts';
import { freeRounds, isMet, newLetIn, probes, probing } from '../../language/probing.ts';

export const survivesReconnect = rule({
  id: 'address.survives-reconnect',
  clause: clauses.addressIsNoConnection,
  needs: probes,
  ...probing,
  ask: async ({ limits }) => ({ rounds: await limits.strangersReconnecting() }),
  given({ rounds }) {
    const last = rounds?.at(-1);
    if (freeRounds(rounds ?? []).length > 1) return [];
    return [
      inapplicableIf(
        rounds !== undefined && last === undefined,
        'callers without a key met no limit on one connection within the budget; that says nothing about a higher one',
      ),
      inconclusiveIf(
        last !== undefined &&
          rounds!.every(({ before, exhausting, kept }) => !before && admittedIn([...exhausting, ...kept]) === 0),
        'callers without a key were refused from their first call on, so a limit cannot be recognised',
      ),
      inconclusiveIf(
        last !== undefined && !last.fresh.some(isRefused) && freeRounds(rounds!).length < 2,
        'the budget was too small to see whether new connections are limited',
      ),
      inconclusiveIf(
        last !== undefined && newLetIn(last) > 0,
        'new connections were accepted for a while although the exhausted one was not: there may be another limit behind one of the connection',
      ),
    ];
  },
  judge({ rounds }) {
    const free = freeRounds(rounds);
    if (free.length < 2) return [];
    const came = `${free[0]!.fresh.length} calls on new connections were admitted`;
    return [violation(free[0]!.fresh[0], 'an exhausted address to be limited on a new connection too', came)];
  },
  fix: 'Count by the address without its port: every new connection has a different port.',
});

const needed = 3;

export const answers429 = rule({
  id: 'address.answers-429',
  clause: clauses.addressAnswers429,
  needs: probes,
  ...probing,
  rests: 1.5,
  async *ask({ limits }) {
    yield await limits.strangersRefused();
  },
  given: ({ strangers, shown }) => [
    inconclusiveIf(shown?.length === 0, 'the budget ended before a caller without a key was asked'),
    inconclusiveIf(
      shown !== undefined && !shown.some((each) => statusOf(each) === 401 || isRefused(each)),
      'callers without a key are answered neither 401 nor 429, so a refusal by their address does not stand out',
    ),
    inapplicableIf(
      shown !== undefined && strangers?.length === 0 && !shown.some(isRefused),
      'callers without a key met no limit within the budget; that says nothing about a higher one',
    ),
  ],
  judge({ strangers }) {
    const statuses = new Set(strangers.flatMap(({ refused }) => refused.map((each) => statusOf(each) ?? 0)));
    const usual = new Set(strangers.flatMap((each) => each.let.map((one) => statusOf(one) ?? 0)));
    const [status = 0] = statuses;
    const isLimit = strangers.length >= needed && statuses.size === 1 && usual.size === 1 && status >= 400;
    const [first] = strangers;
    return isLimit
      ? [
          violation(
            first!.refused[0],
            '429 for an address beyond its limit',
            `${whatCame(first!.refused[0]!)}, until it had rested`,
          ),
        ]
      : [];
  },
  fix: 'Answer 429 beyond the limit of an address: no other status tells a client that waiting helps.',
});

/** Limits of addresses are met by callers without a key first. */
export const model = observation({
  id: 'address.model',
  clause: clauses.limiterKindNotShown,
  needs: probes,
  ...probing,
  rests: 4,
  late: true,
  ask: async ({ limits }) => ({ probed: await limits.withoutKeyModel() }),
  given: ({ probed }) => [isMet(probed)],
  observe: ({ probed }) => [`by ${probed.route}, without a key:`, ...describe(modelOfProbed(probed))],
  fix: 'Nothing to fix: the specification leaves kind and height of limits open.',
});
