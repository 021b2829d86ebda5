/** What rules about limits say where a budget ended before all was known: nothing of what was only guessed, and no error. */
import { expect, test } from 'vitest';
import { firstCallWindow, gate, tokenBucket } from '../../../fixtures/limiters/index.ts';
import { type Exchange, modelOfProbed, type Probed } from '../../../src/vocabulary.ts';
import { waitingAdmits } from '../address/address.ts';
import { asDeclared, scalesWithTier } from './height.ts';

/** Bursts of a few calls, and a pause after each. */
function lookAt(tier: string, limiter: ReturnType<typeof gate>, pausesMs: readonly number[], calls = 30): Probed {
  let now = 0;
  let id = 0;
  const seen: Exchange[] = [];
  for (const pause of pausesMs) {
    for (let call = 0; call < calls; call += 1) {
      const { admitted, retryAfterMs } = limiter.decide(now + 0.5);
      const headers = admitted ? [] : [['retry-after', String(Math.ceil(retryAfterMs / 1000))]];
      id += 1;
      seen.push({
        id,
        request: { headers: [['x-api-key', 'a']] },
        response: { status: admitted ? 200 : 429, headers },
        at: { sent: now, head: now + 1, end: now + 1 },
      } as unknown as Exchange);
      now += 1;
    }
    now += pause;
  }
  return { caller: tier, tier, route: 'verify', calls: seen, sustainedFrom: null, stopped: null };
}

const near = { seesApart: 'direct', rounds: [] } as const;
type Given = Parameters<NonNullable<typeof scalesWithTier.given>>;
const gatesOf = (tiers: readonly Probed[]) =>
  scalesWithTier.given!({ near, tiers } as unknown as Given[0], {} as Given[1]).filter((each) => each !== undefined);

const why = [{ inconclusive: 'for no two tiers were limits of one sort found, with their numbers' }];
const pauses = [400, 900, 1500, 2200, 2900, 700, 3100, 1300, 3300];
const weightsOf = (tiers: readonly Probed[]) =>
  scalesWithTier.judge({ near, tiers } as never, {} as never).map(({ weight }) => weight);

test('plans are compared by limits of one sort: of two, one was taken for another', () => {
  const [low, high] = [12, 24].map((calls) => lookAt(`${calls}`, gate(firstCallWindow(calls, 3000)), pauses));
  const bucket = lookAt('bucket', gate(tokenBucket(18, 3)), pauses);
  expect(modelOfProbed(bucket).burst?.value).toBe(18);
  expect(gatesOf([low!, high!])).toEqual([]);
  expect(weightsOf([low!, high!])).toEqual([]);
  expect(weightsOf([high!, low!])).toEqual(['violation']);
  expect(gatesOf([low!, bucket])).toEqual(why);
  expect(weightsOf([low!, bucket])).toEqual([]);
  expect(weightsOf([high!, bucket, low!])).toEqual(['violation']);
});

test('a window of an unknown kind is as declared where its numbers are, and nothing is known where they are not', () => {
  const seen = lookAt('pro', gate(firstCallWindow(12, 3000)), [900, 700, 800, 600, 950, 650, 720]);
  const { certainty, burst, windowMs } = modelOfProbed(seen);
  expect([certainty.is, burst?.value, windowMs?.value]).toEqual(['undetermined', 12, 3000]);
  const gates = (requests: number, perMs: number, tolerance = 0.2) => {
    const told = { stated: { pro: { requests, perMs } }, tolerance };
    const so = { near: { seesApart: 'direct', rounds: [] }, own: seen, tiers: [], probed: [seen] };
    return asDeclared.given!(so as never, told as never).filter((each) => each !== undefined);
  };
  const unknown = [{ inconclusive: 'none of the limits that the profile documents was identified' }];
  expect(gates(12, 3000)).toEqual([]);
  // Its length lies between two numbers, of which one is further from what is stated.
  expect(gates(12, 3000, 0.1)).toEqual(unknown);
  // The same pace, and more calls at once than were seen: somebody may have been punished for what was refused.
  expect(gates(24, 6000)).toEqual(unknown);
  expect(gates(24, 3000)).toEqual(unknown);
});

test('a limit of which only the pace is known is not compared', () => {
  const often = Array.from({ length: 30 }, () => 700);
  const trickle = lookAt('trickle', gate(tokenBucket(2, 0.5)), often, 1);
  const { burst, perSecond } = modelOfProbed(trickle);
  expect([burst, perSecond !== undefined]).toEqual([undefined, true]);
  expect(gatesOf([trickle, trickle])).toEqual(why);
});

test('a wait at an address that the budget did not reach is no error', async () => {
  const ended = { ended: 'the budget was too small', inapplicable: false };
  const limits = {
    address: async () => ({ by: 'no key', calls: [], tried: [] }),
    addressWaits: async () => ended,
    keyWaits: async () => ended,
    withoutKeyModel: () => {
      throw new Error('nothing says that the wait was too long');
    },
  };
  const steps: object[] = [];
  const asked = waitingAdmits.ask({ limits } as unknown as Parameters<typeof waitingAdmits.ask>[0]);
  for await (const step of asked as AsyncIterable<object>) steps.push(step);
  expect(Object.assign({}, ...steps)).toMatchObject({ looked: null, waits: ended, withKey: null });
});
