/** Whether a measurement measured what it says it did. Pure: from the figures alone. */
import { scenarios } from '../../load/shared/scenarios.ts';
import type { Measurement, Validity, ValidityReason } from '../model/measurement.ts';
import { Histogram } from '../statistics/histogram.ts';
import type { DeclaredLimits } from './plan.ts';

export type Unjudged = Omit<Measurement, 'validity' | 'thresholds' | 'conclusions'>;

/** The fewest from which a 95th percentile has an upper end. */
const fewestSamples = 59;
const lagFloorUs = 5000;
const lagShare = 0.05;
const missedShare = 0.01;
const vuShare = 0.9;
const cpuShare = 0.8;
/** A closed loop is meant to be busy; only at the end of its core it measures itself. */
const cpuShareClosed = 0.95;
const stallMs = 250;
/** More errors than this, and the answers that came say little about the service. */
const errorShare = 0.5;
/** Of refusals as the caller's fault: then something else was asked than was meant. */
const faultShare = 0.01;

/** Of the time that was measured: what is left of less is no picture of it. */
const leastCalmShare = 0.1;

export function validityOf(measured: Unjudged, limits: DeclaredLimits = {}): Validity {
  const wrong = [...generatorFaults(measured), ...limiterMet(measured, limits), ...wrongAnswers(measured)];
  const unsure = [...(measured.interrupted ? [interrupted] : []), ...tooFew(measured)];
  const verdict = wrong.length > 0 ? 'invalid' : unsure.length > 0 ? 'inconclusive' : 'valid';
  return { verdict, reasons: [...wrong, ...unsure] };
}

const interrupted: ValidityReason = {
  cause: 'interrupted',
  says: 'it was interrupted: these are the figures up to then',
  change: 'let it run to its end',
};

const generator = (says: string, change: string): ValidityReason => ({ cause: 'generator', says, change });

function* generatorFaults(measured: Unjudged): Generator<ValidityReason> {
  const { generator: own, engine, plan, achieved, interrupted: cut } = measured;
  if (own.failure !== undefined && !cut) yield generator(own.failure, 'read its output, and measure again');
  if (own.exhausted > 0)
    yield generator(
      `${many(own.exhausted, 'request')} never left: this machine had no socket or port left`,
      'raise the limit of open files (ulimit -n), send from more addresses (--addresses), or lower the rate',
    );
  if (engine.model === 'open' && !cut) {
    if (own.dropped > 0)
      yield generator(
        `${many(own.dropped, 'request')} of ${achieved.intended ?? 0} ${own.dropped === 1 ? 'was' : 'were'} never sent: no virtual user was free, with at most ${own.vus.allowed} at work`,
        'allow more requests in flight (--max-response-time, --vus), or use a faster machine; if the service is that slow, lower the rate',
      );
    const came = achieved.seconds > 0 ? achieved.begun / achieved.seconds : 0;
    const planned = plan.changing?.mean ?? plan.perSecond ?? came;
    // A first or a last one that began late changes it, of which the calm time knows.
    if (
      measured.calm === undefined &&
      own.dropped === 0 &&
      measured.groups.length === 0 &&
      Math.abs(came / planned - 1) > missedShare &&
      achieved.begun > 1
    )
      yield generator(
        `${rate(came)} a second were sent instead of ${rate(planned)}`,
        'lower the rate, or use a faster machine or more workers (--workers)',
      );
  }
  if (engine.model === 'open') yield* lateStarts(measured);
  if (
    own.vus.allowed > 0 &&
    own.vus.usedAtMost >= vuShare * own.vus.allowed &&
    own.dropped === 0 &&
    engine.model === 'open'
  )
    yield generator(
      `${own.vus.usedAtMost} of ${own.vus.allowed} allowed requests were in flight: the next one would have had to wait`,
      'allow more requests in flight (--max-response-time, --vus)',
    );
  const busy = own.samples.filter(({ at }) => at >= 0).map(({ cpuCores }) => cpuCores);
  const mean = busy.reduce((sum, each) => sum + each, 0) / Math.max(1, busy.length);
  if (busy.length > 0 && mean > (engine.model === 'open' ? cpuShare : cpuShareClosed) * own.cores)
    yield generator(
      `the generator kept ${mean.toFixed(1)} of ${own.cores} cores busy: it measures itself`,
      engine.model === 'open'
        ? 'lower the rate, or use a machine with more cores'
        : 'take fewer connections (--connections), or k6, which uses all cores',
    );
  if (own.stallP99Ms > stallMs)
    yield generator(
      `Touchstone itself was stalled for ${Math.round(own.stallP99Ms)} ms at a time`,
      'leave more of the machine to it',
    );
}

/** More time would do: each request was sent, nothing is wrong with any, and only this machine's time was wanting. */
export function isOnlyUntimely(measured: Unjudged, limits: DeclaredLimits = {}): boolean {
  const timely = { ...measured, generator: { ...measured.generator, lag: { count: 0 } } };
  const { seconds } = measured.achieved;
  const calm = { share: 1, seconds, lostSeconds: 0, outside: { ok: 0, limited: 0, other: 0 } };
  return validityOf({ ...timely, calm }, limits).reasons.every(({ cause }) => cause === 'too-few-samples');
}

/** Nothing else is wrong: every request was sent, and answered as it should be, only not at its time. */
export const isOnlyLate = (measured: Unjudged, { reasons }: Validity): boolean =>
  reasons.length === 1 && reasons[0]!.says === [...lateStarts(measured)][0]?.says;

export function* lateStarts({ generator: own, latencies, calm }: Unjudged): Generator<ValidityReason> {
  if (calm !== undefined && calm.share < leastCalmShare)
    yield generator(
      `this machine was calm in only ${Math.round(100 * calm.share)} % of ${rate(calm.seconds)} s`,
      'leave more of the machine to the generator, or measure on another one',
    );
  const lag = Histogram.of(own.lag).percentileUs(99);
  const bound = Math.max(lagFloorUs, lagShare * Histogram.of(latencies.ok).percentileUs(50));
  if (lag > bound)
    yield generator(
      `requests began late: 1 of 100 by ${ms(lag)} or more; at most ${ms(bound)} is acceptable`,
      'leave more of the machine to the generator, lower the rate, or use a faster machine',
    );
}

/** Of all slots, also those that do not count for latencies: an answer that is wrong is so at any time. */
const countedIn = ({ latencies, calm }: Unjudged) => ({
  ok: latencies.ok.count + (calm?.outside.ok ?? 0),
  limited: latencies.limited.count + (calm?.outside.limited ?? 0),
  other: latencies.other.count + (calm?.outside.other ?? 0),
});

function* limiterMet(measured: Unjudged, limits: DeclaredLimits): Generator<ValidityReason> {
  const { plan, achieved } = measured;
  const { ok, limited: refused } = countedIn(measured);
  if (plan.refusalsExpected || refused === 0) return;
  const admitted = achieved.seconds > 0 ? ok / achieved.seconds : 0;
  const planned = plan.perSecond ?? admitted + refused / Math.max(1, achieved.seconds);
  yield {
    cause: 'limiter',
    says: `${many(refused, 'answer')} ${refused === 1 ? 'was' : 'were'} 429: what was measured is ${whose(planned, plan, limits)}, not the server`,
    change: needed(planned, admitted, plan, limits),
  };
}

/** Below this share of a limit one is not refused by a little unevenness. */
const shareOfLimit = 0.8;

function whose(planned: number, { keys, addresses }: Unjudged['plan'], { key, address }: DeclaredLimits): string {
  const perKey = key !== undefined && planned / keys > key.perSecond;
  const perAddress = address !== undefined && planned / addresses > address.perSecond;
  if (perKey && perAddress) return "the key's limit and the address's";
  if (perKey) return "the key's limit";
  if (perAddress) return "the address's limit";
  return "a limit, the key's or the address's";
}

function needed(planned: number, admitted: number, plan: Unjudged['plan'], { key, address }: DeclaredLimits): string {
  const { keys, addresses } = plan;
  const more = (limit: number, have: number): number => Math.max(have + 1, Math.ceil(planned / (shareOfLimit * limit)));
  const wanted = [
    ...(key !== undefined && planned / keys > shareOfLimit * key.perSecond
      ? [`${more(key.perSecond, keys)} keys`]
      : []),
    ...(address !== undefined && planned / addresses > shareOfLimit * address.perSecond
      ? [`${more(address.perSecond, addresses)} addresses (--addresses)`]
      : []),
  ];
  if (wanted.length > 0) return `use ${wanted.join(' and ')}, or lower the rate`;
  if (admitted <= 0) return 'lower the rate, or use more keys and more addresses (--addresses)';
  const times = Math.ceil(planned / (shareOfLimit * admitted));
  return `${rate(admitted)} a second were admitted: use about ${times * keys} keys, if it is the key's limit, or ${times * addresses} addresses (--addresses), if it is the address's; or lower the rate. limits.documented in the profile says which`;
}

const answersWrong = (says: string, change: string): ValidityReason => ({ cause: 'wrong-answers', says, change });

function* wrongAnswers(measured: Unjudged): Generator<ValidityReason> {
  const { answers, others, plan, achieved, scenario } = measured;
  if (answers.wrong > 0)
    yield answersWrong(
      `${answers.wrong} of ${answers.checked} answers that were looked at are wrong: ${answers.examples.join('; ')}`,
      'fix the answers before you measure their speed (touchstone check)',
    );
  const { ok, limited, other } = countedIn(measured);
  const total = ok + limited + other;
  const what = others
    .slice(0, 3)
    .map(({ what: each, count }) => `${count} × ${each}`)
    .join(', ');
  const callersFaults = others.reduce((sum, { what: each, count }) => sum + (/^4\d\d$/.test(each) ? count : 0), 0);
  if (achieved.begun > 0 && ok === 0 && !(plan.refusalsExpected && limited > 0)) {
    if (limited === 0)
      yield answersWrong(`not one answer was a success: ${what}`, 'try one request by hand, or touchstone check');
  } else if (callersFaults > faultShare * total) {
    yield answersWrong(
      `${many(callersFaults, 'request')} ${callersFaults === 1 ? 'was' : 'were'} refused as invalid: ${what}`,
      'see that each key, actor and input of the profile works (touchstone check)',
    );
  } else if (other > errorShare * total && !scenarios[scenario].expects?.failures) {
    yield answersWrong(
      `more than half were no answers to measure: ${what}`,
      'see why the service fails; lower the rate if that is why',
    );
  }
}

function* tooFew({ latencies, achieved, plan }: Unjudged): Generator<ValidityReason> {
  const { count } = latencies.ok;
  if (achieved.begun === 0)
    yield {
      cause: 'too-few-samples',
      says: 'nothing was sent after the warm-up',
      change: 'measure longer than the warm-up',
    };
  // Where there was no success at all, that is what is said already.
  else if (!plan.refusalsExpected && count > 0 && count < fewestSamples)
    yield {
      cause: 'too-few-samples',
      says: `${many(count, 'answer')} in the 2xx: fewer than ${fewestSamples} do not support even the 95th percentile`,
      change: 'measure longer, or at a higher rate; 299 answers give the 99th percentile',
    };
}

const many = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;
const rate = (value: number): string => String(Number(value.toPrecision(value >= 1000 ? 4 : 3)));
const ms = (us: number): string => `${Number((us / 1000).toPrecision(3))} ms`;
