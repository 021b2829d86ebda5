/**
 * A trace made ready for replay. When the limiter decided is known only as an interval, so every array here comes in
 * two orders: by the earliest and by the latest moment. What a model is held to is what holds anywhere in between.
 */
import { type Decision, isDecided, type Trace } from './trace.ts';

export interface Seen {
  readonly size: number;
  /** All decisions by their earliest moment. */
  readonly lo: Float64Array;
  readonly hi: Float64Array;
  readonly ok: Uint8Array;
  /** The middle between both moments, and the decisions in this order. */
  readonly middle: Float64Array;
  readonly byMiddle: Int32Array;
  /** For each decision: admitted calls that may have come before it although they began later. */
  readonly later: Int32Array;
  readonly admitted: number;
  /** Admitted calls by their earliest moment. */
  readonly inLo: Float64Array;
  /** Beside `inLo`: the earliest of the latest moments from here on. */
  readonly inLoNextHi: Float64Array;
  /** Beside `inLo`: the latest moments. */
  readonly inLoHi: Float64Array;
  /** Admitted calls by their latest moment, and the earliest of the earliest moments from here on. */
  readonly inHi: Float64Array;
  readonly inHiNextLo: Float64Array;
  /** Beside `inHi`: the earliest moments. */
  readonly inHiLo: Float64Array;
  /** Refused calls that an admitted one followed: somewhere in between, room was made. */
  readonly edges: readonly Edge[];
  /** Admitted calls until the first refusal, and how many there are at most until then. */
  readonly opening: number;
  /** The longest answer that was no work: what a call takes on its way. */
  readonly wayMs: number;
  readonly waits: boolean;
}

export interface Edge {
  readonly from: number;
  readonly to: number;
  /** The first refusal of the stretch that ends here. */
  readonly shut: number;
  /** Calls admitted from here to the next refusal. */
  readonly gained: number;
}

const took = (decision: Decision): number => decision.headAt - decision.sentAt;

export function see(trace: Trace): Seen {
  const decisions = trace.filter(isDecided).sort((a, b) => a.sentAt - b.sentAt);
  const way = longestWay(decisions);
  const size = decisions.length;
  const lo = Float64Array.from(decisions, ({ sentAt }) => sentAt);
  // The shortest way is part of every way: how it divides into there and back shifts all moments alike.
  const shortest = decisions.reduce((least, each) => Math.min(least, took(each)), Number.POSITIVE_INFINITY);
  const hi = Float64Array.from(decisions, (each) => Math.min(each.headAt, each.sentAt + way.ms) - shortest * 0.4);
  const ok = Uint8Array.from(decisions, ({ admitted }) => (admitted ? 1 : 0));
  const middle = lo.map((from, at) => (from + hi[at]!) / 2);
  const ins = Array.from(ok.keys()).filter((at) => ok[at] === 1);
  const inLo = Float64Array.from(ins, (at) => lo[at]!);
  const inLoHi = Float64Array.from(ins, (at) => hi[at]!);
  const byHi = [...ins].sort((a, b) => hi[a]! - hi[b]!);
  const inHi = Float64Array.from(byHi, (at) => hi[at]!);
  return {
    size,
    lo,
    hi,
    ok,
    middle,
    byMiddle: Int32Array.from(ok.keys()).sort((a, b) => middle[a]! - middle[b]!),
    later: laterStarts(lo, hi, ok, inLo),
    admitted: ins.length,
    inLo,
    inLoHi,
    inLoNextHi: leastFromHere(inLoHi),
    inHi,
    inHiNextLo: leastFromHere(Float64Array.from(byHi, (at) => lo[at]!)),
    inHiLo: Float64Array.from(byHi, (at) => lo[at]!),
    edges: edgesOf(lo, hi, ok),
    opening: Math.max(0, ok.indexOf(0) < 0 ? ins.length : ok.subarray(0, ok.indexOf(0)).length),
    wayMs: way.ms,
    waits: way.waits,
  };
}

/**
 * A refusal takes the way there and back and nothing else. Where admitted calls take much longer, they work or queue
 * after the decision, and the decision is not searched for in that time.
 */
function longestWay(decisions: readonly Decision[]): { ms: number; waits: boolean } {
  const times = decisions.filter(({ admitted }) => !admitted).map(took);
  times.sort((a, b) => a - b);
  const refused = times.at(-1) ?? 0;
  const usual = times[Math.floor(times.length * 0.9)] ?? 0;
  const ins = decisions.filter(({ admitted }) => admitted).map(took);
  const longest = ins.reduce((most, ms) => Math.max(most, ms), 0);
  const slow = ins.filter((ms) => ms > 3 * usual + 5).length;
  // A queue, or work, holds many back; a busy machine holds back anybody, now and then.
  const waits = refused > 0 && longest > 1.5 * refused && slow * 5 >= ins.length;
  return { ms: waits ? refused * 1.25 + 2 : Math.max(refused, longest), waits };
}

function laterStarts(lo: Float64Array, hi: Float64Array, ok: Uint8Array, inLo: Float64Array): Int32Array {
  const later = new Int32Array(lo.length);
  let before = 0;
  for (let at = 0; at < lo.length; at += 1) {
    if (ok[at] === 1) before += 1;
    else later[at] = countBelow(inLo, hi[at]!) - before;
  }
  return later;
}

function leastFromHere(values: Float64Array): Float64Array {
  const least = Float64Array.from(values);
  for (let at = least.length - 2; at >= 0; at -= 1) least[at] = Math.min(least[at]!, least[at + 1]!);
  return least;
}

type Writable<T> = { -readonly [name in keyof T]: T[name] };

function edgesOf(lo: Float64Array, hi: Float64Array, ok: Uint8Array): Edge[] {
  const edges: Writable<Edge>[] = [];
  let shut = Number.NaN;
  let refusing = false;
  let refusedLo = Number.NaN;
  let refusedHi = Number.POSITIVE_INFINITY;
  let open: Writable<Edge> | undefined;
  for (let at = 0; at < lo.length; at += 1) {
    if (ok[at] === 0) {
      refusedLo = lo[at]!;
      refusedHi = hi[at]!;
      if (!refusing) shut = lo[at]!;
      refusing = true;
      open = undefined;
      continue;
    }
    if (open === undefined && lo[at]! >= refusedHi) {
      open = { from: refusedLo, to: hi[at]!, shut, gained: 0 };
      refusing = false;
      edges.push(open);
    }
    if (open !== undefined) {
      open.to = Math.min(open.to, hi[at]!);
      open.gained += 1;
    } else if (edges.length > 0 && lo[at]! < refusedHi) edges.at(-1)!.gained += 1;
  }
  return edges;
}

/** How many values of a sorted array are less. */
export function countBelow(sorted: Float64Array, value: number): number {
  let from = 0;
  let to = sorted.length;
  while (from < to) {
    const middle = (from + to) >> 1;
    if (sorted[middle]! < value) from = middle + 1;
    else to = middle;
  }
  return from;
}
