/** Concurrency limits, queues, and logs that count refusals. */
import { exactly, type Fitted } from '../../model/limit-model.ts';
import { againstConcurrency } from './replay-windows.ts';
import type { Seen } from './seen.ts';
import type { Decision, Trace } from './trace.ts';

/** Calls sent at once, of which some were refused. */
export function wavesOf(trace: Trace): Decision[][] {
  const waves: Decision[][] = [];
  let before = Number.NEGATIVE_INFINITY;
  let lastHead = Number.NEGATIVE_INFINITY;
  for (const each of [...trace].sort((a, b) => a.sentAt - b.sentAt)) {
    if (each.sentAt - before > 2 || each.sentAt >= lastHead) {
      waves.push([]);
      lastHead = Number.NEGATIVE_INFINITY;
    }
    waves.at(-1)!.push(each);
    before = each.sentAt;
    lastHead = Math.max(lastHead, each.headAt);
  }
  return waves;
}

export function fitConcurrency(trace: Trace, seen: Seen): Fitted | undefined {
  if (!isWorking(trace)) return undefined;
  const counts = new Map<number, number>();
  const waves = wavesOf(trace);
  if (!isSideBySide(waves)) return undefined;
  for (const wave of waves) {
    const admitted = wave.filter((each) => each.admitted).length;
    if (admitted > 0 && admitted < wave.length) counts.set(admitted, (counts.get(admitted) ?? 0) + 1);
  }
  let best: Fitted | undefined;
  for (const [limit] of [...counts].sort((a, b) => b[1] - a[1] || a[0] - b[0]).slice(0, 4)) {
    const against = againstConcurrency(trace, limit, seen.wayMs);
    if (best === undefined || against < best.against) best = { kind: 'concurrency', burst: exactly(limit), against };
  }
  return best;
}

/** Work that is done at the same time is done after the same time; in a queue, the last one waits for all others. */
function isSideBySide(waves: readonly (readonly Decision[])[]): boolean {
  const factors = waves
    .map((wave) => wave.filter(({ admitted }) => admitted).map(({ sentAt, headAt }) => headAt - sentAt))
    .filter((times) => times.length >= 3)
    .map((times) => Math.max(...times) / Math.max(1, Math.min(...times)))
    .sort((a, b) => a - b);
  return (factors[factors.length >> 1] ?? 1) < 2.5;
}

/** Calls that are in flight no longer than a refusal cannot be distinguished from calls that are not counted. */
export function isWorking(trace: Trace): boolean {
  const typical = (wanted: boolean, part: number): number => {
    const all = trace.filter(({ admitted, status }) => admitted === wanted && status !== 0);
    const sorted = all.map(({ sentAt, headAt }) => headAt - sentAt).sort((a, b) => a - b);
    return sorted[Math.floor(sorted.length * part)] ?? 0;
  };
  // In a queue, a call that finds it empty is as quick as a refusal.
  return typical(true, 0.5) > typical(false, 0.5) * 1.3 + 3 && typical(true, 0.1) > typical(false, 0.5) * 1.15 + 2;
}

/**
 * A queue before the limit shows in the answers: the first comes at once, and the others one every 1/rate. What is
 * refused is what found no room.
 */
export function fitQueue(trace: Trace, seen: Seen): Fitted | undefined {
  if (!seen.waits) return undefined;
  const full = wavesOf(trace)
    .map((wave) => ({
      heads: headsOf(wave),
      refused: wave.some((each) => !each.admitted),
      sentAt: wave[0]!.sentAt,
      tookMs: lastSent(wave) - wave[0]!.sentAt,
    }))
    .filter(({ heads, refused, sentAt }) => refused && heads.length > 1 && heads[0]! - sentAt <= 1.5 * seen.wayMs);
  if (full.length === 0) return undefined;
  const gap = gapOf(trace, seen.wayMs);
  if (gap === undefined) return undefined;
  // Work that takes the same for all ends at about the same time; a queue ends evenly spread.
  const isEven = (heads: readonly number[]): boolean =>
    heads.every((head, at) => Math.abs(head - heads[0]! - at * gap.value) <= seen.wayMs + gap.value * 0.1 * (at + 1));
  const spread = Math.max(...full.map(({ heads }) => heads.at(-1)! - heads[0]!));
  if (spread < 1.5 * seen.wayMs) return undefined;
  // What was answered while the wave was still being sent made room for as many more.
  const rooms = full.map(({ heads, tookMs }) => heads.length - Math.floor(tookMs / gap.value)).sort((a, b) => a - b);
  const room = rooms.at(-1)!;
  const extra = Math.ceil(seen.wayMs / gap.value);
  return {
    kind: 'token bucket',
    burst: { value: room, low: Math.max(1, room - extra), high: room },
    perSecond: { value: 1000 / gap.value, low: 1000 / gap.high, high: 1000 / gap.low },
    delays: true,
    against: full.filter(({ heads }) => heads.length > room + extra || !isEven(heads)).length,
  };
}

const lastSent = (wave: readonly Decision[]): number =>
  wave.findLast(({ admitted }) => admitted)?.sentAt ?? wave[0]!.sentAt;

const headsOf = (wave: readonly Decision[]): number[] =>
  wave
    .filter(({ admitted }) => admitted)
    .map(({ headAt }) => headAt)
    .sort((a, b) => a - b);

/** Delayed answers arrive in sequence, at the pace of the queue. */
function gapOf(trace: Trace, wayMs: number): { value: number; low: number; high: number } | undefined {
  const ins = trace.filter(({ admitted }) => admitted).sort((a, b) => a.headAt - b.headAt);
  let steps = 0;
  let total = 0;
  let runs = 0;
  for (let at = 1; at < ins.length; at += 1) {
    const { sentAt, headAt } = ins[at]!;
    // Who had to wait had to wait for the one before.
    if (headAt - sentAt < wayMs) continue;
    steps += 1;
    total += headAt - ins[at - 1]!.headAt;
    if (at === 1 || ins[at - 1]!.headAt - ins[at - 1]!.sentAt < wayMs) runs += 1;
  }
  if (steps === 0) return undefined;
  const value = total / steps;
  const off = (Math.max(1, runs) * wayMs * 0.5) / steps;
  return { value, low: Math.max(value * 0.1, value - off), high: value + off };
}
