/** Calls more slowly and more quickly than a profile states, against what it states. */
import {
  admittedIn,
  type Exchange,
  isRefused,
  type Reason,
  type StatedPace,
  type Stretch,
  succeeded,
  violation,
} from '../../src/vocabulary.ts';
import { lapsesOf, type StatedTiers, tookMs } from './stated-limits.ts';

type Stated = StatedTiers[string];

/** So many refusals, and so large a part of all calls, are no chance. */
const needed = 3;
const atLeast = 0.15;

/** Refused although it called more slowly than stated, while whoever shows that it is no other limit was served. */
function refusedBelow({ calls, beside }: StatedPace): Exchange | undefined {
  const own = beside.filter(({ answer }) => succeeded(answer)).length;
  const all = calls.filter(isRefused).length;
  return own >= needed && own * 2 > beside.length && all >= atLeast * calls.length
    ? beside.find(({ answer }) => succeeded(answer))?.refused
    : undefined;
}

/** Windows that begin just then, and a bucket that was full: more than all that together. */
function isBeyondWindows({ calls }: StatedPace, { requests, perMs, burst = 0 }: Stated, tolerance: number) {
  const most = (Math.ceil(tookMs(calls) / perMs) + 1) * requests + Math.max(0, burst - requests);
  return admittedIn(calls) > Math.max(1 + tolerance, 1.2) * most + 1;
}

/** Where it holds as a rule, and was lifted for a while. */
export function lapseReasons({ calls }: Stretch, limit: Stated, whose: string): readonly Reason[] {
  const [first] = lapsesOf(calls, limit);
  if (first === undefined) return [];
  const refused = calls.filter(isRefused).length;
  const came = `${first.calls.length} calls admitted in ${first.lengthMs / 1000} s, though ${refused} of ${calls.length} were refused at other times`;
  return [
    violation(first.calls.at(-1), `${limit.requests} calls in ${limit.perMs / 1000} s${whose}, at all times`, came),
  ];
}

/** `whose`: ` for pro`. */
export function paceReasons(each: StatedPace, limit: Stated, tolerance: number, whose: string): readonly Reason[] {
  const text = `${limit.requests} calls in ${limit.perMs / 1000} s${whose}`;
  if (each.pace === 'below') {
    const refused = refusedBelow(each);
    const came = `${each.calls.filter(isRefused).length} of ${each.calls.length} calls at a slower pace were refused`;
    return refused === undefined ? [] : [violation(refused, text, came)];
  }
  if (!isBeyondWindows(each, limit, tolerance)) return [];
  const came = `${admittedIn(each.calls)} calls admitted in ${(tookMs(each.calls) / 1000).toFixed(1)} s`;
  return [
    violation(
      each.calls.findLast((one) => !isRefused(one)),
      text,
      came,
    ),
  ];
}
