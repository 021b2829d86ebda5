import { expect, test } from 'vitest';
import { type LimitNumbers, lineOf } from './limit-room.ts';

/** Calls every 40 ms, with rests, against a limiter that is what the model says. */
function against(admits: (ms: number) => boolean) {
  const times = Array.from({ length: 600 }, (_, at) => at * 40 + Math.floor(at / 90) * 2500);
  return times.map((atMs) => ({ atMs, admitted: admits(atMs) }));
}

const value = (number: number) => ({ value: number });

const limiters: readonly [LimitNumbers, () => (ms: number) => boolean][] = [
  [
    { kind: 'token bucket', burst: value(12), perSecond: value(4) },
    () => {
      let tokens = 12;
      let last = 0;
      return (ms) => {
        tokens = Math.min(12, tokens + ((ms - last) * 4) / 1000);
        last = ms;
        if (tokens < 1) return false;
        tokens -= 1;
        return true;
      };
    },
  ],
  [
    { kind: 'stepped refill', burst: value(10), quantum: 3, windowMs: value(700), phaseMs: value(100) },
    () => {
      let tokens = 10;
      let step = -1;
      return (ms) => {
        const now = Math.floor((ms - 100) / 700);
        tokens = Math.min(10, tokens + Math.max(0, now - step) * 3);
        step = Math.max(step, now);
        if (tokens < 1) return false;
        tokens -= 1;
        return true;
      };
    },
  ],
  [
    { kind: 'window aligned', burst: value(8), windowMs: value(1000), phaseMs: value(300) },
    () => {
      const used = new Map<number, number>();
      return (ms) => {
        const window = Math.floor((ms - 300) / 1000);
        const count = used.get(window) ?? 0;
        if (count >= 8) return false;
        used.set(window, count + 1);
        return true;
      };
    },
  ],
  [
    { kind: 'window from first call', burst: value(8), windowMs: value(1000) },
    () => {
      let opened = -Infinity;
      let count = 0;
      return (ms) => {
        if (ms >= opened + 1000) {
          opened = ms;
          count = 0;
        }
        if (count >= 8) return false;
        count += 1;
        return true;
      };
    },
  ],
  [
    { kind: 'sliding log', burst: value(8), windowMs: value(1000) },
    () => {
      const taken: number[] = [];
      return (ms) => {
        if (taken.filter((each) => each > ms - 1000).length >= 8) return false;
        taken.push(ms);
        return true;
      };
    },
  ],
  [
    { kind: 'sliding counter', burst: value(9), windowMs: value(1000), phaseMs: value(0) },
    () => {
      const used = new Map<number, number>();
      return (ms) => {
        const window = Math.floor(ms / 1000);
        const weighed = (used.get(window) ?? 0) + (used.get(window - 1) ?? 0) * (1 - (ms / 1000 - window));
        if (weighed + 1 > 9) return false;
        used.set(window, (used.get(window) ?? 0) + 1);
        return true;
      };
    },
  ],
];

test.each(limiters)(
  '$kind: there is room where a call was admitted, and none where it was refused',
  (model, limiter) => {
    const points = against(limiter());
    const refused = points.filter(({ admitted }) => !admitted).length;
    expect(refused).toBeGreaterThan(50);
    expect(points.length - refused).toBeGreaterThan(50);
    const line = lineOf(points, model);
    expect(line).toHaveLength(points.length);
    let count = 0;
    for (const [at, { admitted }] of points.entries()) {
      const room = line[at]!.capacity - count;
      if (admitted) expect(room).toBeGreaterThanOrEqual(1 - 1e-6);
      else expect(room).toBeLessThan(1);
      if (admitted) count += 1;
    }
  },
);

test('kinds without such numbers have no line', () => {
  const points = against(() => true);
  for (const model of [{ kind: 'none met' }, { kind: 'concurrency', burst: value(4) }, { kind: 'undetermined' }])
    expect(lineOf(points, model)).toEqual([]);
});
