/** What waiting is worth at a limit, and what impatience is worth. */
import {
  admittedIn,
  type Exchange,
  excessOfGoingOn,
  failureBound,
  type Gate,
  isRefused,
  judgeHammering,
  modelOfProbed,
  note,
  type Paces,
  type Probed,
  type Reason,
  rule,
  slackOf,
  traceOf,
  violation,
  type Waits,
  warning,
} from '../../../src/vocabulary.ts';
import { clauses } from '../../clauses/index.ts';
import { inconclusiveIf } from '../../language/gates.ts';
import {
  ifFound,
  isIdentified,
  isMet,
  isNoConnections,
  orNothing,
  probes,
  probing,
  straysIn,
} from '../../language/probing.ts';
import { forgivenReasons, leakOf } from './paces.ts';

/** At least one wait was completed, and one of them helped or followed a pause: otherwise another limit may have refused. */
export function isWaitedOut(waits: Waits | undefined): Gate {
  if (waits === undefined) return undefined;
  const answered = waits.trials.filter(({ answer, why }) => answer !== null && why === null);
  if (answered.length > 0 && answered.every(({ answer, rested }) => !rested && isRefused(answer!)))
    return { inconclusive: 'no wait helped, and no wait after a rest could be tried' };
  if (waits.trials.some(({ answer }) => answer !== null)) return undefined;
  const [why = 'the budget was too small for a wait'] = waits.trials.flatMap((trial) => trial.why ?? []);
  return { inconclusive: why };
}

/**
 * Once is no proof, and where only calls in quick succession are refused, another limit may have been met by them: that one
 * the refusal did not speak of.
 */
export function expectAdmitted({ trials, planned }: Waits): readonly Reason[] {
  const answered = trials.filter(({ answer, why }) => answer !== null && why === null);
  const refused = answered.filter(({ answer }) => isRefused(answer!));
  const expected = 'a call after the stated wait to be accepted';
  if (refused.length > 1 && refused.some(({ rested }) => rested)) {
    return refused.map(({ answer }) => violation(answer!, expected, `429 again (${share(refused, answered)})`));
  }
  if (refused.length > 0) {
    return [note(refused[0]!.answer!, expected, `429 again in ${share(refused, answered)}, but not after a rest`)];
  }
  if (answered.length === 0) return [];
  const bound = Math.ceil(failureBound(answered.length) * 100);
  const fewer = answered.length < planned ? ` of ${planned} planned` : '';
  return [
    note(
      answered[0]!.answer!,
      expected,
      `a success after all ${answered.length} waits${fewer}: with 95 % confidence, waiting fails at most ${bound} times in 100`,
    ),
  ];
}

const share = (part: readonly unknown[], whole: readonly unknown[]): string =>
  `${part.length} of ${whole.length} waits`;

/** Decision 11 of the reading: the stated wait is two seconds longer, and more than twice as long, than needed. */
function expectFittingWait(calls: readonly Exchange[]): readonly Reason[] {
  const slack = slackOf(traceOf(calls));
  if (slack === undefined || slack.excessive < 3 || slack.excessive * 2 < slack.seen) return [];
  const came = `successes ${(slack.medianMs / 1000).toFixed(1)} s earlier`;
  return [warning(calls.find(isRefused), 'Retry-After to say about how long it takes', came)];
}

const earlyNeeded = 3;

/** Who had been refused often enough to be out of calls was admitted when less than half of the stated wait was over, each time. */
function expectNoEarlierCall({ early = [] }: Waits): readonly Reason[] {
  const seen = early.map(({ refused, answer }) => slackOf(traceOf([...refused.slice(-1), answer])));
  if (early.length < earlyNeeded || !seen.every((slack) => slack?.excessive === 1)) return [];
  const least = Math.min(...seen.map((slack) => slack!.mostMs));
  const came = `a success ${(least / 1000).toFixed(1)} s earlier, each time`;
  return [warning(early[0]!.refused.at(-1), 'Retry-After to say about how long it takes', came)];
}

/** What the calls say that met a limit, or those that looked at it for longer. */
export const waitReasons = (
  probed: Pick<Probed, 'calls'> | undefined,
  looked: Probed | null | undefined,
): readonly Reason[] => {
  const short = expectFittingWait(probed?.calls ?? []);
  return short.length > 0 || !looked ? short : expectFittingWait(looked.calls);
};

/** What was told in passing says it best; otherwise, a call that came too early for it. */
export function expectNoLongWait(
  probed: Pick<Probed, 'calls'>,
  looked: Probed | null | undefined,
  waits: Waits,
): readonly Reason[] {
  const long = waitReasons(probed, looked);
  return long.length > 0 ? long : expectNoEarlierCall(waits);
}

export const waitingAdmits = rule({
  id: 'limit.waiting-admits',
  clause: clauses.waitingAdmits,
  needs: probes,
  ...probing,
  rests: 5,
  async *ask({ limits }) {
    yield { probed: await limits.met() };
    yield { rounds: ifFound(await limits.reconnecting()) };
    const waits = await limits.waits();
    // What was told is too long to be waited for, perhaps: then looking longer tells whether it is true.
    const isOpen = orNothing(waits)?.trials.every(({ answer }) => answer === null) ?? true;
    yield { looked: isOpen ? orNothing(await limits.key()) : null };
    yield { waits };
  },
  given: ({ probed, looked, rounds, waits }) => [
    isMet(probed),
    isNoConnections(rounds),
    probed && waitReasons(probed, looked).length > 0 ? undefined : isWaitedOut(waits),
  ],
  judge: ({ waits, probed, looked }) => [...expectAdmitted(waits), ...expectNoLongWait(probed, looked, waits)],
  fix: 'Round Retry-After up to whole seconds; send the time until a call is accepted, not the length of the window.',
});

const ownBurst = ({ inTurn }: Paces): number => Math.max(1, ...inTurn.map(({ calls }) => calls.findIndex(isRefused)));

/** Where one refusal gives everything back, another rule reports that. */
function gained(paces: Paces): Paces['stubborn'] {
  if (paces.flood.length > 0) return [];
  const strays = new Set(straysIn(paces));
  return paces.stubborn
    .map(({ calls, control }) => ({ calls: calls.filter((each) => !strays.has(each)), control }))
    .filter((each) => excessOfGoingOn(each, ownBurst(paces)) > 0);
}

const isGaining = (paces: Paces): boolean =>
  isLeaking(paces) || (paces.stubborn.length >= 3 && gained(paces).length === paces.stubborn.length);

/** Where each refusal gives all back, another rule reports that. */
const isLeaking = (paces: Paces): boolean => leakOf(paces) > 0 && forgivenReasons(paces, 'key').length === 0;

const isGainless = (paces: Paces): boolean => paces.stubborn.length > 0 && gained(paces).length === 0;

function leakReasons({ flood }: Paces): readonly Reason[] {
  const came = `${admittedIn(flood)} of ${flood.length} calls in one burst were admitted, to its end as many as of calls one after another`;
  return [violation(flood.find(isRefused), 'an exhausted key to be refused, however often it asks', came)];
}

const gainingBy = (paces: Paces): readonly Reason[] =>
  isLeaking(paces)
    ? leakReasons(paces)
    : gained(paces)
        .slice(0, 1)
        .map(({ calls, control }) =>
          violation(
            calls.find(isRefused) ?? calls[0],
            'an exhausted key that goes on to be admitted no more than one that pauses',
            `${admittedIn(calls)} of ${calls.length} calls in a row were admitted, after a pause of the same length ${admittedIn(control)}, and so each time`,
          ),
        );

export const impatienceGainsNothing = rule({
  id: 'limit.impatience-gains-nothing',
  clause: clauses.impatienceGainsNothing,
  needs: probes,
  ...probing,
  rests: 14,
  late: true,
  async *ask({ limits }) {
    const paces = orNothing(await limits.paces());
    yield { paces };
    // No model is needed where going on is seen to gain.
    yield { probed: paces !== null && isGaining(paces) ? null : await limits.key() };
    yield { rounds: paces !== null && isGaining(paces) ? null : orNothing(await limits.hammering()) };
  },
  given({ paces, probed, rounds }) {
    if (!probed) return [];
    const model = modelOfProbed(probed);
    if (isMet(probed)) return [isMet(probed)];
    // Without the numbers it is still known that going on gains nothing.
    if (paces && isGainless(paces) && !isIdentified(model)) return [];
    return [
      inconclusiveIf(!isIdentified(model), 'the limit is not known exactly enough'),
      inconclusiveIf(
        rounds === null || (!!rounds && rounds.length < 2),
        'the budget was too small for calling without waiting',
      ),
      inconclusiveIf(
        rounds?.some((calls) => !Number.isFinite(judgeHammering(traceOf(calls), model).allowed)) === true,
        `a limit of this kind (${model.kind}) allows any number of calls`,
      ),
    ];
  },
  judge({ paces, probed, rounds }) {
    if (paces !== null && isGaining(paces)) return gainingBy(paces);
    if (probed === null || rounds === null) return [];
    const model = modelOfProbed(probed);
    if (!isIdentified(model)) return [];
    const seen = rounds.map((calls) => judgeHammering(traceOf(calls), model));
    if (!seen.every(({ gains }) => gains)) return [];
    const { admitted, asked, allowed, inMs } = seen[0]!;
    const came = `${admitted} of ${asked} calls in ${(inMs / 1000).toFixed(1)} s`;
    return [violation(rounds[0]!.find(isRefused) ?? rounds[0]![0], `at most ${Math.floor(allowed)} to succeed`, came)];
  },
  fix: 'Find what a refused call resets: a counter, a window, a clock. It must not reset anything in favour of its caller.',
});

export const refusalDoesNoWork = rule({
  id: 'limit.refusal-does-no-work',
  clause: clauses.limitedRunDoesNotRun,
  needs: [...probes, 'sources'],
  ...probing,
  rests: 4,
  async *ask({ limits }) {
    yield { runs: await limits.refusedRuns() };
    yield { atAddress: orNothing(await limits.refusedRunsAt()) };
  },
  given: ({ runs }) => [inconclusiveIf(runs?.twin.times === 0, 'the successful run read no source either')],
  // Runs of other times were refused because of their key alone.
  judge: ({ runs: { refused }, atAddress }) =>
    [...refused, ...(atAddress ?? [])]
      .filter(({ times }) => times > 0)
      .map(({ of, times }) =>
        violation(of, 'a refused run to fetch nothing', `its sources read ${times === 1 ? 'once' : `${times} times`}`),
      ),
  fix: 'Check the limit before the actor starts, not in parallel.',
});
