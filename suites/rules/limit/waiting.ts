/** What waiting is worth at a limit, and what impatience is worth. */
import {
  type Exchange,
  failureBound,
  Inconclusive,
  isRefused,
  judgeHammering,
  modelOfProbed,
  note,
  type Reason,
  rule,
  slackOf,
  traceOf,
  violation,
  type Waits,
  warning,
} from '../../../src/vocabulary.ts';
import { clauses } from '../../clauses/index.ts';
import { isIdentified, isNoConnections, metIn, probes, probing } from '../../language/probing.ts';

/** Throws where no wait was waited out, and where none helped though no rest came before it: another limit may be met. */
export function waitedOut(waits: Waits): Waits {
  const answered = waits.trials.filter(({ answer, why }) => answer !== null && why === null);
  if (answered.length > 0 && answered.every(({ answer, rested }) => !rested && isRefused(answer!)))
    throw new Inconclusive('no wait helped, and what a wait is worth after a rest could not be tried');
  if (waits.trials.some(({ answer }) => answer !== null)) return waits;
  throw new Inconclusive(waits.trials.find(({ why }) => why !== null)?.why ?? 'the budget did not suffice for a wait');
}

/**
 * Once is no proof, and where only calls in quick succession are refused, another limit may have been met by them: that one
 * the refusal did not speak of.
 */
export function admitsWhoWaited({ trials, planned }: Waits): readonly Reason[] {
  const answered = trials.filter(({ answer, why }) => answer !== null && why === null);
  const refused = answered.filter(({ answer }) => isRefused(answer!));
  const expected = 'a call after the wait that was told to be admitted';
  if (refused.length > 1 && refused.some(({ rested }) => rested)) {
    return refused.map(({ answer }) => violation(answer!, expected, `429 again (${share(refused, answered)})`));
  }
  if (refused.length > 0) {
    return [note(refused[0]!.answer!, expected, `429 again in ${share(refused, answered)}, but not after a rest`)];
  }
  if (answered.length === 0) return [];
  const bound = Math.ceil(failureBound(answered.length) * 100);
  const fewer = answered.length < planned ? ` of the ${planned} that were planned` : '';
  return [
    note(
      answered[0]!.answer!,
      expected,
      `it was, in all ${answered.length} waits${fewer}: with a confidence of 95 %, waiting fails at most ${bound} times in 100`,
    ),
  ];
}

const share = (part: readonly unknown[], whole: readonly unknown[]): string =>
  `${part.length} of ${whole.length} waits`;

/** Decision 11 of the reading: told to wait for more than two seconds, and more than twice as long, as was needed. */
export function asksForTooLong(calls: readonly Exchange[]): readonly Reason[] {
  const slack = slackOf(traceOf(calls));
  if (slack === undefined || slack.excessive < 3 || slack.excessive * 2 < slack.seen) return [];
  const came = `calls were admitted ${(slack.medianMs / 1000).toFixed(1)} s before that`;
  return [warning(calls.find(isRefused), 'Retry-After to tell about how long it takes', came)];
}

export const waitingAdmits = rule({
  id: 'limit.waiting-admits',
  clause: clauses.waitingAdmits,
  needs: probes,
  ...probing,
  async ask({ limits }) {
    const { calls } = metIn(await limits.key());
    await isNoConnections(limits);
    const waits = await limits.waits();
    return { waits: asksForTooLong(calls).length > 0 ? waits : waitedOut(waits), calls };
  },
  judge: ({ waits, calls }) => [...admitsWhoWaited(waits), ...asksForTooLong(calls)],
  mend: 'Round Retry-After up to whole seconds, and tell the time until a call is admitted, not the length of the window.',
});

export const impatienceGainsNothing = rule({
  id: 'limit.impatience-gains-nothing',
  clause: clauses.impatienceGainsNothing,
  needs: probes,
  ...probing,
  async ask({ limits }) {
    const probed = metIn(await limits.key());
    const model = modelOfProbed(probed);
    if (!isIdentified(model)) throw new Inconclusive('what the limit allows is not known well enough');
    const rounds = await limits.hammering();
    if (rounds.length < 2) throw new Inconclusive('the budget did not suffice for hammering');
    if (rounds.some((calls) => !Number.isFinite(judgeHammering(traceOf(calls), model).allowed)))
      throw new Inconclusive(`a limit of this kind (${model.kind}) allows any number of calls`);
    return { probed, rounds };
  },
  judge({ probed, rounds }) {
    const model = modelOfProbed(probed);
    const seen = rounds.map((calls) => judgeHammering(traceOf(calls), model));
    if (!seen.every(({ gains }) => gains)) return [];
    const { admitted, asked, allowed, inMs } = seen[0]!;
    const came = `${admitted} of ${asked} calls in ${(inMs / 1000).toFixed(1)} s`;
    return [
      violation(rounds[0]!.find(isRefused) ?? rounds[0]![0], `at most ${Math.floor(allowed)} to be admitted`, came),
    ];
  },
  mend: 'Look for what a refused call sets back: a counter, a window, a clock. It must set back nothing in favour of its caller.',
});

export const refusalDoesNoWork = rule({
  id: 'limit.refusal-does-no-work',
  clause: clauses.limitedRunDoesNotRun,
  needs: [...probes, 'sources'],
  ...probing,
  async ask({ limits }) {
    const runs = await limits.refusedRuns();
    if (runs.twin.reached === 0) throw new Inconclusive('the run that was admitted read no source either');
    return runs;
  },
  judge: ({ refused }) =>
    refused
      .filter(({ reached }) => reached > 0)
      .map(({ exchange, reached }) =>
        violation(
          exchange,
          'a refused run to fetch nothing',
          `its sources were read ${reached === 1 ? 'once' : `${reached} times`}`,
        ),
      ),
  mend: 'Decide about the limit before the actor starts, not beside it.',
});
