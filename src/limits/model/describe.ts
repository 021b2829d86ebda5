/** A model in plain words: what it is, how certain that is, and how each number was found. */
import type { LimitKind, LimitModel, Penalising, SecondTier } from '../../model/limit-model.ts';
import { calls, duration, list, measured, rate } from './words.ts';

const meaning: Readonly<Record<LimitKind, string>> = {
  'token bucket': 'a number of calls at once, then one for each token, which arrive steadily',
  'stepped refill': 'a number of calls at once, then several at each step of the clock',
  'window aligned': 'a number of calls in each window of the clock, at any time in it',
  'window from first call': 'a number of calls in a window that opens with the first of them',
  'sliding log': 'never more than a number of calls in any period of that length',
  'sliding counter': 'a count of this window and a fading share of the last one',
  'trickle undetermined': 'after a burst, calls are admitted again gradually; the exact kind is undetermined',
  'window undetermined': 'after a burst, calls are admitted again all at once; the exact kind is undetermined',
  undetermined: 'calls were refused; the kind of limit is undetermined',
  concurrency: 'a number of calls at the same time, at any rate',
  'none met': 'no call was refused',
};

const queueing = 'a queue that lets calls through one by one, and refuses them when it is full';

/** One line for the head of a report. */
export function summary(model: LimitModel): string {
  const { kind, burst, perSecond, windowMs, quantum, delays } = model;
  const count = burst === undefined ? undefined : calls(burst.value);
  if (delays && count !== undefined && perSecond !== undefined)
    return `leaky bucket, which queues before it refuses: ${count} wait, ${rate(perSecond.value)} go through`;
  if (kind === 'none met') {
    const { calls: met, inMs } = model.atLeast ?? { calls: model.admitted, inMs: model.tookMs };
    return `none met: at least ${calls(met)} in ${duration(inMs)} are admitted`;
  }
  if (kind === 'concurrency') return `concurrency: ${count} at a time`;
  if (count === undefined) return kind;
  if (kind === 'stepped refill') return `${kind}: ${count} at once, then ${quantum} every ${duration(windowMs!.value)}`;
  if (windowMs !== undefined) return `${kind}: ${count} in ${duration(windowMs.value)}`;
  if (perSecond !== undefined) return `${kind}: ${count} at once, then ${rate(perSecond.value)}`;
  return `${kind}: ${count}`;
}

export function describe(model: LimitModel): readonly string[] {
  return [
    `${summary(model)}.`,
    `That is: ${model.delays ? queueing : meaning[model.kind]}.`,
    certainty(model),
    ...numbers(model),
    ...extras(model),
    ...retryAfter(model),
    `It took ${calls(model.decisions)}, of which ${model.admitted} were admitted, and ${duration(model.tookMs)}.`,
  ];
}

function certainty({ certainty, explained, decisions, same, candidates }: LimitModel): string {
  const share = `${(explained * 100).toFixed(1)} %`;
  switch (certainty.is) {
    case 'identified': {
      const next = candidates.find(({ against }) => against > 1);
      const rival = next === undefined ? '' : ` The next best, ${next.kind}, contradicts ${next.against} of them.`;
      const alike = same.length === 0 ? '' : ` With a burst of one, ${list(same, 'and')} are the same thing.`;
      return `Identified: replayed over all ${decisions} decisions, it explains ${share}.${rival}${alike}`;
    }
    case 'undetermined':
      return certainty.between.length === 1
        ? `Undetermined: a ${list(certainty.between)} explains what was seen; the calls or the time were not enough to be sure.`
        : `Undetermined: ${list(certainty.between)} explain what was seen; the calls or the time were not enough to distinguish them.`;
    case 'fits badly':
      return `Fits badly: ${certainty.why}. Several limits at once, several copies of the service, or chance would look like this.`;
    case 'none within budget':
      return 'No limit was met within the budget: that says nothing about a higher one.';
  }
}

function numbers({ kind, burst, perSecond, windowMs, phaseMs, delays }: LimitModel): string[] {
  const lines: string[] = [];
  if (burst !== undefined) {
    const how = delays
      ? 'a wave that found the queue empty: the calls that were accepted'
      : kind === 'concurrency'
        ? 'waves of calls: the calls accepted each time, however soon they followed each other'
        : 'bursts after a rest, minus the refill during the burst';
    lines.push(`Burst ${measured(burst, String)}: from ${how}.`);
  }
  if (perSecond !== undefined && kind !== 'stepped refill') {
    const how = delays ? 'the pace at which a full queue answers' : 'all calls admitted since the bucket was last full';
    lines.push(`Rate ${measured(perSecond, rate)}: from ${how}.`);
  }
  if (windowMs !== undefined) {
    const how =
      kind === 'stepped refill' || kind === 'window aligned' || kind === 'sliding counter'
        ? 'the moments at which calls were admitted again'
        : 'the time from the first calls of a burst until calls were admitted again';
    const name = kind === 'stepped refill' ? 'Step' : 'Window';
    lines.push(`${name} ${measured(windowMs, duration)}: from ${how}.`);
  }
  if (phaseMs !== undefined && kind === 'window aligned') {
    lines.push(`Windows do not begin with a call: a burst later in the window waited less.`);
  }
  return lines;
}

function extras(model: LimitModel): string[] {
  const { delays, penalising, perReplica, secondTier, sustained, closedForMs } = model;
  const lines: string[] = [];
  if (delays) lines.push('Accepted calls wait in the queue first; calls are refused only when it is full.');
  if (penalising !== undefined) lines.push(`${punished[penalising]}.`);
  if (perReplica !== undefined) {
    const { copies, burst, perSecond } = perReplica;
    const each = `${calls(Math.round(burst))} at once, then ${rate(perSecond)}`;
    lines.push(`${copies} copies of the service that are called in turn would look the same, each with ${each}.`);
  }
  if (secondTier !== undefined) lines.push(behind(secondTier));
  else if (sustained !== undefined) {
    lines.push(`No wider limit was met in ${calls(sustained.calls)} over ${duration(sustained.inMs)}.`);
  }
  if (closedForMs !== undefined) lines.push(`For at least ${duration(closedForMs)} no further call was admitted.`);
  return lines;
}

const punished: Readonly<Record<Penalising, string>> = {
  'refusals count': 'Refused calls are counted like admitted ones: a caller that keeps calling stays out',
  'refusals begin the window anew':
    'Every refused call restarts the window: a caller that keeps calling stays out, and only silence helps',
  'refusals lengthen the wait':
    'Every refused call lengthens the wait: a caller that keeps calling stays out for longer and longer',
};

function behind({ met, between, fitted }: SecondTier): string {
  const begin = `There is a second, wider limit: after ${calls(met.calls)} in ${duration(met.inMs)}, calls were refused that the first limit allows`;
  if (fitted === undefined) return between.length === 0 ? `${begin}.` : `${begin} (${list(between)}).`;
  const { kind, burst, windowMs, perSecond } = fitted;
  const pace =
    windowMs !== undefined
      ? ` in ${duration(windowMs.value)}`
      : perSecond === undefined
        ? ''
        : `, ${rate(perSecond.value)}`;
  return `${begin} (${kind}: ${calls(burst.value)}${pace}).`;
}

/** Whole seconds are rounded up, and calls take a while. */
const roundingMs = 1050;

function retryAfter({ retryAfter: { refusals, absent, unreadable, slackMs } }: LimitModel): string[] {
  if (refusals === 0) return [];
  const lines: string[] = [];
  if (absent > 0) lines.push(`${absent} of ${refusals} refusals had no Retry-After.`);
  if (unreadable > 0)
    lines.push(`${unreadable} of ${refusals} refusals had a Retry-After that is not a number of seconds.`);
  if (slackMs !== undefined) {
    const off = duration(Math.abs(slackMs.value));
    const told =
      Math.abs(slackMs.value) <= roundingMs
        ? 'at the time that Retry-After said, to the second'
        : `${off} ${slackMs.value > 0 ? 'earlier' : 'later'} than Retry-After said`;
    lines.push(`Calls were usually admitted ${told}.`);
  }
  return lines;
}
