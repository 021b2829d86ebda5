/**
 * Whether refused calls keep who makes them out for longer. Where they do, nobody gets in while asking; so each kind
 * that takes no notice of refusals is believed only after somebody got in who had not stopped asking.
 */
import type { Fitted, LimitKind, Measured, Penalising } from '../../model/limit-model.ts';
import { secondsTold } from './retry-header.ts';
import type { Seen } from './seen.ts';
import { isDecided, type Trace } from './trace.ts';

/** No ban is so short that it would not be noticed. */
const noBanMs = 300;

export const penalisingOf = ({ kind, countsRefusals }: Fitted): { readonly penalising?: Penalising } =>
  countsRefusals ? { penalising: kind === 'sliding log' ? 'refusals count' : 'refusals begin the window anew' } : {};

/** Why nothing of what fits may be named yet: a ban, of one length or of a growing one, would look the same, or was seen. */
export type Doubt = 'grows' | 'unproven' | 'perhaps a ban';

export function doubtAbout(left: readonly Fitted[], seen: Seen): Doubt | undefined {
  const [best] = left;
  if (best === undefined || best.kind === 'concurrency' || best.delays) return undefined;
  const { askedIn, uneven, alone, lateMs } = silencesOf(seen);
  if (askedIn) return isBanPossible(best, lateMs) ? 'perhaps a ban' : undefined;
  // Who counts refusals is always the same: what contradicts that once, by a longer or a shorter ban, grows.
  const counting = left.filter(({ countsRefusals, against }) => countsRefusals && against === 0);
  if (counting.length === 0) return uneven ? 'grows' : 'unproven';
  if (counting.length < left.length) return 'unproven';
  // One refusal alone must keep out as long as many do; long enough after the others, for who remembers them.
  const isEven = ({ value }: Measured): boolean =>
    alone.some(({ restMs, refusedMs }) => restMs >= 3 * value && refusedMs >= 0.4 * value);
  return counting.every(({ windowMs }) => isEven(windowMs!)) ? undefined : 'unproven';
}

/**
 * All that is allowed was used up, and the first call beyond that came late and was refused all the same: it was a
 * window, then, and not a ban of that length for calling too soon.
 */
const isBanPossible = ({ kind, windowMs }: Fitted, lateMs: number): boolean =>
  windows.includes(kind) && windowMs !== undefined && lateMs < 0.4 * windowMs.value;

const windows: readonly LimitKind[] = ['window aligned', 'window from first call', 'sliding log'];

/**
 * Whether calls that were refused together got longer and longer waits. Whatever else was admitted before, it was
 * admitted in so short a time that no window or bucket would state such different waits.
 */
export function isToldMore(trace: Trace): boolean {
  const decided = trace.filter(isDecided);
  const first = decided.findIndex(({ admitted }) => !admitted);
  if (first < 0) return false;
  const { sentAt } = decided[first]!;
  const together = decided.slice(first).filter((each) => each.sentAt - sentAt < togetherMs);
  const told = together.map((each) => (each.admitted ? undefined : secondsTold(each.retryAfter)));
  const waits = told.filter((seconds) => seconds !== undefined);
  const [least, most] = [Math.min(...waits), Math.max(...waits)];
  const openingS = (sentAt + togetherMs - decided[0]!.sentAt) / 1000;
  return waits.length >= 3 && most >= 4 * least && most - least > openingS + 3;
}

const togetherMs = 250;

interface Silences {
  /** A call was admitted after less silence than had not been enough before, in the same stretch of refusals. */
  readonly askedIn: boolean;
  /** A call was refused after clearly more silence than was enough at another time. */
  readonly uneven: boolean;
  /** Silences after a single refusal that were not enough, and for how long nobody had been refused before it. */
  readonly alone: readonly { readonly restMs: number; readonly refusedMs: number }[];
  /** The longest time after an admitted call at which a call was refused that was the first to be. */
  readonly lateMs: number;
}

/** Silence is the time from a refused call to the next one, of whatever answer. */
function silencesOf({ lo, hi, ok, size, wayMs, later }: Seen): Silences {
  let askedIn = false;
  let refusedLo = Number.NaN;
  let refusedHi = Number.NEGATIVE_INFINITY;
  let longest = 0;
  let mostRefused = 0;
  let leastAdmitted = Number.POSITIVE_INFINITY;
  let restMs = Number.POSITIVE_INFINITY;
  const alone: { restMs: number; refusedMs: number }[] = [];
  let refusals = 0;
  let lateMs = 0;
  let admittedHi = Number.POSITIVE_INFINITY;
  for (let at = 0; at < size; at += 1) {
    const isNext = !Number.isNaN(refusedLo) && lo[at]! >= refusedHi;
    if (ok[at] === 0) {
      // Refused because it may have arrived second, after an admitted call.
      if (isNext && later[at] === 0) {
        longest = Math.max(longest, lo[at]! - refusedHi);
        mostRefused = Math.max(mostRefused, longest);
        if (refusals === 1) alone.push({ restMs, refusedMs: lo[at]! - refusedHi });
      }
      if (refusals === 0 && later[at] === 0) lateMs = Math.max(lateMs, lo[at]! - admittedHi);
      refusals += 1;
      refusedLo = lo[at]!;
      refusedHi = Math.max(refusedHi, hi[at]!);
      continue;
    }
    admittedHi = Math.max(hi[at]!, admittedHi === Number.POSITIVE_INFINITY ? 0 : admittedHi);
    if (isNext) {
      const silence = hi[at]! - refusedLo;
      leastAdmitted = Math.min(leastAdmitted, silence);
      if (silence < longest || silence <= noBanMs + 3 * wayMs) askedIn = true;
      restMs = lo[at]! - refusedHi;
      refusedLo = Number.NaN;
      longest = 0;
      refusals = 0;
    }
  }
  return { askedIn, alone, lateMs, uneven: mostRefused > 1.3 * leastAdmitted + 2 * wayMs };
}
