/** What rules of clients look at, and the words in which they say what they saw. */
import {
  type Exchange,
  jsonOf,
  presentedKey,
  type Reason,
  type Seen,
  type SeenTrial,
  succeeded,
  tooBusyMs,
} from '../../src/vocabulary.ts';

const reason =
  (weight: Reason['weight']) =>
  (expected: string, came: string, exchange?: Exchange): Reason => ({
    weight,
    expected,
    came,
    ...(exchange === undefined ? {} : { exchange: exchange.id }),
  });

export const violation = reason('violation');
export const warning = reason('warning');

export const seconds = (ms: number): string => `${(ms / 1000).toFixed(ms < 95 ? 3 : ms < 9950 ? 2 : 0)} s`;

export const ordinal = (at: number): string =>
  ['first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh', 'eighth', 'ninth', 'tenth'][at] ?? `${at + 1}th`;

/** What lies between an answer and the next call. Measured from before our first byte to their last: never too short. */
export interface Gap {
  readonly after: Exchange;
  readonly next: Exchange;
  /** The place of `next` among the runs. */
  readonly at: number;
  readonly ms: number;
}

export const gapsOf = ({ runs }: SeenTrial): readonly Gap[] =>
  runs.slice(1).map((next, at) => {
    const after = runs[at]!;
    return { after, next, at: at + 1, ms: next.at.sent - after.at.end };
  });

/** A whole answer of success that a client can read: JSON with a list in `items`. */
export function isResult(exchange: Exchange): boolean {
  if (!succeeded(exchange) || exchange.failure !== undefined) return false;
  // Of what is large only the beginning is kept.
  if (exchange.response?.body.truncated) return exchange.response.body.text?.startsWith('{') ?? false;
  const body = jsonOf(exchange);
  if (!body.ok || typeof body.value !== 'object' || body.value === null) return false;
  return 'items' in body.value && Array.isArray(body.value.items);
}

export const resultOf = ({ runs }: SeenTrial): Exchange | undefined => runs.findLast(isResult);

/** The same method, path and body: what was answered once is asked again. */
export const isSame = (a: Exchange, b: Exchange): boolean =>
  a.request.method === b.request.method &&
  a.request.target === b.request.target &&
  (a.request.body?.text ?? '') === (b.request.body?.text ?? '') &&
  presentedKey(a) === presentedKey(b);

export const valuesOf = ({ request }: Exchange, name: string): string[] =>
  request.headers.filter(([each]) => each.toLowerCase() === name).map(([, value]) => value);

/** How it ended, in words. */
export function ending({ ended: { exit, signal, outcome, stopped } }: SeenTrial): string {
  if (stopped === 'late') return 'it had not ended within the time limit';
  if (stopped === 'enough') return 'it was ended by Touchstone, which had seen enough';
  const how = signal === undefined ? `exit code ${exit}` : `an end by ${signal}`;
  return outcome === 'unclear' ? `${how}, and nothing that says what became of the run` : `\`${outcome}\` (${how})`;
}

export const inWords: Readonly<Record<string, string>> = {
  complete: 'the run is complete',
  partial: 'the run is PARTIAL',
  failed: 'the run failed',
};

/** Other outcomes than that of a plain run prove something only where plain runs end well. */
export const plainRunsComplete = ({ telling, trials }: Seen): string | undefined =>
  telling.completes || !trials.some(({ situation }) => situation.startsWith('complete'))
    ? undefined
    : 'plain runs do not end as complete, so nothing can be said of others';

/** Nor does it prove anything that it had not ended: but that is a matter of many seconds. */
const farTooBusyMs = 4000;

export const wasHeldUp = ({ ended: { stopped, outcome, stalledMs } }: SeenTrial): boolean =>
  stopped === 'late' ? stalledMs > farTooBusyMs : outcome === 'failed' && stalledMs > tooBusyMs;

/** It was not stopped by us, and a run was asked for. */
export const hasEnded = (trial: SeenTrial): boolean =>
  trial.ended.stopped === undefined && trial.runs.length > 0 && !wasHeldUp(trial);

/** So soon, a call follows one that the client itself gave up: its answer left while this machine stood still, and nobody read it. */
const atOnceMs = 600;

export const mayBeUnread = ({ ended: { stalledMs } }: SeenTrial, ms: number): boolean =>
  stalledMs > tooBusyMs && ms < atOnceMs;

/** It has had two calls under way at once. */
export const hasWorkers = ({ runs }: SeenTrial): boolean =>
  runs.some((run, at) => at > 0 && run.at.sent < runs[at - 1]!.at.end);
