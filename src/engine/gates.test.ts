import { describe, expect, it } from 'vitest';
import { VirtualClock } from '../../proofs/matrix/virtual-clock.ts';
import { Gates } from './gates.ts';

describe('gates', () => {
  it('let everybody through at once as long as no caller must wait', async () => {
    const clock = new VirtualClock();
    const gates = new Gates(clock);
    const passes = await Promise.all([gates.enter('a', 0), gates.enter('a', 0), gates.enter('b', 0)]);
    expect(passes.map((pass) => pass?.waitedMs)).toEqual([0, 0, 0]);
  });

  it('make one credential wait while others go on', async () => {
    const clock = new VirtualClock();
    const gates = new Gates(clock);
    const from = clock.now();
    gates.shut('a', 3000);
    const other = await gates.enter('b', 10_000);
    expect(clock.now() - from).toBe(0);
    other?.leave();
    const own = await gates.enter('a', 10_000);
    expect(clock.now() - from).toBe(3000);
    expect(own?.alone).toBe(true);
  });

  it('let one at a time through after a refusal', async () => {
    const gates = new Gates(new VirtualClock());
    gates.shut('a', 10);
    const first = await gates.enter('a', 1000);
    let second = false;
    const waiting = Promise.resolve(gates.enter('a', 1000)).then(() => {
      second = true;
    });
    await Promise.resolve();
    expect(second).toBe(false);
    first?.leave();
    await waiting;
    expect(second).toBe(true);
  });

  it('say so instead of waiting for longer than the patience', async () => {
    const gates = new Gates(new VirtualClock());
    gates.shut('a', 86_400_000);
    expect(await gates.enter('a', 30_000)).toBeUndefined();
    expect(await gates.enter('a', 30_000)).toBeUndefined();
  });

  it('take two credentials that are refused at once for a limit of the address', async () => {
    const clock = new VirtualClock();
    const gates = new Gates(clock);
    gates.shut('a', 2000);
    gates.shut('b', 2000);
    const from = clock.now();
    await gates.enter('c', 10_000);
    expect(clock.now() - from).toBe(2000);
  });

  it('count how long the run was stretched, and for whom', () => {
    const gates = new Gates(new VirtualClock());
    gates.shut('a', 2000);
    gates.shut('a', 2500);
    gates.shut('b', 1000);
    expect(gates.waitedMs).toBe(2500);
    expect(gates.waits).toEqual([
      { who: 'a', times: 2, ms: 2500 },
      { who: 'b', times: 1, ms: 1000 },
    ]);
  });

  it('stop waiting when the run is interrupted', async () => {
    const gates = new Gates(new VirtualClock());
    gates.shut('a', 5000);
    const stop = new AbortController();
    stop.abort(new Error('interrupted'));
    await expect(gates.enter('a', 10_000, stop.signal)).rejects.toThrow('interrupted');
    // A caller that gave up does not block the turn.
    expect(await gates.enter('a', 10_000)).toBeDefined();
  });
});
