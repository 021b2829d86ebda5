/** Whether a step kept the promise. By intervals: what they do not show is neither kept nor broken. */
import type { CapacityFigures, InvalidCause } from '../../model/measurement.ts';
import { clopperPearson, wilson } from '../../statistics/share.ts';
import type { Promised, StepResult } from './step.ts';

export interface Judged {
  readonly verdict: CapacityFigures['steps'][number]['verdict'];
  readonly why: string;
  /** What is in the way, where it was not kept. */
  readonly constraint?: Exclude<CapacityFigures['constraint'], 'ladder'>;
  readonly interrupted?: true;
}

const ms = (value: number): string => `${value < 10 ? value.toFixed(1) : Math.round(value)} ms`;
const share = (value: number): string => `${Number((100 * value).toPrecision(2))} %`;
const between = (hits: number, of: number): string => {
  const { low, high } = wilson(hits, of);
  return `${share(low)} to ${share(high)}`;
};
const name = (percent: number): string => `p${percent}`;

export const inWords = ({ percent, withinMs, errors }: Promised): string =>
  `${name(percent)} within ${ms(withinMs)}, errors at most ${share(errors)}`;

/** `forSeconds`: how long a rate has to be kept. What will break the promise by then has broken it. */
export function judgeStep(result: StepResult, promised: Promised, forSeconds: number): Judged {
  const { validity, latency, allWaiting } = result;
  const reason = (cause: InvalidCause) => validity.reasons.find((each) => each.cause === cause);
  if (reason('interrupted') !== undefined) return { verdict: 'invalid', why: 'interrupted', interrupted: true };
  const wrong = reason('wrong-answers');
  if (wrong !== undefined) return { verdict: 'broke', why: wrong.says, constraint: 'server' };
  const limited = reason('limiter');
  if (limited !== undefined) return { verdict: 'invalid', why: limited.says, constraint: 'limiter' };
  const short = reason('generator');
  if (short !== undefined) {
    // Whatever was not sent would have waited longer still: latencies that are too long already are the service's.
    if (allWaiting && !isStarved(result, promised) && latency?.low !== undefined && latency.low > promised.withinMs)
      return {
        verdict: 'broke',
        why: `${slow(promised, latency.value)}, and every VU waits for an answer`,
        constraint: 'server',
      };
    return (
      judgeLate(result, promised, forSeconds, short.says) ?? {
        verdict: 'invalid',
        why: short.says,
        constraint: 'generator',
      }
    );
  }
  return judgeValid(result, promised, forSeconds);
}

/**
 * Latencies are counted from the time when a request should have begun. What is within the promise although it began
 * late would be so without. And where answers are given in turn, sending in time would have made none sooner by more
 * than the latest was late: what is too slow by more than that is the service's.
 */
function judgeLate(result: StepResult, promised: Promised, forSeconds: number, says: string): Judged | undefined {
  const { onlyLate, lateByMs, latency } = result;
  if (!onlyLate) return undefined;
  const judged = judgeValid(result, promised, forSeconds);
  const tooSlow = latency?.low !== undefined && latency.low - lateByMs > promised.withinMs;
  return judged.verdict === 'held' || (judged.verdict === 'broke' && tooSlow && !isStarved(result, promised))
    ? { ...judged, why: `${judged.why}, although ${says}` }
    : undefined;
}

/** So late that a service on the same machine had no chance either. */
const isStarved = ({ lateByMs }: StepResult, { withinMs }: Promised): boolean => lateByMs > withinMs;

const slow = ({ percent, withinMs }: Promised, value: number): string =>
  `${name(percent)} is ${ms(value)}, not ${ms(withinMs)}`;

function judgeValid(result: StepResult, promised: Promised, forSeconds: number): Judged {
  const { latency, growth, answers, errors, validity } = result;
  const { percent, withinMs } = promised;
  const constraint = 'server';
  const failed = clopperPearson(errors, answers);
  if (failed.low > promised.errors)
    return {
      verdict: 'broke',
      why: `${errors} of ${answers} requests failed: ${between(errors, answers)}`,
      constraint,
    };
  if (latency === undefined || validity.verdict === 'inconclusive')
    return { verdict: 'unsure', why: validity.reasons[0]?.says ?? `too few samples for ${name(percent)}`, constraint };
  const { value, low, high } = latency;
  if (low !== undefined && low > withinMs) return { verdict: 'broke', why: slow(promised, value), constraint };
  const rise = growth?.low ?? 0;
  if (rise > 0 && value + rise * forSeconds > withinMs)
    return {
      verdict: 'broke',
      why: `answers become slower by ${ms(growth!.value)} each second, so a queue grows without end`,
      constraint,
    };
  const from = low === undefined ? 'at most' : `between ${ms(low)} and`;
  if (high === undefined || high > withinMs)
    return { verdict: 'unsure', why: `${name(percent)} is ${from} ${ms(high ?? Number.NaN)}`, constraint };
  // A sample too small to prove a small share of errors does not speak against it as long as it shows no more than that.
  if (failed.value > promised.errors)
    return { verdict: 'unsure', why: `${errors} of ${answers} requests failed, which may be chance`, constraint };
  return { verdict: 'held', why: `${name(percent)} is ${from} ${ms(high)}` };
}
