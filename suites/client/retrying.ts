/** What a client repeats, how often, and with which pauses. */
import { clientRule, type Exchange, type Reason, type SeenTrial, statusOf } from '../../src/vocabulary.ts';
import { clientClauses as clauses } from '../clauses/clients.ts';
import { collapsing } from './collapsing.ts';
import { isResult, isSame, mayBeUnread, ordinal, seconds, violation } from './looking.ts';
import { afterResults, failingStreaks, longStreaks, slowRuns, withRefusals } from './passing.ts';
import {
  alikePlan,
  areHasty,
  burst,
  fallingPlan,
  fixedPlan,
  keepsPace,
  neverPause,
  onePause,
  pausesOf,
  plainFirstOnly,
  steadyPlan,
  straysOf,
} from './pauses.ts';

const always500 = ['failing-500', 'failing-500-again', 'failing-500-third'];
const always502 = ['failing-502', 'failing-502-again'];
const always504 = ['failing-504', 'failing-504-again'];
const always = [...always500, ...always502, ...always504];
const afterLimit = ['failing-after-429', 'failing-after-429-again'];

/** What came after the first call: its pause is told. */
const sinceTheSecond = (trial: SeenTrial): SeenTrial => ({ ...trial, runs: trial.runs.slice(1) });

export const backsOff = clientRule({
  id: 'client.backs-off',
  passing: failingStreaks,
  clause: clauses.clientBacksOff,
  situations: [...always, ...afterLimit],
  judge: (trial) => (trial.runs.length === 0 ? undefined : []),
  judgeAll: (all) => {
    const of = (names: readonly string[]) => all.filter(({ situation }) => names.includes(situation));
    const onceLimited = of(afterLimit).map(sinceTheSecond);
    const trials = all.filter(({ situation }) => !afterLimit.includes(situation));
    const byStatus = [...[always500, always502, always504].map(of), onceLimited];
    const [after500 = []] = byStatus;
    const hasty =
      byStatus.find((own) => areHasty(own, byStatus) || burst(own)) ??
      (neverPause(onceLimited) ? onceLimited : undefined);
    const ofOne = byStatus.slice(1).find((own) => onePause(own) !== undefined);
    const plan =
      fixedPlan(after500) ??
      fixedPlan(trials, straysOf(trials)) ??
      alikePlan(after500) ??
      plainFirstOnly(after500) ??
      steadyPlan(trials) ??
      fallingPlan(trials);
    const others = trials.filter((trial) => !after500.includes(trial));
    const collapsed = [after500, others, trials].map(collapsing).find((each) => each !== undefined);
    const shown = hasty?.[0] ?? (plan === undefined ? (ofOne?.[0] ?? collapsed) : undefined);
    const [pauses, first] = shown === undefined ? [plan, after500[0]] : [pausesOf(shown), shown];
    if (pauses === undefined || first === undefined) return [];
    return [
      violation('growing pauses between the calls', `${first.runs.length} calls ${spaced(pauses)}`, first.runs[1]),
    ];
  },
  fix: 'Double the pause after every failure, up to a bound, and add jitter, so that many clients do not retry at once.',
});

const spaced = (pauses: readonly number[]): string =>
  `with ${pauses.slice(0, 6).map(seconds).join(', ')}${pauses.length > 6 ? ' …' : ''} between them`;

/** Growing pauses from a tenth of a second on come to fewer. */
const tooMany = 10;
/** A client may count its patience with a 429 and with a failure apart: so many are more than both. */
const byTurns = 'failing-by-turns';
const byKinds = 'failing-by-kinds';
/** Told to come back at once, it may: that is no reason to come back for ever. */
const untilNothing = 'limited-zero';
/** An answer that never comes whole is no better the hundredth time. */
const neverWhole = ['cut-json', 'cut-behind-items', 'cut-at-their-end', 'cut-success'];
const tooManyByTurns = 16;
/** Of tries within tries, each of several, this is more than all. */
const endless = 30;

export const givesUp = clientRule({
  id: 'client.gives-up',
  passing: longStreaks,
  clause: clauses.clientGivesUp,
  situations: [...always, byTurns, byKinds, untilNothing, 'broken-always', ...neverWhole],
  judge: (trial) => {
    const { stopped, at } = trial.ended;
    if (trial.runs.length === 0) return undefined;
    if (stopped === undefined) return [];
    // We ended it: whether it would have given up is not known.
    if (trial.runs.length < mostOf(trial) || !(trial.runs.length >= endless || keepsItsPace(trial))) return undefined;
    return [
      violation(
        'a bounded number of repetitions',
        `${trial.runs.length} calls, and it was still calling after ${seconds(at.end - at.started)}`,
        trial.runs.at(-1),
      ),
    ];
  },
  fix: 'Give up after a few attempts, and report that the run failed.',
});

const mostOf = ({ situation }: SeenTrial): number =>
  situation === untilNothing ? endless : situation === byTurns || situation === byKinds ? tooManyByTurns : tooMany;

/** No end is coming. Where pauses begin anew, or still grow, one may: a program that repeats may call another that does. */
function keepsItsPace(trial: SeenTrial): boolean {
  const pauses = pausesOf(trial);
  if (trial.situation !== byTurns && trial.situation !== byKinds) return keepsPace(pauses);
  // Each second pause is after another kind of answer.
  return [0, 1].every((turn) =>
    keepsPace(
      pauses.filter((_, at) => at % 2 === turn),
      1,
    ),
  );
}

const refusals = new Set([400, 401, 403, 404, 422]);

export const repeatsNoRefusal = clientRule({
  id: 'client.repeats-no-refusal',
  passing: withRefusals,
  clause: clauses.clientRepeatsNoRefusal,
  situations: [
    'refused-400',
    'refused-401',
    'refused-403',
    'refused-404',
    'refused-422',
    'refused-after-failing',
    'refused-404-later',
    'refused-422-later',
    'error-page',
    'error-empty',
    'error-empty-404',
    'error-cut',
    'error-large',
    'error-bare',
    'error-null',
    'error-list',
    'error-with-items',
  ],
  judge: (trial) => {
    if (trial.runs.length === 0) return undefined;
    return repetitions(trial.runs, isRefused)
      .slice(0, 2)
      .map(
        ({ before, again, at }): Reason =>
          violation(
            `no repetition of what was refused with ${statusOf(before)}`,
            `the same call again as the ${ordinal(at)} one, ${seconds(again.at.sent - before.at.end)} after that answer was sent`,
            again,
          ),
      );
  },
  fix: 'Retry only after 429, 500, 502 and 504. After 400 and 422 change the input, after 401 and 403 the key, after 404 the name.',
});

/** What the client took back before the whole answer was there has refused nothing. */
const isRefused = (run: Exchange): boolean => run.failure === undefined && refusals.has(statusOf(run) ?? 0);

interface Repetition {
  readonly before: Exchange;
  readonly again: Exchange;
  readonly at: number;
}

const repetitions = (runs: readonly Exchange[], wanted: (run: Exchange) => boolean): Repetition[] =>
  runs.flatMap((again, at) => {
    const before = runs.slice(0, at).find((run) => run.at.end <= again.at.sent && wanted(run) && isSame(run, again));
    return before === undefined ? [] : [{ before, again, at }];
  });

/** Sooner than any client stops waiting for an answer, also for one of a machine that has much to do. */
const atOnceMs = 500;

/** Sent at once, and answered with success both. What is repeated while a slow run goes on has a rule of its own. */
function twins({ runs, situation, passing }: SeenTrial): readonly Exchange[] {
  if (passing || situation === 'slow') return [];
  const results = runs.filter(isResult);
  const pairs = results.map((other, at) => {
    const one = results
      .slice(0, at)
      .find((run) => isSame(run, other) && other.at.sent < Math.min(run.at.end, run.at.sent + atOnceMs));
    return one === undefined ? [] : [one, other];
  });
  return pairs.find((pair) => pair.length > 0) ?? [];
}

export const runsOnce = clientRule({
  id: 'client.runs-once',
  passing: afterResults,
  clause: clauses.clientRunsOnce,
  judge: (trial) => {
    if (trial.runs.length === 0 || !trial.runs.some(isResult)) return undefined;
    const [first] = repetitions(trial.runs, (run) => isResult(run)).filter(
      ({ before, again }) => !mayBeUnread(trial, again.at.sent - before.at.end),
    );
    const [one, other] = twins(trial);
    if (first === undefined && other === undefined) return [];
    // PARTIAL is an answer of success too (§7): what it lacks, another run may lack as well.
    return first === undefined
      ? [violation('one run', `the same run again, ${seconds(other!.at.sent - one!.at.sent)} after it was sent`, other)]
      : [
          violation(
            'one run',
            `the same run again, ${seconds(first.again.at.sent - first.before.at.end)} after its answer of success was sent`,
            first.again,
          ),
        ];
  },
  fix: 'Do not repeat a run after a successful answer, even if a later step (reading, writing) fails.',
});

/** A client that is kept from the processor may miss an answer that is on its way. */
const tooBusyMs = 2000;

export const waitsForTheAnswer = clientRule({
  id: 'client.waits-for-the-answer',
  passing: slowRuns,
  clause: clauses.clientWaitsForTheAnswer,
  situations: ['slow'],
  judge: ({ runs, ended }) => {
    if (runs.length === 0 || ended.stalledMs > tooBusyMs) return undefined;
    // What counts is when the second call arrived, not which of the two was answered first.
    const second = runs.slice(1).find((run) => !runs.some((each) => isResult(each) && each.at.end <= run.at.sent));
    if (second === undefined) return [];
    return [
      violation(
        'to wait for the answer of the run',
        `the same run again after ${seconds(second.at.sent - runs[0]!.at.sent)}, while the first went on`,
        second,
      ),
    ];
  },
  fix: 'Give the run call a time-out that is longer than any run of the actor, and do not repeat a call that timed out: the first run may still be in progress.',
});
