/** Which parts of what passes between a client and a service show the situation of a rule. Nothing here judges. */
import { type Exchange, member, pathOf, type SeenTrial, statusOf } from '../../src/vocabulary.ts';
import { gapsOf, isResult } from './looking.ts';
import { toldMs } from './told.ts';

type Parts = (series: readonly SeenTrial[]) => readonly SeenTrial[];

const byItself = 'run `touchstone client` to judge it';
export const outcomeUnknown = `what the client made of its answers does not pass here; ${byItself}`;
export const outputUnseen = `what the client writes and starts does not pass here; ${byItself}`;
export const taskUnknown = `nobody knows here what the client was told to send; ${byItself}`;

export const all: Parts = (series) => series;

export const withRuns: Parts = (series) => series.filter(({ runs }) => runs.length > 0);

const reading = new Set(['GET', 'HEAD', 'OPTIONS']);

export const aboutActors: Parts = (series) =>
  series.filter(
    ({ runs, calls }) =>
      runs.length > 0 ||
      calls.some((call) => !reading.has(call.request.method) && /\/actors\/|run-sync/.test(pathOf(call))),
  );

/** Names that go into a path as they are show nothing. */
export const ofNames: Parts = (series) =>
  withRuns(series).flatMap((each) => {
    const segment = /\/actors\/(.*)\/run-sync-get-dataset-items\/?$/.exec(pathOf(each.runs[0]!))?.[1];
    return segment === undefined || /^[\w.~-]+$/.test(segment) ? [] : [{ ...each, actor: decoded(segment) }];
  });

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

const isTold = (call: Exchange): boolean => statusOf(call) === 429 && toldMs(call) !== undefined;

/** Each with what followed: a client that gives up does not wait. */
export const afterToldWaits: Parts = (series) =>
  series.flatMap((each) =>
    gapsOf(each)
      .filter(({ after }) => isTold(after))
      .map(({ after, next }) => ({ ...each, runs: [after, next] })),
  );

export const afterNewerWaits: Parts = (series) =>
  series.flatMap((each) =>
    each.runs.flatMap((first, at) => {
      const [second, third] = each.runs.slice(at + 1, at + 3);
      const isNewer =
        second !== undefined && isTold(first) && isTold(second) && toldMs(first)! < toldMs(second)! && third;
      return isNewer ? [{ ...each, runs: [first, second, third] }] : [];
    }),
  );

/** The client itself took it back. */
const isTakenBack = ({ failure }: Exchange): boolean => failure?.kind === 'interrupted';

const isFailing = (call: Exchange): boolean =>
  !isTakenBack(call) &&
  (call.response === undefined || statusOf(call) === 429 || (statusOf(call) ?? 0) >= 500 || call.failure !== undefined);

/** From a first failure to what ended it, for all that can be seen: two calls at least. */
function streaksOf(each: SeenTrial): SeenTrial[] {
  const streaks: Exchange[][] = [];
  let open = false;
  for (const run of each.runs) {
    if (open) streaks.at(-1)!.push(run);
    else streaks.push([run]);
    open = isFailing(run);
  }
  return streaks.filter((runs) => runs.length > 1).map((runs) => ({ ...each, runs }));
}

const failuresIn = ({ runs }: SeenTrial): readonly Exchange[] => runs.filter(isFailing);

const isUntold = (call: Exchange): boolean =>
  call.response === undefined ||
  statusOf(call) === 502 ||
  statusOf(call) === 504 ||
  (statusOf(call) === 429 && toldMs(call) === undefined);

export const untoldStreaks: Parts = (series) =>
  series.flatMap(streaksOf).filter((streak) => failuresIn(streak).every(isUntold));

const failing = new Set([500, 502, 504]);
/** One plan shows in several of its doings only. */
const fewestStreaks = 3;

export const failingStreaks: Parts = (series) => {
  const parts = series.flatMap(streaksOf).flatMap((streak) => {
    const statuses = new Set(failuresIn(streak).map(statusOf));
    const [status = 0] = statuses;
    return streak.runs.length < 3 || statuses.size > 1 || !failing.has(status)
      ? []
      : [{ ...streak, situation: status === 500 ? 'failing-500' : 'failing-502' }];
  });
  return parts.length < fewestStreaks ? [] : parts;
};

/** After so many it is seen that it does not stop by itself. */
const endless = 40;

export const longStreaks: Parts = (series) =>
  series
    .flatMap(streaksOf)
    .filter(({ runs }) => runs.length >= 3)
    .map((streak) =>
      streak.runs.length >= endless ? { ...streak, ended: { ...streak.ended, stopped: 'enough' as const } } : streak,
    );

const refused = new Set([400, 401, 403, 404, 422]);

export const withRefusals: Parts = (series) =>
  series.filter(({ runs }) => runs.some((run) => refused.has(statusOf(run) ?? 0)));

/** A person, or a plan, may want the same run again; nobody wants it in the same second. */
const sameSecondMs = 1000;

export const afterResults: Parts = (series) =>
  series.flatMap((each) =>
    each.runs.flatMap((run, at) => {
      if (!isResult(run) || member(run, 'status') === 'PARTIAL') return [];
      const next = each.runs[at + 1];
      const isSoon = next !== undefined && next.at.sent - run.at.end < sameSecondMs;
      return [{ ...each, runs: isSoon ? [run, next] : [run] }];
    }),
  );

/** As long as the slow run of `touchstone client`, nearly. */
const slowMs = 5000;

/** What is taken back sooner was sent by mistake. */
const takenBackMs = 1000;
/** A retry, and nobody's second thought. */
const againMs = 2000;

/** Runs that took their time: answered in the end, or taken back and asked for again. */
export const slowRuns: Parts = (series) =>
  series.flatMap((each) =>
    each.runs.flatMap((run, at) => {
      const ms = run.at.end - run.at.sent;
      if (isResult(run) && ms >= slowMs) return [{ ...each, runs: [run] }];
      const next = each.runs[at + 1];
      const isAgain = isTakenBack(run) && ms >= takenBackMs && next !== undefined;
      return isAgain && next.at.sent - run.at.end < againMs ? [{ ...each, runs: [run, next] }] : [];
    }),
  );

const titled = (each: SeenTrial, title: string): SeenTrial => ({ ...each, title });

export const afterUntoldWaits: Parts = (series) =>
  series
    .flatMap(streaksOf)
    .filter((streak) => failuresIn(streak).some((call) => statusOf(call) === 429 && toldMs(call) === undefined))
    .map((streak) => titled(streak, '429 without whole seconds in `Retry-After`'));

export const afterFailures: Parts = (series) =>
  series.flatMap(streaksOf).flatMap((streak) => {
    const first = statusOf(streak.runs[0]!);
    return first === undefined || (!failing.has(first) && first !== 429) ? [] : [titled(streak, `${first}`)];
  });

export const afterBreaks: Parts = (series) =>
  series
    .flatMap(streaksOf)
    .filter(({ runs }) => runs[0]!.response === undefined)
    .map((streak) => titled(streak, 'a broken connection'));
