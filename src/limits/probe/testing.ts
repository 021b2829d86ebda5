/** For tests and the bench: services in virtual time. Nothing waits; a minute of silence is an addition. */
import { type Gate, type Renderer, renderers, type Verdict } from '../../../fixtures/limiters/index.ts';
import { type Random, seeded } from '../../random.ts';
import type { Decision, Probe } from '../model/trace.ts';

export interface World {
  now: number;
}

export interface VirtualOptions {
  readonly gate: Gate;
  readonly random?: Random;
  readonly world?: World;
  /** The way there and back. */
  readonly latencyMs?: number;
  /** How many times as long, by the number of the call. */
  readonly slower?: (call: number) => number;
  readonly workMs?: number;
  readonly retryAfter?: Renderer;
  /** Statuses of a service that fails, by the number of the call. */
  readonly statusOf?: (call: number) => number | undefined;
}

interface Moment {
  readonly at: number;
  readonly call?: number;
}

export function virtualProbe(options: VirtualOptions): Probe & { readonly calls: () => number } {
  const { gate, latencyMs = 5, workMs = 0, retryAfter = renderers.well } = options;
  const random = options.random ?? seeded(1);
  const world = options.world ?? { now: 1_000_000 };
  let calls = 0;
  const latency = (call: number): number =>
    (options.slower?.(call) ?? 1) * latencyMs * (0.8 + 0.4 * random() + (random() < 0.01 ? 2 * random() : 0));

  const many = (count: number, gapMs: number): Decision[] => {
    const sent = Array.from({ length: count }, (_, call) => world.now + call * Math.max(gapMs, 0.05));
    const ways = sent.map((_, at) => latency(calls + at + 1));
    const there = ways.map((way) => way * (0.35 + 0.3 * random()));
    const verdicts: Verdict[] = [];
    const heads: number[] = [];
    const moments: Moment[] = sent.map((at, call) => ({ at: at + there[call]!, call }));
    moments.sort((a, b) => a.at - b.at);
    for (let next = 0; next < moments.length; next += 1) {
      const { at, call } = moments[next]!;
      if (call === undefined) {
        gate.leave(at);
        continue;
      }
      const verdict = gate.decide(at);
      verdicts[call] = verdict;
      const leaves = at + (verdict.admitted ? workMs * (0.98 + 0.04 * random()) + (verdict.delayMs ?? 0) : 0);
      heads[call] = leaves + ways[call]! - there[call]!;
      if (verdict.admitted) insert(moments, next + 1, { at: leaves });
    }
    const decisions = sent.map((sentAt, call): Decision => {
      const verdict = verdicts[call]!;
      calls += 1;
      const said = verdict.admitted ? undefined : retryAfter(verdict.retryAfterMs, 1_800_000_000_000 + sentAt);
      const status = options.statusOf?.(calls) ?? (verdict.admitted ? 200 : 429);
      return {
        sentAt,
        headAt: heads[call]!,
        admitted: status !== 429 && status !== 0,
        status,
        ...(said === undefined ? {} : { retryAfter: said }),
      };
    });
    world.now = Math.max(...heads);
    return decisions;
  };

  return {
    now: () => world.now,
    sleep: async (ms) => {
      world.now += Math.max(0, ms);
    },
    ask: async () => many(1, 0)[0]!,
    askMany: async (count, gapMs = 0) => many(count, gapMs),
    calls: () => calls,
  };
}

function insert(moments: Moment[], from: number, moment: Moment): void {
  let low = from;
  let high = moments.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (moments[middle]!.at <= moment.at) low = middle + 1;
    else high = middle;
  }
  moments.splice(low, 0, moment);
}
