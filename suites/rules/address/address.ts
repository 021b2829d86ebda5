/** The limit of an address: met by callers who are each within their own. */
import {
  headerValues,
  Inapplicable,
  Inconclusive,
  isRefused,
  modelOfProbed,
  type Neighbours,
  rule,
  type StatedLimit,
  violation,
} from '../../../src/vocabulary.ts';
import { clauses } from '../../clauses/index.ts';
import { cellIn, metNone, probes, probing, refusalsIn } from '../../language/probing.ts';
import { isFarBeyond } from '../../language/stated-limits.ts';
import { admitsWhoWaited, waitedOut } from '../limit/waiting.ts';

export const exists = rule({
  id: 'address.exists',
  clause: clauses.limitPerAddress,
  needs: probes,
  ...probing,
  async ask({ limits, subject }) {
    const stated: StatedLimit | undefined = subject.limits.address;
    try {
      const met = await limits.address();
      return { calls: refusalsIn(met.tried).slice(0, 3), unlimited: false };
    } catch (error) {
      const probed = await limits.key();
      const admitted = probed.calls.filter((each) => !isRefused(each));
      if (isFarBeyond(admitted, stated)) return { calls: admitted.slice(-1), unlimited: true };
      throw admitted.length === probed.calls.length ? metNone(probed) : error;
    }
  },
  judge: ({ calls, unlimited }) =>
    unlimited
      ? [violation(calls[0], '429 beyond the limit of an address that the profile states', 'no such refusal')]
      : [],
  mend: 'Count the calls of each client address beside those of each key.',
});

const elsewhere = 'a key at another address';

export const otherAddressUnaffected = rule({
  id: 'address.other-address-unaffected',
  clause: clauses.limitOfOneAddress,
  needs: probes,
  ...probing,
  async ask({ limits }) {
    const near = await limits.elsewhere();
    const there = cellIn(near, elsewhere);
    if (there === 'unclear' || there === 'not asked')
      throw new Inconclusive('the exhausted address did not stay refused long enough to tell');
    if (there === 'together' && near.seesApart === 'unknown')
      throw new Inconclusive(
        'whether the service sees the addresses apart is not known; state limits: { addresses: […] }',
      );
    return near;
  },
  judge: (near) => (cellIn(near, elsewhere) === 'apart' ? [] : [isCaught(near)]),
  mend: 'Count each client address by itself; behind a proxy, take the address that the proxy reports.',
});

const isCaught = (near: Neighbours) =>
  violation(
    near.rounds.filter(({ twin }) => twin.length > 0).flatMap(({ answers }) => refusalsIn(answers))[0],
    'a rested key at another address to be admitted',
    '429, as one address was exhausted',
  );

export const retryAfter = rule({
  id: 'address.retry-after',
  clause: clauses.addressRetryAfter,
  needs: probes,
  ...probing,
  async ask({ limits }) {
    const { calls, tried } = await limits.address();
    return refusalsIn([...tried, ...calls]).slice(0, 10);
  },
  judge: (refusals) =>
    refusals.flatMap((exchange) => {
      const values = headerValues(exchange, 'retry-after');
      return values.length === 1 && /^[0-9]+$/.test(values[0]!)
        ? []
        : [
            violation(
              exchange,
              'Retry-After in whole seconds',
              values.length === 0 ? 'no such header' : values.join(' and '),
            ),
          ];
    }),
  mend: 'Say with the 429 of an address too how many seconds to wait.',
});

export const waitingAdmits = rule({
  id: 'address.waiting-admits',
  clause: clauses.addressWaitingAdmits,
  needs: probes,
  ...probing,
  async ask({ limits }) {
    return waitedOut(await limits.addressWaits());
  },
  judge: admitsWhoWaited,
  mend: 'Round Retry-After up to whole seconds, for the limit of an address as for that of a key.',
});

export const unauthenticatedLimited = rule({
  id: 'address.unauthenticated-limited',
  clause: clauses.strangersAreLimited,
  needs: probes,
  ...probing,
  async ask({ limits }) {
    const strangers = await limits.withoutKey();
    if (strangers.calls.some(isRefused)) return { strangers: strangers.calls.slice(-1), free: 0, known: 0 };
    const met = await limits.address();
    const known = met.calls.filter((each) => !isRefused(each)).length;
    const free = modelOfProbed(strangers).admitted;
    if (free < 3 * known) throw new Inconclusive('the budget did not suffice to call without a key for long enough');
    return { strangers: strangers.calls.slice(-1), free, known };
  },
  judge: ({ strangers, free, known }) =>
    free === 0
      ? []
      : [
          violation(
            strangers[0],
            'calls without a key to be limited by their address too',
            `${free} in a row were answered, where ${known} with keys were enough for a 429`,
          ),
        ],
  mend: 'Count calls without a valid key against their address: keys are guessed by calling.',
});

export const forgedHeader = rule({
  id: 'address.forged-header',
  clause: clauses.forgedAddressGainsNothing,
  needs: probes,
  ...probing,
  async ask({ limits }) {
    const rounds = await limits.forged();
    if (rounds.length === 0) throw new Inapplicable('every such header is stated to be trusted');
    const near = { rounds, seesApart: 'direct' as const };
    const names = [...new Set(rounds.map(({ other }) => other))];
    if (names.every((name) => cellIn(near, name) === 'unclear'))
      throw new Inconclusive('the exhausted address did not stay refused long enough to tell');
    return near;
  },
  judge: (near) =>
    [...new Set(near.rounds.map(({ other }) => other))]
      .filter((name) => cellIn(near, name) === 'apart')
      .map((name) => {
        const [round] = near.rounds.filter(({ other }) => other === name);
        return violation(round?.answers[0], `an exhausted address to stay refused ${name}`, 'it was admitted');
      }),
  mend: 'Believe a forwarded-for header only where a proxy of yours has set it.',
});
