/** The limit of an address: met by callers who are each within their own. */
import {
  cellOf,
  type Exchange,
  type Gate,
  headerValues,
  isRefused,
  modelOfProbed,
  type Neighbours,
  type Reason,
  type Round,
  rule,
  violation,
  whatCame,
} from '../../../src/vocabulary.ts';
import { clauses } from '../../clauses/index.ts';
import { inconclusiveIf } from '../../language/gates.ts';
import { cellIn, metNone, orNothing, probes, probing, refusalsIn } from '../../language/probing.ts';
import { isFarBeyond } from '../../language/stated-limits.ts';
import { expectAdmitted, expectNoLongWait, isWaitedOut, waitReasons } from '../limit/waiting.ts';

const admittedIn = ({ calls }: { readonly calls: readonly Exchange[] }): readonly Exchange[] =>
  calls.filter((each) => !isRefused(each));

/** What was asked from the one address whose limit was found. */
const foundIn = (met: readonly object[] = []): readonly { readonly calls: readonly Exchange[] }[] =>
  met.flatMap((each) => ('calls' in each ? [each as { readonly calls: readonly Exchange[] }] : []));

/** Why the search for the limit of an address ended without one. */
const endingOf = (met: readonly object[] = []): readonly Gate[] =>
  met.flatMap((each) => {
    if (!('ended' in each) || !('inapplicable' in each)) return [];
    return [each.inapplicable ? { inapplicable: String(each.ended) } : { inconclusive: String(each.ended) }];
  });

export const exists = rule({
  id: 'address.exists',
  clause: clauses.limitPerAddress,
  needs: probes,
  ...probing,
  rests: 10,
  about: ({ subject: { limits } }) => ({ stated: limits.address === undefined ? null : { ...limits.address } }),
  // The search for the address's limit comes first: where it ends without a result, the key's calls may say as much.
  async *ask({ limits, subject }) {
    const met = await limits.address();
    const isFound = orNothing(met) !== null;
    const probed = isFound ? null : orNothing(await limits.met());
    yield { probed };
    yield { crowd: isFound || subject.limits.address === undefined ? null : orNothing(await limits.crowd()) };
    yield { met: [met] };
  },
  given({ probed, crowd, met }, { stated }) {
    if (
      stated !== null &&
      [probed, crowd, ...foundIn(met)].some((each) => each && isFarBeyond(admittedIn(each), stated))
    )
      return [];
    if (!probed) return endingOf(met);
    return admittedIn(probed).length === probed.calls.length ? [metNone(probed)] : endingOf(met);
  },
  judge: ({ probed, crowd, met }, { stated }) =>
    [probed, crowd, ...foundIn(met)]
      .flatMap((each) => (each && stated !== null && isFarBeyond(admittedIn(each), stated) ? [each] : []))
      .slice(0, 1)
      .map((each) =>
        violation(
          admittedIn(each).at(-1),
          '429 beyond the limit of an address that the profile documents',
          each.calls.some(isRefused) ? 'many more admitted calls before one' : 'no such refusal',
        ),
      ),
  fix: 'Count the calls of each client address as well as those of each key.',
});

const elsewhere = 'a key at another address';
const strangerElsewhere = 'a caller without a key at another address';

export const otherAddressUnaffected = rule({
  id: 'address.other-address-unaffected',
  clause: clauses.limitOfOneAddress,
  needs: probes,
  ...probing,
  rests: 1.2,
  ask: async ({ limits }) => ({ near: await limits.elsewhere() }),
  given({ near }) {
    if (near === undefined) return [];
    const there = cellIn(near, elsewhere);
    return [
      inconclusiveIf(
        there === 'unclear' || there === 'not asked',
        'the exhausted address did not stay refused for long enough',
      ),
      inconclusiveIf(
        there === 'together' && near.seesApart === 'unknown',
        'it is unknown whether the service tells the addresses apart; set limits: { addresses: […] }',
      ),
    ];
  },
  judge({ near }) {
    if (cellIn(near, elsewhere) !== 'apart') return [isCaught(near, elsewhere)];
    return cellIn(near, strangerElsewhere) === 'together' ? [isCaught(near, strangerElsewhere)] : [];
  },
  fix: 'Count each client address separately; behind a proxy, use the address that the proxy reports.',
});

const isCaught = (near: Neighbours, name: string) =>
  violation(
    near.rounds
      .filter(({ other, twin }) => other === name && twin.length > 0)
      .flatMap(({ answers }) => refusalsIn(answers))[0],
    `${name} to be let through, rested as it was`,
    '429, because one address was exhausted',
  );

export const retryAfter = rule({
  id: 'address.retry-after',
  clause: clauses.addressRetryAfter,
  needs: probes,
  ...probing,
  ask: async ({ limits }) => ({ met: await limits.address() }),
  judge: ({ met: { calls, tried } }) =>
    refusalsIn([...tried, ...calls])
      .slice(0, 10)
      .flatMap((exchange) => {
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
  fix: 'Send Retry-After with the 429 of an address too.',
});

export const waitingAdmits = rule({
  id: 'address.waiting-admits',
  clause: clauses.addressWaitingAdmits,
  needs: probes,
  ...probing,
  rests: 10,
  async *ask({ limits }) {
    const met = await limits.address();
    yield { met };
    const waits = await limits.addressWaits();
    // What was told is too long to be waited for, perhaps: then looking longer tells whether it is true.
    const isOpen = met.by === 'no key' && orNothing(waits)?.trials.every(({ answer }) => answer === null) === true;
    yield { looked: isOpen ? orNothing(await limits.withoutKeyModel()) : null };
    yield { waits };
    // A key may be told the wait of its own limit.
    yield { withKey: met.by === 'no key' ? orNothing(await limits.keyWaits()) : null };
  },
  given: ({ met, looked, waits }) => [waitReasons(met, looked).length > 0 ? undefined : isWaitedOut(waits)],
  // Runs of other times asked one sort of caller.
  judge: ({ met, looked, waits, withKey = null }) => [
    ...expectAdmitted(waits),
    ...(withKey === null ? [] : expectAdmitted(withKey).filter(({ weight }) => weight !== 'note')),
    ...expectNoLongWait(met, looked, waits),
  ],
  fix: 'Round Retry-After up to whole seconds, for the limit of an address as for that of a key.',
});

/** Keys were guessed while the address was refused to callers without one. */
function guessedFreely(guesses: readonly Round[]): Reason[] {
  const found = [...Map.groupBy(guesses, ({ other }) => other)].find(([name]) => cellOf(guesses, name) === 'apart');
  if (found === undefined) return [];
  const [name, own] = found;
  const answers = own.flatMap((each) => each.answers);
  return [
    violation(
      answers[0],
      `calls with ${name} to be limited by their address too`,
      `${whatCame(answers[0]!)}: ${answers.length} such calls were admitted while calls without a key got 429`,
    ),
  ];
}

export const unauthenticatedLimited = rule({
  id: 'address.unauthenticated-limited',
  clause: clauses.strangersAreLimited,
  needs: probes,
  ...probing,
  async *ask({ limits }) {
    const strangers = await limits.withoutKey();
    yield { strangers };
    const areLimited = strangers.calls.some(isRefused);
    yield { met: areLimited ? null : await limits.address() };
    yield { guesses: areLimited ? orNothing(await limits.guessing()) : null };
  },
  given: ({ strangers, met }) => [
    inconclusiveIf(
      !!strangers && !!met && modelOfProbed(strangers).admitted < 3 * admittedIn(met).length,
      'the budget was too small to call without a key for long enough',
    ),
  ],
  judge: ({ strangers, met, guesses }) => [
    ...(met === null
      ? []
      : [
          violation(
            strangers.calls.at(-1),
            'calls without a key to be limited by their address too',
            `${modelOfProbed(strangers).admitted} calls in a row that were not limited, although ${admittedIn(met).length} calls with keys led to a 429`,
          ),
        ]),
    ...guessedFreely(guesses ?? []),
  ],
  fix: 'Count calls without a valid key against their address: attackers guess keys by calling.',
});
