/** What a client repeats, how often, and with which pauses. */
import { clientRule, type Exchange, type Reason, type SeenTrial, statusOf } from '../../src/vocabulary.ts';
import { clientClauses as clauses } from '../clauses/clients.ts';
import { gapsOf, isResult, isSame, ordinal, seconds, violation } from './looking.ts';
import { afterResults, failingStreaks, longStreaks, slowRuns, withRefusals } from './passing.ts';

const always500 = ['failing-500', 'failing-500-again', 'failing-500-third'];
const always502 = ['failing-502', 'failing-502-again'];
const always504 = ['failing-504', 'failing-504-again'];
const always = [...always500, ...always502, ...always504];

/** A shorter pause does not count as one, however busy the machine is. */
const noPauseMs = 25;
/** A busy machine makes pauses longer, each by another time: those that agree so closely are as they were meant. */
const grain = (ms: number): number => 15 + ms * 0.04;

const pausesOf = (trial: SeenTrial): number[] => gapsOf(trial).map(({ ms }) => Math.max(0, ms));

export const backsOff = clientRule({
  id: 'client.backs-off',
  passing: failingStreaks,
  clause: clauses.clientBacksOff,
  situations: always,
  judge: (trial) => (trial.runs.length === 0 ? undefined : []),
  judgeAll: (trials) => {
    const byStatus = [always500, always502, always504].map((own) =>
      trials.filter(({ situation }) => own.includes(situation)),
    );
    const [after500 = []] = byStatus;
    const hasty = byStatus.find((own) => areHasty(own) || burst(own));
    const plan = fixedPlan(after500) ?? alikePlan(after500) ?? plainFirstOnly(after500);
    const [pauses, first] = hasty === undefined ? [plan, after500[0]] : [pausesOf(hasty[0]!), hasty[0]];
    if (pauses === undefined || first === undefined) return [];
    return [
      violation('growing pauses between the calls', `${first.runs.length} calls ${spaced(pauses)}`, first.runs[1]),
    ];
  },
  fix: 'Double the pause after every failure, up to a bound, and add jitter, so that many clients do not retry at once.',
});

/** No pause at all, each time that it was looked at: once may be chance. Among very many calls, a busy machine makes some pauses. */
function areHasty(trials: readonly SeenTrial[]): boolean {
  const starts = trials.map(pausesOf);
  if (starts.length < 2 || starts.some((pauses) => pauses.length < 2)) return false;
  const paused = (pauses: readonly number[]): number => pauses.filter((ms) => ms >= noPauseMs).length;
  if (starts.every((pauses) => paused(pauses) <= pauses.length / 10)) return true;
  // Of three starts, one pause in nine may be the machine's: chance in pauses leaves more of them.
  const all = starts.flat();
  return starts.length >= 3 && all.length >= 9 && paused(all) <= all.length / 9;
}

/** A program that starts another for each call needs a moment for it: five calls within this one have no pause that was meant. */
const burstMs = 200;

const burst = (trials: readonly SeenTrial[]): boolean =>
  trials.length >= 2 &&
  trials
    .map((trial) => pausesOf(trial).slice(0, 4))
    .every(
      ([first = 0, ...later]) =>
        later.length === 3 && later.reduce((sum, ms) => sum + ms, first) <= burstMs && later.at(-1)! < 2 * first + 15,
    );

/** The pauses of a plan that does not grow. Chance in them (jitter) may make any order: only a fixed plan can be called one. */
function fixedPlan(trials: readonly SeenTrial[]): readonly number[] | undefined {
  const all = trials.map(pausesOf);
  const length = Math.min(...all.map((pauses) => pauses.length));
  if (all.length < 2 || length < 2) return undefined;
  const sorted = Array.from({ length }, (_, at) => all.map((pauses) => pauses[at]!).sort((a, b) => a - b));
  const isFixed = sorted.every((each) => each.at(-1)! - each[0]! <= grain(each[0]!));
  const pauses = sorted.map(([least = 0]) => least);
  // Of pauses this short, the machine makes as much as the plan.
  return !isFixed || pauses[0]! < noPauseMs || Math.max(...pauses) < 100 || grows(pauses) ? undefined : pauses;
}

/** The least of each place, over the starts: what a machine adds is never less than nothing. */
function leastOf(trials: readonly SeenTrial[]): { readonly all: readonly number[][]; readonly least: number[] } {
  const starts = trials.map(pausesOf);
  const length = Math.min(...starts.map((pauses) => pauses.length));
  const all = starts.map((pauses) => pauses.slice(0, length));
  return {
    all,
    least: Array.from({ length: trials.length < 3 ? 0 : length }, (_, at) => Math.min(...all.map((p) => p[at]!))),
  };
}

/** Of so many pauses that agree, those that do not are the machine's. */
const most = (pauses: readonly number[], wanted: (ms: number) => boolean): boolean =>
  pauses.filter(wanted).length >= (pauses.length * 2) / 3;

/** The same pause at every place, as most pauses say too: chance rarely agrees that often. */
function alikePlan(trials: readonly SeenTrial[]): readonly number[] | undefined {
  const { all, least } = leastOf(trials);
  const shortest = Math.min(...least);
  const isAlike = (ms: number): boolean => ms <= shortest + grain(shortest);
  return least.length >= 2 && shortest >= 100 && least.every(isAlike) && most(all.flat(), isAlike) ? least : undefined;
}

/** A pause before the first repetition, and none before those that follow. */
function plainFirstOnly(trials: readonly SeenTrial[]): readonly number[] | undefined {
  const { all, least } = leastOf(trials);
  const isNone = (ms: number): boolean => ms < noPauseMs;
  const [first = 0, ...later] = least;
  const rest = all.flatMap((pauses) => pauses.slice(1));
  return later.length >= 2 && first >= 100 && later.every(isNone) && most(rest, isNone) ? least : undefined;
}

/** One that has grown and met its bound stays there. */
const grows = (pauses: readonly number[]): boolean =>
  Math.max(...pauses) > 1.15 * pauses[0]! + 15 && Math.min(...pauses) >= pauses[0]! * 0.85 - 15;

const spaced = (pauses: readonly number[]): string =>
  `with ${pauses.slice(0, 6).map(seconds).join(', ')}${pauses.length > 6 ? ' …' : ''} between them`;

/** Growing pauses from a tenth of a second on come to fewer. */
const tooMany = 10;
/** A client may count its patience with a 429 and with a failure apart: so many are more than both. */
const byTurns = 'failing-by-turns';
const tooManyByTurns = 16;

export const givesUp = clientRule({
  id: 'client.gives-up',
  passing: longStreaks,
  clause: clauses.clientGivesUp,
  situations: [...always, byTurns, 'broken-always'],
  judge: (trial) => {
    const { stopped, at } = trial.ended;
    if (trial.runs.length === 0) return undefined;
    const most = trial.situation === byTurns ? tooManyByTurns : tooMany;
    if (stopped === undefined || trial.runs.length < most) return [];
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
    'error-page',
    'error-empty',
    'error-cut',
    'error-large',
    'error-bare',
    'error-null',
    'error-list',
    'error-with-items',
  ],
  judge: (trial) => {
    if (trial.runs.length === 0) return undefined;
    return repetitions(trial.runs, (run) => refusals.has(statusOf(run) ?? 0))
      .slice(0, 2)
      .map(
        ({ before, again, at }): Reason =>
          violation(
            `no repetition of what was refused with ${statusOf(before)}`,
            `the same call again as the ${ordinal(at)} one, ${seconds(again.at.sent - before.at.end)} later`,
            again,
          ),
      );
  },
  fix: 'Retry only after 429, 500, 502 and 504. After 400 and 422 change the input, after 401 and 403 the key, after 404 the name.',
});

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

export const runsOnce = clientRule({
  id: 'client.runs-once',
  passing: afterResults,
  clause: clauses.clientRunsOnce,
  judge: (trial) => {
    if (trial.runs.length === 0 || !trial.runs.some(isResult)) return undefined;
    const again = repetitions(trial.runs, (run) => isResult(run));
    // PARTIAL is an answer of success too (§7): what it lacks, another run may lack as well.
    if (again.length === 0) return [];
    const [first] = again;
    return [
      violation(
        'one run',
        `the same run again, ${seconds(first!.again.at.sent - first!.before.at.end)} after it was answered with success`,
        first!.again,
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
