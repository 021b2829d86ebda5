/** What a client does about 429: it waits for Retry-After, by the newest answer, and continues. */
import {
  clientRule,
  type Exchange,
  headerValues,
  type Reason,
  type SeenTrial,
  statusOf,
} from '../../src/vocabulary.ts';
import { clientClauses as clauses } from '../clauses/clients.ts';
import {
  ending,
  type Gap,
  gapsOf,
  hasEnded,
  hasWorkers,
  mayBeUnread,
  ordinal,
  plainRunsComplete,
  resultOf,
  seconds,
  valuesOf,
  violation,
} from './looking.ts';
import { afterNewerWaits, afterToldWaits, outcomeUnknown } from './passing.ts';
import { toldMs } from './told.ts';

/** Timers end a little early in some runtimes, and their clocks have grains. */
const grain = (ms: number): number => 30 + ms * 0.03;

/** A call that was on its way while the 429 was: another worker may not have heard of it. */
const graceMs = 250;

const isTooEarly = (trial: SeenTrial, { after, ms }: Gap): boolean => {
  const told = statusOf(after) === 429 ? toldMs(after) : undefined;
  if (told === undefined || ms >= told - grain(told)) return false;
  return !(hasWorkers(trial) && ms < graceMs) && !mayBeUnread(trial, ms);
};

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
  'limited-minutes',
  'limited-caseless',
  'limited-page',
  'limited-always',
  'limited-after-failing',
  'limited-after-504',
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

const forwarding = ['x-forwarded-for', 'forwarded', 'x-real-ip', 'x-client-ip', 'true-client-ip', 'cf-connecting-ip'];

/** Whom a call says that it is sent for. */
const addressIn = (call: Exchange): string => JSON.stringify(forwarding.map((name) => valuesOf(call, name)));

export const saysNoOtherAddress = clientRule({
  id: 'client.says-no-other-address',
  passing: 'calls that pass here may be sent for many callers; run `touchstone client`',
  clause: clauses.clientSaysNoOtherAddress,
  situations: [...toldOnce, 'limited-missing'],
  judge: ({ runs }) => {
    const [first] = runs;
    if (first === undefined) return undefined;
    const other = runs.slice(1).find((run) => addressIn(run) !== addressIn(first));
    if (other === undefined) return [];
    const said = forwarding.flatMap((name) => valuesOf(other, name).map((value) => `${name}: ${value}`));
    return [
      violation(
        'the same X-Forwarded-For and Forwarded as in the first call',
        said.length === 0 ? 'none of them' : said.join(', '),
        other,
      ),
    ];
  },
  fix: 'Wait for `Retry-After`. Do not change X-Forwarded-For or Forwarded to look like somebody else.',
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
  'limited-after-504',
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
