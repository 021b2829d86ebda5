/**
 * What `Retry-After` is worth. The patient arm waits as told and calls once: that must be admitted. The impatient arm
 * hammers: that must gain no more than the limit's model allows. Early admission is no fault.
 */

import type { Fitted, LimitModel } from '../../model/limit-model.ts';
import { mostAdmitted } from './bound.ts';
import { secondsTold, toldMsOf } from './retry-header.ts';
import type { Decision, Probe } from './trace.ts';

export interface Trial {
  /** The header of the last refusal, as it stood. */
  readonly told?: string;
  readonly toldMs?: number;
  /** `inconclusive`: no refusal came, no wait was stated, it was too long, or the answer was no decision. */
  readonly came: 'admitted' | 'refused' | 'inconclusive';
  readonly why?: string;
  readonly refusal?: Decision;
  readonly answer?: Decision;
}

export interface Patience {
  /** The longest wait that is tested. */
  readonly longestMs: number;
  /** How many calls, at most, are spent on being refused. */
  readonly maxCalls: number;
  /** Added to the stated wait, for timers and for the network. */
  readonly guardMs: number;
  /** How many calls are known to fit. */
  readonly burst?: number;
  /**
   * Asks again when a part of the wait is over, and counts that refusal. Who always calls as soon as a window begins is always told its whole
   * length, which is right however the service rounds what is left of it; and what each refusal prolongs is told rightly too, if rounded
   * up, but for the last second.
   */
  readonly later?: 'soon' | 'in the last second';
  /** Calls one by one, and goes by the first refusal: nobody has been refused before it, and nothing was asked since. */
  readonly byTheFirst?: true;
}

export async function patientTrial(probe: Probe, patience: Patience): Promise<Trial> {
  const found = await untilRefused(probe, patience);
  if (found === undefined) return { came: 'inconclusive', why: 'no call was refused' };
  const { refusal, spent } = found;
  const told = refusal.retryAfter;
  const seconds = secondsTold(told);
  const base = { refusal, ...(told === undefined ? {} : { told }) };
  if (seconds === undefined) {
    return { ...base, came: 'inconclusive', why: told === undefined ? 'no wait was stated' : 'the wait is unreadable' };
  }
  const toldMs = seconds * 1000;
  if (toldMs > patience.longestMs)
    return { ...base, toldMs, came: 'inconclusive', why: 'the wait is longer than the patience' };
  await probe.sleep(Math.max(0, refusal.headAt + toldMs + patience.guardMs - probe.now()));
  const answer = await probe.ask();
  if (answer.status === 0 || answer.status >= 500) {
    return { ...base, toldMs, answer, came: 'inconclusive', why: 'the call after the wait failed otherwise' };
  }
  if (spent && !answer.admitted) {
    return { ...base, toldMs, answer, came: 'inconclusive', why: 'calls of its own were admitted after the refusal' };
  }
  return { ...base, toldMs, answer, came: answer.admitted ? 'admitted' : 'refused' };
}

/** How often one more call is sent alone, if there was room for it each time. */
const moreAlone = 4;

/** Of a stated wait of whole seconds, this leaves a part of one that rounding to the nearest would lose. */
const laterMs = 600;
const leastForLaterMs = 2000;
const lastMs = 900;

/** How long to wait before the refusal that counts; not at all where short waits are told. */
function pauseBefore({ later, longestMs }: Patience, refused: readonly Decision[], now: number): number {
  const longest = refused.reduce((most, each) => (toldMsOf(each) > toldMsOf(most) ? each : most));
  const toldMs = toldMsOf(longest);
  if (later === undefined || toldMs < leastForLaterMs || toldMs > longestMs) return 0;
  return later === 'soon' ? laterMs : Math.max(0, deadline(longest) - lastMs - now);
}

/**
 * The refusal that counts is one that was sent alone after the others: what it told was told to the last who asked, and
 * nothing was admitted after it. Where calls are admitted faster than they can be sent, it is the one of the wave that
 * that got the longest wait; its tokens may be spent.
 */
async function untilRefused(
  probe: Probe,
  patience: Patience,
): Promise<{ readonly refusal: Decision; readonly spent: boolean } | undefined> {
  const { maxCalls, burst, byTheFirst } = patience;
  let size = byTheFirst ? 1 : Math.min(maxCalls, burst === undefined ? 4 : burst + 1);
  for (let asked = 0; asked < maxCalls; ) {
    const wave = size === 1 ? [await probe.ask()] : await probe.askMany(size);
    asked += wave.length;
    const refused = wave.filter(({ admitted, status }) => !admitted && status !== 0);
    if (refused.length > 0 && byTheFirst) return { refusal: refused[0]!, spent: false };
    if (refused.length > 0) {
      const pause = pauseBefore(patience, refused, probe.now());
      if (pause > 0) await probe.sleep(pause);
      for (let call = 0; call < moreAlone; call += 1) {
        const alone = await probe.ask();
        if (!alone.admitted && alone.status !== 0) return { refusal: alone, spent: false };
      }
      return { refusal: refused.reduce((last, each) => (deadline(each) > deadline(last) ? each : last)), spent: true };
    }
    // Failing is another thing than being refused, and more calls do not help.
    if (wave.length >= 4 && wave.filter(({ status }) => status >= 500).length * 2 >= wave.length) return undefined;
    size = byTheFirst ? 1 : Math.max(1, Math.min(256, size * 2, maxCalls - asked));
  }
  return undefined;
}

const deadline = (decision: Decision): number => decision.headAt + toldMsOf(decision);

export interface Hammering {
  readonly admitted: number;
  readonly asked: number;
  readonly inMs: number;
  /** The most that the model allows in this time. Infinite: it allows anything. */
  readonly allowed: number;
  readonly gains: boolean;
}

/** `pace`: so many calls a second, whatever is answered. */
export async function hammer(
  probe: Probe,
  model: LimitModel | Fitted,
  options: { readonly perSecond: number; readonly maxCalls: number; readonly forMs: number },
): Promise<Hammering> {
  const calls = Math.max(1, Math.min(options.maxCalls, Math.ceil((options.forMs * options.perSecond) / 1000)));
  const answers = await probe.askMany(calls, 1000 / options.perSecond);
  return judgeHammering(answers, model);
}

/** From a trace alone: whether more was admitted, from its first call to its last, than the model allows. */
export function judgeHammering(answers: readonly Decision[], model: LimitModel | Fitted): Hammering {
  const begun = answers.reduce((least, { sentAt }) => Math.min(least, sentAt), Number.POSITIVE_INFINITY);
  const ended = answers.reduce((most, { headAt }) => Math.max(most, headAt), Number.NEGATIVE_INFINITY);
  // A refusal by another limit may have another status.
  const usual = answers.find((each) => each.admitted && each.status !== 0)?.status;
  const admitted = answers.filter((each) => each.admitted && each.status === usual).length;
  const allowed = mostAdmitted(model, ended - begun);
  return { admitted, asked: answers.length, inMs: ended - begun, allowed, gains: admitted > allowed };
}

/** With no failure in this many trials, the failure rate is below this, 95 times in 100. */
export const failureBound = (trials: number, confidence = 0.95): number =>
  trials < 1 ? 1 : 1 - (1 - confidence) ** (1 / trials);

export interface TrialSummary {
  readonly trials: number;
  readonly admitted: number;
  readonly refused: number;
  readonly inconclusive: number;
  /** The upper bound of the failure rate; only where nothing failed. */
  readonly failsAtMost?: number;
}

export function summarise(trials: readonly Trial[]): TrialSummary {
  const count = (came: Trial['came']): number => trials.filter((each) => each.came === came).length;
  const admitted = count('admitted');
  const refused = count('refused');
  return {
    trials: trials.length,
    admitted,
    refused,
    inconclusive: count('inconclusive'),
    ...(refused === 0 && admitted > 0 ? { failsAtMost: failureBound(admitted) } : {}),
  };
}

export interface Slack {
  readonly seen: number;
  readonly medianMs: number;
  readonly mostMs: number;
  /** More than two seconds and more than half of the stated wait. */
  readonly excessive: number;
}

/** One stated time, and how long before it a call was admitted; negative: after it. */
interface Early {
  readonly ms: number;
  readonly toldMs: number;
  /** A call between the stated time and that admission was refused: otherwise nobody asked sooner. */
  readonly wasRefusedLate: boolean;
}

function earliesIn(trace: readonly Decision[]): readonly Early[] {
  const earlies: Early[] = [];
  let told: { from: number; until: number; ms: number; late: boolean } | undefined;
  for (const each of trace) {
    if (each.status === 0) continue;
    if (each.admitted) {
      // Of calls under way at once nobody knows which was decided first.
      if (told !== undefined && each.sentAt < told.from) continue;
      if (told !== undefined)
        earlies.push({ ms: told.until - each.headAt, toldMs: told.ms, wasRefusedLate: told.late });
      told = undefined;
    } else {
      const seconds = secondsTold(each.retryAfter);
      // The first refusal of a stretch states the longest wait; the deadline moves only if a later refusal states a later time.
      if (seconds === undefined) told = undefined;
      else if (told === undefined)
        told = { from: each.headAt, until: each.headAt + seconds * 1000, ms: seconds * 1000, late: false };
      else if (each.sentAt > told.until) told.late = true;
    }
  }
  return earlies;
}

/** From a trace that kept asking: how long before the stated time a call was admitted. */
export function slackOf(trace: readonly Decision[]): Slack | undefined {
  const slacks = earliesIn(trace);
  if (slacks.length === 0) return undefined;
  const sorted = slacks.map(({ ms }) => ms).sort((a, b) => a - b);
  return {
    seen: slacks.length,
    medianMs: sorted[sorted.length >> 1]!,
    mostMs: sorted.at(-1)!,
    excessive: slacks.filter(({ ms, toldMs }) => isExcessive(ms, toldMs)).length,
  };
}

/** Decision 11 of the reading. */
export const isExcessive = (ms: number, toldMs: number): boolean => ms > 2000 && ms > toldMs / 2;

/** The differences that say something, in order: a caller that rested for longer than it was told shows none. */
export const differencesIn = (trace: readonly Decision[]): readonly number[] =>
  earliesIn(trace)
    .filter(({ ms, wasRefusedLate }) => ms >= 0 || wasRefusedLate)
    .map(({ ms }) => ms)
    .sort((a, b) => a - b);
