/** Keys that ask next to each other, at addresses that take less than all of them have. */
import { describe, expect, it } from 'vitest';
import type { Exchange } from '../../model/exchange.ts';
import type { Stretch } from '../../model/limits-ask.ts';
import { admittedIn } from '../model/decision.ts';
import { inGroups } from './groups.ts';
import { Prober } from './prober.ts';
import type { Sorted } from './sorts.ts';

const burst = 10;
const keys = ['main', 'a', 'b', 'c', 'd', 'e', 'f', 'g'].map(
  (name) => ({ sort: 'a live key', key: { name, tier: 'pro' } }) as unknown as Sorted,
);

function askedAt(room: number, stated?: number, secondsLeft = 300) {
  let now = 0;
  let taken = 0;
  const sizes: number[] = [];
  const prober = new Prober(
    {
      now: () => now,
      sleep: async (ms) => {
        now += ms;
        taken = 0;
        sizes.push(0);
      },
      send: async () => {
        throw new Error('nobody sends here');
      },
    },
    { maxRequests: 1000, maxSeconds: secondsLeft },
  );
  const askOne = async (route: string, { sort, key }: Sorted): Promise<Stretch> => {
    sizes[sizes.length - 1] = sizes.at(-1)! + 1;
    const calls = Array.from({ length: burst + 2 }, (_, at): Exchange => {
      taken += 1;
      return { response: { status: at < burst && taken <= room ? 200 : 429, headers: [] } } as unknown as Exchange;
    });
    return { sort, caller: key.name, tier: key.tier ?? null, route, calls };
  };
  const askAll = inGroups(
    { prober, known: keys[0]!.key, room: stated, route: 'verify', burst, restMs: 1000 },
    askOne as Parameters<typeof inGroups>[1],
  );
  return { askAll, sizes };
}

const heights = (all: readonly Stretch[]): readonly string[] =>
  all.map(({ caller, calls }) => `${caller} ${admittedIn(calls)}`);
const whole = keys.map(({ key }) => `${key.name} ${burst}`);

describe('keys in groups', () => {
  it('ask all at once where the addresses take it', async () => {
    const { askAll, sizes } = askedAt(1000);
    expect(heights(await askAll('verify', keys))).toEqual(whole);
    expect(sizes).toEqual([8]);
  });

  it('ask fewer at a time where one of the known plan is refused too early, and are asked again', async () => {
    const { askAll, sizes } = askedAt(45);
    expect(heights(await askAll('verify', keys))).toEqual(whole);
    expect(sizes).toEqual([8, 3, 3, 2]);
  });

  it('ask as many as is stated that their addresses take', async () => {
    const { askAll, sizes } = askedAt(60, 75);
    expect(heights(await askAll('verify', keys))).toEqual(whole);
    expect(sizes).toEqual([3, 3, 2]);
  });

  it('ask all at once where the time does not suffice for groups', async () => {
    const { askAll, sizes } = askedAt(60, 75, 10);
    await askAll('verify', keys);
    expect(sizes).toEqual([8]);
  });
});
