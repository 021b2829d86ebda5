/** What a client does about 429: it waits for Retry-After, by the newest answer, and continues. */
import { clientRule, headerValues, type Reason, type SeenTrial, statusOf } from '../../src/vocabulary.ts';
import { clientClauses as clauses } from '../clauses/clients.ts';
import {
  ending,
  type Gap,
  gapsOf,
  hasEnded,
  ordinal,
  plainRunsComplete,
  resultOf,
  seconds,
  violation,
} from './looking.ts';
import { afterNewerWaits, afterToldWaits, outcomeUnknown, untoldStreaks } from './passing.ts';
import { toldMs } from './told.ts';

/** Timers end a little early in some runtimes, and their clocks have grains. */
const grain = (ms: number): number => 30 + ms * 0.03;

/** A call that was on its way while the 429 was: another worker may not have heard of it. */
const graceMs = 250;

const isTooEarly = (trial: SeenTrial, { after, ms }: Gap): boolean => {
  const told = statusOf(after) === 429 ? toldMs(after) : undefined;
  if (told === undefined || ms >= told - grain(told)) return false;
  return !(hasWorkers(trial) && ms < graceMs);
};

/** It has had two calls under way at once. */
const hasWorkers = ({ runs }: SeenTrial): boolean =>
  runs.some((run, at) => at > 0 && run.at.sent < runs[at - 1]!.at.end);

const tooEarly = ({ after, next, at, ms }: Gap): Reason =>
  violation(
    `the ${ordinal(at)} call ${seconds(toldMs(after) ?? 0)} or more after \`Retry-After: ${headerValues(after, 'retry-after')[0]}\``,
    `the ${ordinal(at)} call ${seconds(Math.max(0, ms))} after it`,
    next,
  );

const toldOnce = [
  'limited-once',
  'limited-two',
  'limited-four',
  'limited-eight',
  'limited-ten',
  'limited-caseless',
  'limited-page',
  'limited-always',
  'limited-after-failing',
];

const earlyGaps = (trial: SeenTrial): Gap[] => gapsOf(trial).filter((gap) => isTooEarly(trial, gap));

export const waitsAsTold = clientRule({
  id: 'client.waits-as-told',
  passing: afterToldWaits,
  clause: clauses.clientWaits,
  situations: toldOnce,
  judge: (trial) => {
    if (trial.runs.length === 0) return undefined;
    return earlyGaps(trial).slice(0, 3).map(tooEarly);
  },
  fix: 'Read `Retry-After` (a whole number of seconds; header names are case-insensitive) and sleep at least that long before the retry; do not cap it.',
});

export const waitsByTheNewest = clientRule({
  id: 'client.waits-by-the-newest',
  passing: afterNewerWaits,
  clause: clauses.clientWaitsByTheNewest,
  situations: ['limited-newest'],
  judge: (trial, { trials }) => {
    const [first, second] = gapsOf(trial);
    if (first === undefined) return trial.runs.length === 0 ? undefined : [];
    if (isTooEarly(trial, first) || second === undefined) return [];
    // A client that does not wait for a single 429 either is reported by another rule.
    if (trials.some((each) => toldOnce.includes(each.situation) && earlyGaps(each).length > 0)) return [];
    return isTooEarly(trial, second) ? [tooEarly(second)] : [];
  },
  fix: 'Read `Retry-After` of each 429 again, instead of keeping the first.',
});

/** This many repetitions without a pause are no chance. */
const hammered = 4;
const noPauseMs = 25;

/** As many calls in so short a time are a loop, whatever it sleeps between them. */
const crowd = 12;
const crowdedMs = 1000;

/** Always 429, and never for how long. */
const untold = ['limited-missing-always', 'limited-missing-again'];
const burstMs = 600;

/** The first five calls within a moment, and no pause that grows. */
function bursts(trial: SeenTrial): boolean {
  const pauses = gapsOf(trial).map(({ ms }) => Math.max(0, ms));
  const first = pauses.slice(0, hammered);
  const sum = first.reduce((all, ms) => all + ms, 0);
  return first.length === hammered && sum <= burstMs && first.at(-1)! < 3 * first[0]! + noPauseMs;
}

/** What nobody can read, or nobody would wait for: a timer that overflows ends at once. */
const unreadable = [
  ['limited-garbage', 'limited-garbage-again'],
  ['limited-huge', 'limited-huge-again'],
  ['limited-date-always', 'limited-date-always-again'],
];
const momentMs = 400;

/** The first five calls within a moment, at one pace: chance in pauses (jitter) rarely agrees with itself like that, and hardly ever twice. */
function keepsAtIt(trial: SeenTrial): boolean {
  const first = gapsOf(trial)
    .map(({ ms }) => Math.max(0, ms))
    .slice(0, hammered);
  const sum = first.reduce((all, ms) => all + ms, 0);
  return first.length === hammered && sum <= momentMs && Math.max(...first) <= 1.5 * Math.min(...first) + 20;
}

/** Less than this is no pause; what a runtime does for the first time takes it longer. What a machine adds is never less than nothing. */
const atOnceMs = [15, 5, 5];
const threeAtOnceMs = 150;

/** A client that repeats three times, each time at once: chance in pauses (jitter) is hardly ever that short at each place. */
function neverPause(trials: readonly SeenTrial[]): boolean {
  const starts = trials.map((trial) => gapsOf(trial).slice(0, atOnceMs.length));
  const areShort = starts.every(
    (gaps) =>
      gaps.length === atOnceMs.length &&
      gaps.slice(1).every(({ ms }) => ms < noPauseMs) &&
      gaps.reduce((sum, { ms }) => sum + ms, 0) <= threeAtOnceMs,
  );
  return areShort && atOnceMs.every((bound, at) => starts.some((gaps) => gaps[at]!.ms < bound));
}

/** Starts of one situation, each of them without a pause that was meant. */
function hammering(trials: readonly SeenTrial[]): SeenTrial | undefined {
  const groups: readonly (readonly [readonly string[], (trial: SeenTrial) => boolean])[] = [
    [untold, bursts],
    ...unreadable.map((names) => [names, keepsAtIt] as const),
  ];
  return groups
    .map(([names, isOne]) => {
      const own = trials.filter((each) => names.includes(each.situation) && !hasWorkers(each));
      // Once may be chance (jitter).
      return own.length >= 2 && (own.every(isOne) || neverPause(own)) ? own[0] : undefined;
    })
    .find((each) => each !== undefined);
}

export const doesNotHammer = clientRule({
  id: 'client.does-not-hammer',
  passing: untoldStreaks,
  clause: clauses.clientDoesNotHammer,
  // How a client reads an absurd value is its own choice, but for not pausing at all.
  situations: [
    'limited-missing',
    ...untold,
    ...unreadable.flat(),
    'limited-negative',
    'failing-502',
    'failing-504',
    'broken-always',
  ],
  judge: (trial) => {
    if (trial.runs.length === 0) return undefined;
    const gaps = gapsOf(trial);
    const fast = gaps.filter(({ ms }) => ms < noPauseMs);
    const last = trial.runs[crowd - 1];
    if (last !== undefined && last.at.sent - trial.runs[0]!.at.sent <= crowdedMs && !hasWorkers(trial)) {
      const came = `${crowd} calls in ${seconds(last.at.sent - trial.runs[0]!.at.sent)}`;
      return [violation('a pause before a call is repeated', came, last)];
    }
    if (fast.length < hammered) return [];
    const from = trial.runs[0]!.at.sent;
    const until = trial.runs.at(-1)!.at.sent;
    return [
      violation(
        'a pause before a call is repeated',
        `${trial.runs.length} calls in ${seconds(until - from)}, ${fast.length} of them less than ${noPauseMs} ms after an answer`,
        fast[0]!.next,
      ),
    ];
  },
  judgeAll: (trials) => {
    const own = hammering(trials);
    if (own === undefined) return [];
    const runs = own.runs.slice(0, hammered + 1);
    const last = runs.at(-1)!;
    return [
      violation(
        'a pause before a call is repeated',
        `${runs.length} calls in ${seconds(last.at.sent - runs[0]!.at.sent)}, with pauses that do not grow`,
        last,
      ),
    ];
  },
  fix: 'Pause before every retry: 2 s if a 429 has no Retry-After, and a growing time after a failure.',
});

const repeated = [
  'limited-once',
  'limited-two',
  'limited-four',
  'limited-eight',
  'limited-ten',
  'limited-caseless',
  'limited-page',
  'limited-newest',
  'limited-missing',
  'limited-after-failing',
  'failing-once-500',
  'failing-once-502',
  'failing-once-503',
  'failing-once-504',
  'failing-once-page',
  'broken-before',
  'broken-after',
];

/** In the shorter situations, no Retry-After makes a client wait this long. */
const deadlineMs = 9500;

function deniesItsResult(trial: SeenTrial): Reason[] {
  const result = resultOf(trial);
  // A client that gives up sooner, and reports it, breaks nothing.
  if (result === undefined || trial.ended.stopped !== undefined || trial.ended.outcome === 'complete') return [];
  // Its own deadline may have come just as it was answered: then it never read the answer.
  if (trial.ended.outcome === 'failed' && result.at.end - trial.runs[0]!.at.sent > deadlineMs) return [];
  return [
    violation('the client to say that the run is complete, as the repeated call was answered', ending(trial), result),
  ];
}

export const succeedsInTheEnd = clientRule({
  id: 'client.succeeds-in-the-end',
  passing: outcomeUnknown,
  clause: clauses.clientSucceedsInTheEnd,
  situations: repeated,
  given: plainRunsComplete,
  judge: (trial, seen) => (hasEnded(trial) && seen.telling.completes ? deniesItsResult(trial) : undefined),
  // A machine that is too busy for one answer is not too busy for each of them.
  judgeAll: (trials) =>
    ['limited', 'failing', 'broken'].flatMap((kind) => {
      const own = trials.filter((each) => each.situation.startsWith(kind) && resultOf(each) !== undefined);
      const reasons = own.map(deniesItsResult);
      return own.length >= 3 && reasons.every((each) => each.length > 0) ? reasons.slice(0, 1).flat() : [];
    }),
  fix: 'Judge a run by its last answer: an earlier refusal or failure no longer counts after a successful retry.',
});
