/** Concurrency limits, queues, and logs that count refusals. */
import { exactly, type Fitted } from './model.ts';
import type { Decision, Trace } from './probe.ts';
import { againstConcurrency } from './replay-windows.ts';
import type { Seen } from './seen.ts';

/** Calls sent at once, of which some were refused. */
export function wavesOf(trace: Trace): Decision[][] {
  const waves: Decision[][] = [];
  let end = Number.NEGATIVE_INFINITY;
  for (const each of [...trace].sort((a, b) => a.sentAt - b.sentAt)) {
    if (each.sentAt >= end || waves.length === 0) {
      waves.push([]);
      end = each.headAt;
    }
    waves.at(-1)!.push(each);
    end = Math.min(end, each.headAt);
  }
  return waves;
}

export function fitConcurrency(trace: Trace, seen: Seen): Fitted | undefined {
  const counts = new Map<number, number>();
  for (const wave of wavesOf(trace)) {
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

/**
 * A queue before the limit shows in the answers: after a wave that found it empty, they come one every 1/rate. What is
 * refused is what found no room.
 */
export function fitQueue(trace: Trace, seen: Seen): Fitted | undefined {
  if (!seen.waits) return undefined;
  const full = wavesOf(trace).filter(
    (wave) => wave.some((each) => !each.admitted) && wave.some((each) => each.admitted),
  );
  const gaps: number[] = [];
  const rooms: number[] = [];
  for (const wave of full) {
    const heads = wave
      .filter((each) => each.admitted)
      .map(({ headAt }) => headAt)
      .sort((a, b) => a - b);
    rooms.push(heads.length);
    if (heads.length >= 3) gaps.push((heads.at(-1)! - heads[0]!) / (heads.length - 1));
  }
  if (gaps.length === 0) return undefined;
  const gap = gaps.reduce((sum, each) => sum + each, 0) / gaps.length;
  // Work that takes the same for all ends at about the same time; a queue ends evenly spread.
  if (!full.every((wave) => isEven(wave, gap, seen.wayMs))) return undefined;
  const room = Math.min(...rooms);
  const many = Math.max(1, room - 1);
  const perMs = 1 / gap;
  const off = seen.wayMs / many / gap;
  return {
    kind: 'token bucket',
    burst: { value: room, low: Math.max(1, Math.floor(room - seen.wayMs * perMs)), high: Math.max(...rooms) },
    perSecond: { value: 1000 * perMs, low: 1000 * perMs * (1 - off), high: 1000 * perMs * (1 + off) },
    delays: true,
    against: full.filter(
      (wave) => Math.abs(wave.filter((each) => each.admitted).length - room) > seen.wayMs * perMs + 1,
    ).length,
  };
}

function isEven(wave: readonly Decision[], gap: number, wayMs: number): boolean {
  const heads = wave
    .filter((each) => each.admitted)
    .map(({ headAt }) => headAt)
    .sort((a, b) => a - b);
  return heads.every((head, at) => Math.abs(head - heads[0]! - at * gap) <= wayMs + gap);
}
