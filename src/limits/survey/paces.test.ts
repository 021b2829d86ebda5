/** Simultaneous runs: only where they are quick, which a refusal does not show. In virtual time. */
import { expect, it } from 'vitest';
import { type Gate, gate, slidingLog } from '../../../fixtures/limiters/index.ts';
import type { Exchange } from '../../model/exchange.ts';
import type { Ground, Once } from './ground.ts';
import { pacesOfKeys } from './paces.ts';
import { Prober } from './prober.ts';

/** Refuses at once; whatever it admits takes its time. */
function groundOf(limiter: Gate, runMs: number, runs: number[]): Ground {
  let now = 0;
  let id = 0;
  const prober = new Prober(
    {
      now: () => now,
      sleep: async (ms) => {
        now += ms;
      },
      send: async ({ route }) => {
        const sent = now;
        const { admitted } = limiter.decide(now);
        now += admitted && route === 'run' ? runMs : 0.5;
        const status = admitted ? 200 : 429;
        if (route === 'run') runs.push(status);
        id += 1;
        return {
          id,
          request: { headers: [['x-api-key', 'a']] },
          response: { status, headers: admitted ? [] : [['Retry-After', '3']] },
          at: { sent, head: now, end: now },
        } as unknown as Exchange;
      },
    },
    { maxRequests: 10_000, maxSeconds: 600 },
  );
  const options = { routes: ['verify', 'run'], budget: { quick: false } };
  return { prober, options, who: { keys: [null] }, route: 'verify', burst: 10, restMs: 3500 } as unknown as Ground;
}

const once: Once = (_, find) => {
  let found: ReturnType<typeof find> | undefined;
  return () => {
    found ??= find();
    return found;
  };
};

async function runsAt(runMs: number) {
  const runs: number[] = [];
  const on = groundOf(gate(slidingLog(10, 3000)), runMs, runs);
  const asked = pacesOfKeys(once, (_, use) => use(on));
  await asked.paces();
  return { paces: await asked.pacesOfRuns(), runs };
}

it('sends many quick ones', async () => {
  const { paces, runs } = await runsAt(2);
  expect(paces?.atOnce.length).toBeGreaterThan(0);
  expect(runs.length).toBeGreaterThan(48);
});

it('sends one long one, which is admitted, and no more', async () => {
  const { paces, runs } = await runsAt(400);
  expect(paces).toBeNull();
  expect(runs).toEqual([200]);
});
